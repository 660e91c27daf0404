/**
 * Notices: changes in the control store that subscribers receive as events (rules §8). They get a
 * seq among the tenant's events and change no state here. A new one is only a member of
 * `NoticeData`.
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
  /** Deliveries are stopped, and none are kept, until an operator resumes it. */
  readonly "webhook.endpoint_disabled": {
    readonly endpoint_id: string;
    /** `gone`: it answered 410. `failing`: for days. `backlog`: paused with too many events. */
    readonly reason: "gone" | "failing" | "backlog" | "operator";
    readonly at: string;
  };
  /** The first successful delivery after it was disabled. */
  readonly "webhook.endpoint_recovered": {
    readonly endpoint_id: string;
    readonly disabled_at: string;
    readonly at: string;
  };
  /** This run's document is now served to a partner. */
  readonly "feed.generated": {
    readonly partner: string;
    readonly run_id: string;
    readonly trigger: string;
    /** The document is true after this event of the tenant, and at this time. */
    readonly as_of_seq: number;
    readonly as_of: string;
    readonly listings: number;
  };
  /** A run produced nothing to publish; the document published before is still served. */
  readonly "feed.failed": {
    readonly partner: string;
    readonly run_id: string;
    readonly trigger: string;
    readonly reason: "no_property" | "shrunken" | "invalid" | "timed_out" | "crashed";
    /** Listings of the rejected document; null when there is none. */
    readonly listings: number | null;
    /** The run that is served instead; null for none. */
    readonly published_run_id: string | null;
  };
  /** The provider's charges were compared with a restored journal. */
  readonly "payments.reconciled": {
    readonly orphan_totals: readonly OrphanTotal[];
    readonly orphans: readonly {
      readonly payment_id: string;
      readonly amount: number;
      readonly currency: string;
      readonly state: OrphanTotal["state"];
    }[];
    readonly difference_count: number;
    readonly differences: readonly {
      readonly payment_id: string;
      readonly provider: ChargeFigures;
      readonly journal: ChargeFigures;
    }[];
  };
}

/** Charges that the journal lacks; for the states see `reconcile.ts`. */
interface OrphanTotal {
  readonly state: "open" | "standing" | "refunded" | "void";
  readonly currency: string;
  readonly charges: number;
  readonly amount: number;
}

/** One side's figures of a charge. */
interface ChargeFigures {
  readonly amount: number;
  readonly currency: string;
  readonly state: string;
  readonly refunded: number;
}

/** A notice before it has a seq. */
export type Notice = {
  [T in keyof NoticeData]: { readonly type: T; readonly data: NoticeData[T] };
}[keyof NoticeData];

export type NoticeEvent = Notice & { readonly seq: number };
