/**
 * Events are what happened, past tense, one public shape from the journal to audits and webhooks.
 * `data` is what clients may see (never guest data); `secret` is what only this installation needs
 * to fold the event and is left out of every answer.
 *
 * Maintained invariant: an event carries everything the in-memory state needs to apply it, so a
 * replica folds the journal without reading any other table.
 */
import type { NoticeEvent } from "./notices.ts";
import type { KeyPhase, Outcome, Receipt } from "./outcomes.ts";
import type { Actor, EncryptedFields, Traveler } from "./parties.ts";
import type { FrozenQuote, Stay } from "./quote.ts";
import type { RefundReason } from "./records.ts";
import type { Difference } from "./structural-sharing.ts";
import type { AriUpdate, Mode, PropertyState, PropertyTree } from "./supply.ts";

/** The cells an event moves units in. */
export interface Units {
  readonly property_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly stay: Stay;
}

/** Units of which a part goes back: the nights from `free_from` on, none when it is null. */
export interface FreedUnits extends Units {
  readonly agent_id: string;
  readonly free_from: string | null;
}

interface Base<T extends string, D> {
  readonly type: T;
  /** Dense per (tenant, mode): 1, 2, 3 … (rules §8). */
  readonly seq: number;
  readonly data: D;
}

/** Units already in use for a ceiling scope at the moment it is first set. */
export interface CeilingUsage {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly used: readonly (readonly [day: number, units: number])[];
}

/** Nights that a change leaves with more taken than there is; absent when none, and of old. */
interface Overselling {
  readonly oversold_nights?: number;
}

export type PropertyCreated = Base<"property.created", { property_id: string; tree: PropertyTree }>;
/**
 * Another version of the tree: whole, or as its difference from the one before. Of a difference the
 * figures stand beside it, so that the row tells by itself what subscribers see.
 */
export type PropertyReplaced = Base<
  "property.replaced",
  { property_id: string; version: number; supply_version: number } & Overselling &
    (
      | { tree: PropertyTree; difference?: undefined }
      | { tree?: undefined; difference: Difference; figures: TreeFigures }
    )
>;
/** What is told of a tree that is too large to be told whole. */
export interface TreeFigures {
  readonly slug: string;
  readonly name: string;
  readonly room_type_count: number;
  readonly rate_plan_count: number;
}
/** A draft that never was on sale. */
export type PropertyDeleted = Base<
  "property.deleted",
  { property_id: string; slug: string; version: number }
>;
export type PropertyPromoted = Base<
  "property.promoted",
  { property_id: string; state: PropertyState; version: number }
>;
export type PropertySuspended = Base<
  "property.suspended",
  { property_id: string; state: PropertyState; version: number }
>;
/** For good: what was booked there lives on, nothing is sold there again. */
export type PropertyArchived = Base<
  "property.archived",
  { property_id: string; state: PropertyState; version: number }
>;
export type AriChanged = Base<
  "ari.changed",
  { property_id: string; ari: AriUpdate } & Overselling
> & {
  readonly secret?: { readonly usage: readonly CeilingUsage[] };
};
export type FxChanged = Base<
  "fx.changed",
  { base: string; rates: Readonly<Record<string, string>>; as_of: string }
>;
export type HorizonAdvanced = Base<"horizon.advanced", { base_day: number }>;
/** Rows that an operator gave up, as the refusal told it; the journal goes on under a new id. */
export type LossAccepted = Base<
  "loss.accepted",
  { after_row: number; lost: string; journal_id: string; former_id: string }
>;
/** A start whose clock was beyond the bounds, as an operator has accepted it; instants RFC 3339. */
export type ClockCorrected = Base<"clock.corrected", { from: string; to: string }> & {
  /** Refunds that wait: they are in no memory, and their ages count too. */
  readonly secret: { readonly refund_ids: readonly string[] };
};

export type HoldCreated = Base<
  "hold.created",
  { hold_id: string; quote: FrozenQuote; expires_at: string }
>;
export type HoldExtended = Base<
  "hold.extended",
  { hold_id: string; expires_at: string; extensions: number }
>;
export type HoldReleased = Base<"hold.released", { hold_id: string; released_at: string }>;
export type HoldExpired = Base<"hold.expired", { hold_id: string; expired_at: string }>;

export type PaymentPending = Base<
  "payment.pending",
  {
    payment_id: string;
    hold_id: string;
    booking_id: string;
    attempt: number;
    amount: number;
    currency: string;
    method: string;
    /** Id of the delegation token that allowed it, when it had one. */
    jti: string | null;
  }
> & {
  readonly secret: {
    readonly key: string;
    readonly body_hash: string;
    readonly docs: string;
    readonly confirmation_code: string;
    readonly traveler: Traveler;
    readonly encrypted: EncryptedFields;
  };
};
export type PaymentReferenced = Base<
  "payment.referenced",
  { payment_id: string; hold_id: string; provider_ref: string }
