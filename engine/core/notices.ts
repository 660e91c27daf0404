/**
 * Notices: facts of the control plane that others must hear of (rules §8). They take a number
 * among the tenant's events and change no state here, so a new one is a member of `NoticeData` and
 * nothing else: commands, events and the fold take whatever stands in it.
 */

type IssuerStatus = "active" | "suspended" | "revoked";

/** Event type → its `data`. */
interface NoticeData {
  readonly "credential.rotated": {
    readonly agent_id: string;
    readonly credential_id: string;
    readonly previous_credential_id: string;
    /** When the previous one stops working. */
    readonly retire_at: string;
  };
  readonly "delegation_issuer.status_changed": {
    readonly issuer_id: string;
    readonly iss: string;
    readonly status: IssuerStatus;
    readonly previous_status: IssuerStatus;
  };
  /** Nothing is delivered to it any more, nor kept for it, until somebody resumes it. */
  readonly "webhook.endpoint_disabled": {
    readonly endpoint_id: string;
    /** `gone`: it answered 410. `failing`: for days. `backlog`: paused with too many events. */
    readonly reason: "gone" | "failing" | "backlog" | "operator";
    readonly at: string;
  };
  /** It takes events again, for the first time after it was disabled. */
  readonly "webhook.endpoint_recovered": {
    readonly endpoint_id: string;
    readonly disabled_at: string;
    readonly at: string;
  };
  /** A partner is served what this run has built. */
  readonly "feed.generated": {
    readonly partner: string;
    readonly run_id: string;
    readonly trigger: string;
    /** What it tells is true after this event of the tenant, and at this time. */
    readonly as_of_seq: number;
    readonly as_of: string;
    readonly listings: number;
  };
  /** A run has come to nothing that may be served; what was published before still is. */
  readonly "feed.failed": {
    readonly partner: string;
    readonly run_id: string;
    readonly trigger: string;
    readonly reason: "no_property" | "shrunken" | "invalid" | "timed_out" | "crashed";
    /** What it would have listed; null when it did not come to that. */
    readonly listings: number | null;
    /** What is served instead; null when there is nothing. */
    readonly published_run_id: string | null;
  };
  /** The provider's charges were held against a journal that was restored. */
  readonly "payments.reconciled": {
    readonly orphan_totals: readonly OrphanTotal[];
    /** The first of them. */
    readonly orphans: readonly {
      readonly payment_id: string;
      readonly amount: number;
      readonly currency: string;
      readonly state: OrphanTotal["state"];
    }[];
    readonly difference_count: number;
    /** The first of them. */
    readonly differences: readonly {
      readonly payment_id: string;
      readonly provider: ChargeFigures;
      readonly journal: ChargeFigures;
    }[];
  };
}

/** Money of a charge that the journal does not have; what each state means: `reconcile.ts`. */
interface OrphanTotal {
  readonly state: "open" | "standing" | "refunded" | "void";
  readonly currency: string;
  readonly charges: number;
  readonly amount: number;
}

/** What one side says of a charge. */
interface ChargeFigures {
  readonly amount: number;
  readonly currency: string;
  readonly state: string;
  readonly refunded: number;
}

/** What a notice says: an event before it has its number. */
export type Notice = {
  [T in keyof NoticeData]: { readonly type: T; readonly data: NoticeData[T] };
}[keyof NoticeData];

/** A notice in the journal; `seq` as in every event. */
export type NoticeEvent = Notice & { readonly seq: number };
