/** Bookings and refunds on the wire, with personal data for their reader. */
import { refundableOf } from "../../../engine/core/bookings/refundable.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Booking, Payment, Refund } from "../../../engine/core/records.ts";
import type { Context } from "../../http/context.ts";
import { unfoldedIfKnown } from "../quotes/shown.ts";
import { noteOf, personalData } from "./personal-fields.ts";

/** A booking with its history, refunds and receipts. */
export function bookingDetail(context: Context, booking: Booking) {
  const { quote, booking_id, state } = booking;
  const fields = ["guest", "special_requests", "traveler_sub"] as const;
  const personal = personalData(context, booking, fields);
  return {
    booking_id,
    confirmation_code: booking.confirmation_code,
    state,
    hold_id: booking.hold_id,
    quote_id: quote.quote_id,
    property_id: booking.property_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    stay: quote.stay,
    guests: quote.guests,
    ...unfoldedIfKnown(context, quote),
    payment: paymentOut(context, booking),
    authorization: booking.authorization ?? null,
    traveler: { iss: booking.traveler.iss, sub: personal?.traveler_sub ?? null },
    created_at: instantIso(booking.created_at),
    version: booking.version,
    guest: personal?.guest ? JSON.parse(personal.guest) : null,
    special_requests: personal?.special_requests ?? null,
    history: booking.history.map(({ version, at, type }) => ({
      version,
      at: instantIso(at),
      type,
    })),
    refunds: refundsOf(context, booking).map(refundOut),
    cancellation: cancellationOut(context, booking),
    no_show: noShowOut(booking),
    receipts: booking.receipts,
  };
}

function paymentOut(context: Context, booking: Booking) {
  const payment = booking.payment_id && context.replica.records.payment(booking.payment_id);
  if (!payment) return null;
  const { payment_id, amount, currency, refunded } = payment;
  return { payment_id, state: paymentState(payment), amount, currency, refunded };
}

/** State of a payment; `disputed` while the bank decides and when it decided for the guest. */
export function paymentState({ state, dispute }: Payment) {
  return dispute === undefined || dispute.state === "won" ? state : "disputed";
}

/** A booking with what of its payment can still be refunded, for its next actions. */
export function withRemaining({ replica }: Context, booking: Booking) {
  const { payment_id, refund_ids } = booking;
  const payment = payment_id === null ? null : replica.records.payment(payment_id);
  if (refund_ids.length === 0 && !payment?.dispute) return booking;
  const money = refundableOf(booking, replica.records);
  return money === null ? booking : { ...booking, remaining: money.remaining };
}

/** The refunds of a booking, oldest first. */
export function refundsOf(context: Context, booking: Booking): Refund[] {
  const found = booking.refund_ids.map((id) => context.replica.records.refund(id));
  return found.filter((refund) => refund !== null);
}

/** A refund. */
export function refundOut(refund: Refund) {
  const { refund_id, booking_id, payment_id, amount, currency, state, reason } = refund;
  const created_at = instantIso(refund.created_at);
  const about = { refund_id, booking_id, payment_id, amount, currency, state, reason, created_at };
  const { retry_of, retried_by, elsewhere, receipt } = refund;
  return {
    ...about,
    ...failureOf(refund),
    ...(retry_of !== undefined && { retry_of }),
    ...(retried_by !== undefined && { retried_by }),
    ...(elsewhere && { method: elsewhere.method }),
    ...(state === "failed" && receipt && { receipt_void: true }),
  };
}

function cancellationOut(context: Context, booking: Booking) {
  const { cancellation, quote } = booking;
  if (!cancellation) return null;
  const { currency } = quote;
  return {
    cancelled_at: instantIso(cancellation.cancelled_at),
    fee: { amount: cancellation.fee, currency },
    refund: { amount: cancellation.refund, currency, refund_id: cancellation.refund_id },
    ...beforeOf(cancellation, currency),
    ...withheldOf(cancellation),
    tier_index: cancellation.tier_index,
    reason_code: cancellation.reason_code,
    note: noteOf(context, booking),
    ...(cancellation.waived_fee === undefined
      ? {}
      : { waived_fee: { amount: cancellation.waived_fee, currency } }),
  };
}

function noShowOut({ no_show, quote }: Booking) {
  if (!no_show) return null;
  const { currency } = quote;
  return {
    no_show_at: instantIso(no_show.at),
    fee: { amount: no_show.fee, currency },
    refund: { amount: no_show.refund, currency, refund_id: no_show.refund_id },
    ...beforeOf(no_show, currency),
    ...withheldOf(no_show),
  };
}

function beforeOf({ refunded_before: amount }: { refunded_before?: number }, currency: string) {
  return amount === undefined ? {} : { refunded_before: { amount, currency } };
}

function withheldOf({ withheld }: { withheld?: "dispute" }) {
  return withheld === undefined ? {} : { withheld };
}

/** Texts of provider codes; unknown codes are shown unchanged. */
const REASONS: Readonly<Record<string, string>> = {
  refund_declined: "The payment provider declined the refund.",
  amount_exceeds_remaining: "The refund exceeds the refundable amount of the payment.",
  charge_disputed: "The payment is disputed at the bank, which decides about the money.",
  expired_or_canceled_card: "The card that was charged has expired or was cancelled.",
  lost_or_stolen_card: "The card that was charged was reported lost or stolen.",
};

/** Provider codes of a card that can take no money any more: a repeated refund fails too. */
const PERMANENT: readonly unknown[] = ["expired_or_canceled_card", "lost_or_stolen_card"];

/** Whether no repeat of a refund that failed with this code can succeed. */
export function isPermanent(code: string | null | undefined): boolean {
  return PERMANENT.includes(code);
}

/** For the traveler's agent; the property itself can repeat the refund or settle it elsewhere. */
const NEXT_STEP =
  "The refund is not repeated by itself. The property repeats it or pays the amount back another " +
  "way; contact it with refund_id and confirmation_code.";

/** `failure_reason` and `next_step` of a refund's answers; both null unless it has failed. */
export function failureOf(refund: {
  readonly state: string;
  readonly provider_code?: string | null;
}) {
  if (refund.state !== "failed") return { failure_reason: null, next_step: null };
  const { provider_code: code } = refund;
  const unknown = code
    ? `The payment provider declined the refund (${code}).`
    : "The payment provider declined the refund without a reason.";
  const known = code && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return { failure_reason: known ?? unknown, next_step: NEXT_STEP };
}
