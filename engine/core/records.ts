/**
 * The aggregates: what a hold, a payment, a booking and a refund are at rest. Open holds and open
 * payments live in memory; finished ones and all bookings and refunds are rows of the projections.
 * All instants are epoch milliseconds, all amounts minor units. At the end: the ports through which
 * the core reads and hands out what is not in memory.
 */
import { dayOf } from "./calendar.ts";
import type { Outcome, Receipt } from "./outcomes.ts";
import type { Actor, EncryptedFields, Traveler } from "./parties.ts";
import type { FrozenQuote } from "./quote.ts";
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
export type RefundState = "pending" | "succeeded" | "failed";
/** Why money goes back. */
export type RefundReason = "cancellation" | "no_show" | "late_capture";

export interface Hold extends Owned {
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  state: HoldState;
  readonly created_at: number;
  expires_at: number;
  extensions: number;
  /** When it left `held`/`confirming` for good. */
  ended_at: number | null;
  payment_id: string | null;
  booking_id: string | null;
  /** Journal rows that concern this hold and its booking, for the audit. */
  rows: number[];
}

/** Whether a hold's time is over, although its expiry may not be journaled yet. */
export function isDue({ state, expires_at }: Hold, atMs: number): boolean {
  return state === "held" && atMs >= expires_at;
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
  refunded: number;
  /** Restated when the clock is corrected: its age counts. */
  created_at: number;
  updated_at: number;
  /** The idempotency key that waits for this payment; its final outcome is stored under it. */
  readonly key: string;
  readonly body_hash: string;
  readonly trace_id: string;
  readonly docs: string;
  readonly actor: Actor;
  readonly method: string;
  readonly confirmation_code: string;
  readonly traveler: Traveler;
  readonly encrypted: EncryptedFields;
}

export interface Booking extends Owned {
  readonly booking_id: string;
  readonly confirmation_code: string;
  readonly hold_id: string;
  readonly quote: FrozenQuote;
  readonly property_id: string;
  state: BookingState;
  version: number;
  readonly created_at: number;
  readonly payment_id: string | null;
  readonly traveler: Traveler;
  readonly encrypted: EncryptedFields;
  /** The booking command's key, which `encrypted` is bound to. */
  readonly key: string;
  cancellation: Cancellation | null;
  /** Absent unless the guest never came. */
  no_show?: NoShow;
  /** The first night that went back without a cancellation, a date; absent when none did. */
  free_from?: string;
  refund_ids: string[];
  receipts: Receipt[];
  /** What happened to it, oldest first; `version` counts these. */
  history: { version: number; at: number; type: string }[];
  rows: number[];
}

export interface Cancellation {
  readonly cancelled_at: number;
  readonly fee: number;
  readonly refund: number;
  readonly tier_index: number;
  readonly refund_id: string | null;
  readonly reason_code: string | null;
  /** The note, under the booking's data key; null when there was none. */
  readonly encrypted: EncryptedFields | null;
  /** What of the fee the property has waived; absent unless it cancelled itself. */
  readonly waived_fee?: number;
}

export interface NoShow {
  readonly at: number;
  readonly fee: number;
  readonly refund: number;
  readonly refund_id: string | null;
}

/**
 * The nights of its stay on which a booking counts in `sold`, as day numbers: all of them unless it
 * was cancelled, or nights went back because the guest did not come, or went early.
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
  /** Restated when the clock is corrected: its age counts. */
  created_at: number;
  updated_at: number;
  receipt: Receipt | null;
  /** The provider's reason for `failed`. */
  provider_code: string | null;
}

/** What the fold reads back. */
export interface RecordReader {
  booking(bookingId: string): Booking | null;
  payment(paymentId: string): Payment | null;
  refund(refundId: string): Refund | null;
}

/** Where the fold hands out what leaves memory or never enters it. */
export interface RecordSink extends RecordReader {
  putHold(hold: Hold): void;
  putBooking(booking: Booking): void;
  putPayment(payment: Payment): void;
  putRefund(refund: Refund): void;
}

/** What decisions read: the projections as they are with this group's own changes. */
export interface Records extends RecordReader {
  hold(holdId: string): Hold | null;
  /** The outcome last stored under an idempotency key, or null. */
  outcomeOf(key: string): Outcome | null;
  isCodeTaken(tenantId: string, code: string): boolean;
  /** Ids of the refunds that wait for the provider. */
  pendingRefunds(): readonly string[];
  /** Bookings of a room type that count in `sold`; see `soldNights`. */
  soldBookings(roomTypeId: string): readonly Booking[];
}
