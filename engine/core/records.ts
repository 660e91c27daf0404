/**
 * The aggregates hold, payment, booking and refund. Open holds and open payments are in memory;
 * finished ones, bookings and refunds are rows of the projections. Instants are epoch milliseconds,
 * amounts are minor units. At the end: the ports through which the core reads and writes
 * projections.
 */

import type { Authorization } from "./authorization.ts";
import type { Approval } from "./authorization-terms.ts";
import { dayOf } from "./calendar.ts";
import type { Outcome, Receipt } from "./outcomes.ts";
import type { OversellIncident } from "./oversell-incident.ts";
import type { Actor, EncryptedFields, Traveler } from "./parties.ts";
import type { FrozenQuote } from "./price/quote.ts";
import type { OtherMethod, RefundReason, RefundState } from "./refund-words.ts";
import type { Realm } from "./supply.ts";
import type { Owned } from "./visibility.ts";

export type HoldState = "held" | "confirming" | "consumed" | "released" | "expired";
export type PaymentState =
  | "pending"
  | "captured"
  | "failed"
  | "unknown"
  | "partially_refunded"
  | "refunded";
export type BookingState = "confirmed" | "checked_in" | "completed" | "cancelled" | "no_show";

export interface Hold extends Owned {
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  state: HoldState;
  /** Set back with a test clock, like `expires_at`. */
  created_at: number;
  expires_at: number;
  extensions: number;
  /** When it left `held` or `confirming` for good. */
  ended_at: number | null;
  payment_id: string | null;
  booking_id: string | null;
  /** Journal rows that concern this hold and its booking, for the audit. */
  rows: number[];
}

/** Whether a hold has expired, even if its expiry is not journaled yet. */
export function isDue({ state, expires_at }: Hold, atMs: number): boolean {
  return state === "held" && atMs >= expires_at;
}

/** Whether the money of a payment was taken, refunded since or not. */
export function wasCaptured({ state }: Payment): boolean {
  return state !== "pending" && state !== "unknown" && state !== "failed";
}

export interface Payment extends Owned {
  readonly payment_id: string;
  readonly hold_id: string;
  readonly booking_id: string;
  readonly property_id: string;
  state: PaymentState;
  readonly amount: number;
  readonly currency: string;
  readonly attempt: number;
  provider_ref: string | null;
  provider_code: string | null;
  /** Minor units of the succeeded refunds. */
  refunded: number;
  /** The part of `refunded` that the property gave back without the provider; absent for none. */
  refunded_elsewhere?: number;
  /** The last dispute about it; absent for none. */
  dispute?: Dispute;
  /** Moved when the clock is corrected, so that its age stays right. */
  created_at: number;
  updated_at: number;
  /** The idempotency key that waits for this payment and gets its final outcome. */
  readonly key: string;
  readonly body_hash: string;
  readonly trace_id: string;
  readonly docs: string;
  readonly actor: Actor;
  readonly method: string;
  /** The authorization that it consumed; absent for none. */
  readonly authorization?: Approval;
  readonly confirmation_code: string;
  readonly traveler: Traveler;
  readonly encrypted: EncryptedFields;
}

/** A guest's bank took the payment back; `won` by the property, it has the money again. */
export interface Dispute {
  /** The provider's id. */
  readonly dispute_id: string;
  readonly state: "open" | "won" | "lost";
  /** Minor units of the payment's currency. */
  readonly amount: number;
  /** The bank's reason, a word of the provider. */
  readonly reason: string;
  /** Until when the property can answer, RFC 3339; null when it cannot. */
  readonly due_by: string | null;
}

export interface Booking extends Owned {
  readonly booking_id: string;
  readonly confirmation_code: string;
  readonly hold_id: string;
  /** The present price and terms; `quoteAt` has those of an earlier row. */
  quote: FrozenQuote;
  /** Price and terms before each change of the stay, oldest first; absent for none. */
  earlier?: EarlierQuote[];
  readonly property_id: string;
  state: BookingState;
  version: number;
  readonly created_at: number;
  readonly payment_id: string | null;
  /** The authorization that allowed it; absent for none. */
  readonly authorization?: Approval;
  readonly traveler: Traveler;
  encrypted: EncryptedFields;
  /** The booking command's key, which `encrypted` is bound to. */
  readonly key: string;
  cancellation: Cancellation | null;
  /** Only for a no-show. */
  no_show?: NoShow;
  /** The first night that was freed without a cancellation, a date; absent for none. */
  free_from?: string;
  /** When the guest's data was erased; absent while it can be read. */
  erased?: { readonly by: Actor; readonly at: number };
  /** Notes of the property, oldest first; absent for none. */
  notes?: BookingNote[];
  refund_ids: string[];
  receipts: Receipt[];
  /** Its changes, oldest first; `version` counts them. */
  history: Change[];
  rows: number[];
}

