/**
 * Events: facts in the past tense, with one public shape in the journal, audits and webhooks.
 * `data` may be published (never guest data); `secret` is needed only to fold the event and is left
 * out of every answer.
 *
 * Maintained invariant: an event carries everything that the in-memory state needs to apply it, so
 * a replica folds the journal without reading another table.
 */

import type { KeyPhase, Outcome, Receipt } from "../outcomes.ts";
import type { Actor, EncryptedFields, Traveler } from "../parties.ts";
import type { FrozenQuote, Stay } from "../price/quote.ts";
import type { RefundReason } from "../records.ts";
import type { Difference } from "../structural-sharing.ts";
import type { AriUpdate, Mode, PropertyState, PropertyTree } from "../supply.ts";
import type { NoticeEvent } from "./notices.ts";

export interface Units {
  readonly property_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly stay: Stay;
}

/** Units of which the nights from `free_from` on are freed; null frees none. */
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

/** Units already in use for a ceiling scope when it is first set. */
export interface CeilingUsage {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly used: readonly (readonly [day: number, units: number])[];
}

/** Number of oversold nights after a change; absent for none, and in rows of old versions. */
interface Overselling {
  readonly oversold_nights?: number;
}

export type PropertyCreated = Base<"property.created", { property_id: string; tree: PropertyTree }>;
/**
 * A new version of the tree: whole, or as the difference from the version before. A difference
 * comes with `figures`, so that the row alone has all that subscribers see.
 */
export type PropertyReplaced = Base<
  "property.replaced",
  { property_id: string; version: number; supply_version: number } & Overselling &
    (
      | { tree: PropertyTree; difference?: undefined }
      | { tree?: undefined; difference: Difference; figures: TreeFigures }
    )
>;
/** The published part of a tree that is too large to publish. */
export interface TreeFigures {
  readonly slug: string;
  readonly name: string;
  readonly room_type_count: number;
  readonly rate_plan_count: number;
}
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
/** Final: bookings stay valid, but nothing more is sold. */
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
/** An operator accepted the loss of rows; the journal continues under a new id. */
export type LossAccepted = Base<
  "loss.accepted",
  { after_row: number; lost: string; journal_id: string; former_id: string }
>;
/** An operator accepted a start with the clock out of bounds; instants are RFC 3339. */
export type ClockCorrected = Base<"clock.corrected", { from: string; to: string }> & {
  /** Pending refunds: they are not in memory, but their ages are corrected too. */
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
    /** Id of the delegation token, if there was one. */
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
    /** The state that the hold returned to. */
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
  /** Present only when nothing was due: then no payment record has these. */
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
    /** Only for a cancellation by the property: the part of the fee that it waived. */
    desk?: { waived_fee: number };
  }
> & {
  readonly secret?: { readonly encrypted: EncryptedFields };
};

export type BookingCheckedIn = Base<
  "booking.checked_in",
  { booking_id: string; property_id: string }
>;
/** The fee of the frozen terms is kept; later nights are freed. */
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
/** Unused nights are freed. */
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
  /** Key of the call that waits: answered when the refund settles, or after a short wait. */
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
 * One journal row: all consequences of one command, all or nothing. System rows (expiry, horizon,
 * clock, loss) have the `system` actor; the last three belong to no tenant (`""`).
 */
export interface Row {
  readonly row: number;
  /** Engine time, epoch milliseconds; lower than in the row before only with `clock.corrected`. */
  readonly stamp: number;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: Actor;
  readonly trace_id: string;
  /** The idempotency key that this row sets, and its phase; or both null. */
  readonly key: KeyRef | null;
  readonly phase: KeyPhase | null;
  readonly events: readonly Event[];
  /** The answer of the key; null when the row sets no key. */
  readonly outcome: Outcome | null;
}

/** An idempotency key with the values that a repeated request must match (rules §1). */
export interface KeyRef {
  /** 32 hex digits: hash(tenant, scope, key). */
  readonly key: string;
  /** 32 hex digits: HMAC of the canonical body. */
  readonly body_hash: string;
  /** The agent that first used the key. */
  readonly agent_id: string;
}
