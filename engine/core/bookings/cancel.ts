/**
 * Cancellation: the fee is looked up in the table frozen with the quote; units are freed and the
 * refund is requested in the same row.
 */
import { instantIso } from "../calendar.ts";
import type { CancelAtDesk, CancelBooking, CancelByGuest, CommandMeta } from "../commands.ts";
import { consentProblem, holdClaimProblem } from "../consent.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { type EventOf, type Row, timeOf } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import type { Rejection } from "../outcomes.ts";
import { feeAt } from "../price/policy.ts";
import type { Booking, RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";
import { seenBy } from "../visibility.ts";
import { changeBooking, freeUnits } from "./changes.ts";
import { addRefund, afterEarlier, ofBooking, pendingRefund, refundAfter } from "./refunds.ts";

/** Decides `POST /v1/bookings/{id}/cancel`. */
export function cancelBooking(command: CancelBooking, ctx: Context): Decision {
  const { consent, reason_code = null } = command;
  const uncovered = consentProblem(consent, { agent_id: command.actor.id });
  if (uncovered) return reject(command, uncovered);
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  if (booking.traveler.hash !== command.traveler.hash) {
    const detail = { reason: "traveler_mismatch", booking_id: booking.booking_id };
    return reject(command, { code: "resource_access_denied", detail });
  }
  const ofOther = holdClaimProblem(consent, booking.hold_id);
  if (ofOther) return reject(command, ofOther);
  const { fee } = feeAt(booking.quote.fees, ctx.now);
  return cancelled(command, booking, { fee, reason_code, jti: consent.jti ?? null }, ctx);
}

/**
 * Decides `POST /v1/admin/bookings/{id}/cancel`: by the property, without the traveler's consent,
 * and free of charge where the fee is waived.
 */
export function cancelAtDesk(command: CancelAtDesk, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  const asked = feeAt(booking.quote.fees, ctx.now).fee;
  const fee = command.waives_fee ? 0 : asked;
  const desk = { waived_fee: asked - fee };
  return cancelled(command, booking, { fee, reason_code: null, jti: null, desk }, ctx);
}

/**
 * Decides `POST /v1/guest/booking/cancel`: by the guest, for the refund that the guest was shown. A
 * cut-off that has passed meanwhile changes it, and the guest is asked again.
 */
export function cancelByGuest(command: CancelByGuest, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  if (booking.state !== "confirmed") return reject(command, notCancellable(booking));
  const { fee } = feeAt(booking.quote.fees, ctx.now);
  const { refund } = refundAfter(fee, command, booking, ctx);
  if (refund !== command.expected_refund) {
    const { booking_id, quote } = booking;
    const { currency } = quote;
    const detail = { reason: "refund_changed", booking_id, refund, fee, currency };
    return reject(command, { code: "conflict", detail });
  }
  return cancelled(command, booking, { fee, reason_code: "guest", jti: null }, ctx);
}

/** The booking that a command names, or a refusal. */
export function bookingOf(
  command: CommandMeta & { readonly booking_id: string },
  ctx: Context,
): Booking | Rejection {
  const { booking_id } = command;
  const unknown = { code: "booking_not_found", detail: { booking_id } } as const;
  const known = ctx.records.booking(booking_id);
  return seenBy(command, known, ({ property_id }) => property_id, unknown);
}

interface Cancelling {
  readonly fee: number;
  readonly reason_code: string | null;
  readonly jti: string | null;
  readonly desk?: { readonly waived_fee: number };
}

function cancelled(
  command: CancelBooking | CancelAtDesk | CancelByGuest,
  booking: Booking,
  { fee, reason_code, jti, desk }: Cancelling,
  ctx: Context,
): Decision {
  if (booking.state !== "confirmed") return reject(command, notCancellable(booking));
  const { quote, booking_id, property_id, agent_id } = booking;
  const { room_type_id, rate_plan_id, stay, currency, policy_hash } = quote;
  const { tier_index } = feeAt(quote.fees, ctx.now);
  const back = refundAfter(fee, command, booking, ctx);
  const { refund, refund_id, refunded_before, withheld } = back;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { confirmation_code } = booking;
  const subject = { booking_id, confirmation_code, fee, refund, currency, policy_hash };
  const receipt = ctx.sign("booking_cancelled", ctx.now, subject);
  events.add({
    type: "booking.cancelled",
    data: {
      ...{ booking_id, property_id, room_type_id, rate_plan_id, stay, agent_id },
      ...{ fee, refund, currency, tier_index, refund_id, reason_code, jti, receipt },
      ...(refunded_before !== undefined && { refunded_before }),
      ...(withheld && { withheld }),
      ...(desk && { desk }),
    },
    ...("encrypted" in command && command.encrypted
      ? { secret: { encrypted: command.encrypted } }
      : {}),
  });
  const asked = { refund_id, amount: refund, reason: "cancellation" } as const;
  const isWaiting = addRefund(command, ofBooking(booking), asked, ctx, events);
  const made = success(command, "cancellation", {
    booking_id,
    state: "cancelled",
    cancelled_at: instantIso(ctx.now),
    fee: { amount: fee, currency },
    refund: pendingRefund(refund_id, refund),
    ...afterEarlier(back, booking),
    ...(withheld && { withheld }),
    policy: { hash: policy_hash, tier_index },
    ...(desk && { waived_fee: { amount: desk.waived_fee, currency } }),
  });
  const phase = isWaiting ? "running" : "sealed";
  return { events: events.list, outcome: { ...made, receipt }, phase };
}

function notCancellable({ booking_id, state, cancellation, no_show }: Booking): Rejection {
  const cancelled_at = cancellation && instantIso(cancellation.cancelled_at);
  const refund_id = (cancellation ?? no_show)?.refund_id ?? null;
  return {
    code: "booking_not_cancellable",
    detail: { booking_id, state, cancelled_at, refund_id },
  };
}

/** Frees all units of the stay. */
function bookingCancelled(
  state: State,
  event: EventOf<"booking.cancelled">,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data } = event;
  freeUnits(state, { ...data, free_from: data.stay.check_in }, row);
  const { fee, refund, refunded_before, withheld } = data;
  const { tier_index, refund_id, reason_code, desk } = data;
  changeBooking(event, "cancelled", row, sink, (booking) => {
    booking.cancellation = {
      cancelled_at: timeOf(row),
      ...{ fee, refund, tier_index, refund_id, reason_code },
      encrypted: event.secret?.encrypted ?? null,
      ...(desk && { waived_fee: desk.waived_fee }),
      ...(refunded_before !== undefined && { refunded_before }),
      ...(withheld && { withheld }),
    };
    booking.receipts.push(data.receipt);
  });
}

export const CANCELLATION_FOLDS = {
  "booking.cancelled": bookingCancelled,
} satisfies Partial<Folds>;