/** A note of the property; its text cannot be read after an erasure. */
export interface BookingNote {
  readonly note_id: string;
  readonly by: Actor;
  readonly at: number;
  readonly encrypted: EncryptedFields;
}

/** A change of a booking; `row` is absent in records of version 0.3.0. */
interface Change {
  readonly version: number;
  readonly at: number;
  readonly type: string;
  readonly row?: number;
}

interface EarlierQuote {
  /** The row that replaced it. */
  readonly until_row: number;
  readonly quote: FrozenQuote;
}

/** Price and terms of a booking after a row: what an event of that row is about. */
export function quoteAt({ quote, earlier = [] }: Booking, row: number): FrozenQuote {
  return earlier.find(({ until_row }) => row < until_row)?.quote ?? quote;
}

export interface Cancellation {
  readonly cancelled_at: number;
  readonly fee: number;
  readonly refund: number;
  /** What was refunded before; absent for nothing. */
  readonly refunded_before?: number;
  /** Why no refund was requested although the terms promise one; absent if it was. */
  readonly withheld?: "dispute";
  readonly tier_index: number;
  readonly refund_id: string | null;
  readonly reason_code: string | null;
  /** The note, under the booking's data key; null for none. */
  readonly encrypted: EncryptedFields | null;
  /** The part of the fee that the property waived; only for a cancellation by the property. */
  readonly waived_fee?: number;
}

export interface NoShow {
  readonly at: number;
  readonly fee: number;
  readonly refund: number;
  readonly refunded_before?: number;
  readonly withheld?: "dispute";
  readonly refund_id: string | null;
}

/**
 * The nights on which a booking counts in `sold`, as day numbers: the whole stay, less what a
 * cancellation, a no-show or an early departure freed.
 */
export function soldNights({ state, quote, free_from }: Booking): {
  readonly from: number;
  readonly end: number;
} {
  const from = dayOf(quote.stay.check_in);
  if (state === "cancelled") return { from, end: from };
  return { from, end: dayOf(free_from ?? quote.stay.check_out) };
}

export interface Refund extends Owned {
  readonly refund_id: string;
  readonly payment_id: string;
  readonly booking_id: string | null;
  readonly property_id: string;
  state: RefundState;
  readonly amount: number;
  readonly currency: string;
  readonly reason: RefundReason;
  /** Moved when the clock is corrected, so that its age stays right. */
  created_at: number;
  updated_at: number;
  /** Kept when a refund fails after its success: then it no longer proves anything. */
  receipt: Receipt | null;
  /** The provider's reason for `failed`. */
  provider_code: string | null;
  /** The operator's note, under the booking's data key; absent for none. */
  readonly encrypted?: EncryptedFields;
  /** The failed refund that this one repeats. */
  readonly retry_of?: string;
  /** The refund that repeats this failed one; set once. */
  retried_by?: string;
  /** How and when the property gave the money back itself, after the provider had failed to. */
  elsewhere?: {
    readonly method: OtherMethod;
    readonly at: number;
    readonly encrypted: EncryptedFields | null;
  };
}

/** What the fold reads from the projections. */
export interface RecordReader {
  booking(bookingId: string): Booking | null;
  payment(paymentId: string): Payment | null;
  refund(refundId: string): Refund | null;
  authorization(authorizationId: string): Authorization | null;
  incident(incidentId: string): OversellIncident | null;
}

/** Takes what leaves memory or never enters it. */
export interface RecordSink extends RecordReader {
  putHold(hold: Hold): void;
  putBooking(booking: Booking): void;
  putPayment(payment: Payment): void;
  putRefund(refund: Refund): void;
  putAuthorization(authorization: Authorization): void;
  putIncident(incident: OversellIncident): void;
  /** Deletes the data key of a booking; nothing but a restored back-up brings it back. */
  eraseSubjectKey(bookingId: string): void;
}

/** What decisions read: the projections with this group's own changes. */
export interface Records extends RecordReader {
  hold(holdId: string): Hold | null;
  /** The outcome last stored under an idempotency key, or null. */
  outcomeOf(key: string): Outcome | null;
  isCodeTaken(tenantId: string, code: string): boolean;
  /** Ids of the refunds in state `pending`. */
  pendingRefunds(): readonly string[];
  /** The agent's authorizations that are pending or approved and expire after `atMs`. */
  liveAuthorizations(of: Owned & { readonly atMs: number }): readonly Authorization[];
  /** Ids of all of these, of every agent; of one realm if given. */
  liveAuthorizationIds(atMs: number, realm?: Realm): readonly string[];
  /** Bookings of a room type that count in `sold`; see `soldNights`. */
  soldBookings(roomTypeId: string): readonly Booking[];
}