>;
export type PaymentCaptured = Base<
  "payment.captured",
  { payment_id: string; hold_id: string; booking_id: string; amount: number; currency: string }
>;
export type PaymentFailed = Base<
  "payment.failed",
  {
    payment_id: string;
    hold_id: string;
    provider_code: string | null;
    /** What the hold went back to. */
    hold_state: "held" | "expired";
  }
>;
export type PaymentUnknown = Base<"payment.unknown", { payment_id: string; hold_id: string }>;
export type PaymentOutcomeUnknown = Base<
  "payment.outcome_unknown",
  { payment_id: string; hold_id: string }
>;

export type BookingConfirmed = Base<
  "booking.confirmed",
  Units & {
    booking_id: string;
    hold_id: string;
    payment_id: string | null;
    confirmation_code: string;
    total: number;
    due_now: number;
    currency: string;
    receipt: Receipt;
  }
> & {
  /** Present only when nothing was due: there is no payment record to take these from. */
  readonly secret?: {
    readonly traveler: Traveler;
    readonly encrypted: EncryptedFields;
  };
};
export type BookingCancelled = Base<
  "booking.cancelled",
  Units & {
    booking_id: string;
    agent_id: string;
    fee: number;
    refund: number;
    currency: string;
    tier_index: number;
    refund_id: string | null;
    reason_code: string | null;
    jti: string | null;
    receipt: Receipt;
    /** Of a cancellation by the property, without the traveler: what of the fee it has waived. */
    desk?: { waived_fee: number };
  }
> & {
  /** The caller's note, under the booking's data key. */
  readonly secret?: { readonly encrypted: EncryptedFields };
};

/** The guest has come. */
export type BookingCheckedIn = Base<
  "booking.checked_in",
  { booking_id: string; property_id: string }
>;
/** The guest never came: the fee of the frozen terms is kept, nights that are ahead go back. */
export type BookingNoShow = Base<
  "booking.no_show",
  FreedUnits & {
    booking_id: string;
    fee: number;
    refund: number;
    currency: string;
    refund_id: string | null;
  }
>;
/** The guest has gone; nights that were not slept go back. */
export type BookingCompleted = Base<"booking.completed", FreedUnits & { booking_id: string }>;

export type RefundRequested = Base<
  "refund.requested",
  {
    refund_id: string;
    payment_id: string;
    booking_id: string | null;
    property_id: string;
    amount: number;
    currency: string;
    reason: RefundReason;
  }
> & {
  /** The key of the call that asked, answered when the refund settles or after a short wait. */
  readonly secret?: { readonly key: string; readonly body_hash: string; readonly docs: string };
};
export type RefundSucceeded = Base<
  "refund.succeeded",
  {
    refund_id: string;
    payment_id: string;
    booking_id: string | null;
    amount: number;
    receipt: Receipt;
  }
>;
export type RefundFailed = Base<
  "refund.failed",
  { refund_id: string; payment_id: string; booking_id: string | null; provider_code: string | null }
>;

export type Event =
  | PropertyCreated
  | PropertyReplaced
  | PropertyDeleted
  | PropertyPromoted
  | PropertySuspended
  | PropertyArchived
  | AriChanged
  | FxChanged
  | HorizonAdvanced
  | ClockCorrected
  | LossAccepted
  | NoticeEvent
  | HoldCreated
  | HoldExtended
  | HoldReleased
  | HoldExpired
  | PaymentPending
  | PaymentReferenced
  | PaymentCaptured
  | PaymentFailed
  | PaymentUnknown
  | PaymentOutcomeUnknown
  | BookingConfirmed
  | BookingCancelled
  | BookingCheckedIn
  | BookingNoShow
  | BookingCompleted
  | RefundRequested
  | RefundSucceeded
  | RefundFailed;

/**
 * One journal row: the whole consequence of one command, all or nothing. System rows (expiry,
 * horizon, clock, loss) have the `system` actor; the last three belong to no tenant (`""`).
 */
export interface Row {
  readonly row: number;
  /** Engine time, epoch milliseconds; less than the row before only in `clock.corrected`. */
  readonly stamp: number;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  readonly trace_id: string;
  /** The idempotency key whose standing this row sets, and that standing; or both null. */
  readonly key: KeyRef | null;
  readonly phase: KeyPhase | null;
  readonly events: readonly Event[];
  /** What the key's owner is answered; null when the row sets no key. */
  readonly outcome: Outcome | null;
}

/** An idempotency key with what a later request must match to get its answer (rules §1). */
export interface KeyRef {
  /** 32 hex digits: hash(tenant, scope, key). */
  readonly key: string;
  /** 32 hex digits: HMAC of the canonical body. */
  readonly body_hash: string;
  /** The agent that first used the key. */
  readonly agent_id: string;
}
