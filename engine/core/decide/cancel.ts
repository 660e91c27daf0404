/**
 * Cancellation: the fee is a look-up in the table frozen with the quote; units go back and the
 * refund is requested in the same row. When money goes back the key waits a little for the
 * provider, so that the answer can say `succeeded`; `sealCancellation` ends that wait.
 */
import { assert } from "../assert.ts";
import { instantIso } from "../calendar.ts";
import type { CancelBooking, RecordRefundResult } from "../commands.ts";
import { consentProblem, holdClaimProblem } from "../consent.ts";
import { deriveId } from "../ids.ts";
import type { SuccessOf } from "../outcomes.ts";
import { feeAt } from "../policy.ts";
import { recorded } from "../record-damage.ts";
import type { Booking, Refund, RefundState } from "../records.ts";
import type { AwaitedRefund } from "../state.ts";
import { seenBy } from "../visibility.ts";
import { type Context, type Decision, EventList, reject, success } from "./context.ts";
import { assertRefundable } from "./relied-on.ts";

/** Decides `POST /v1/bookings/{id}/cancel`. */
export function cancelBooking(command: CancelBooking, ctx: Context): Decision {
  const { booking_id, consent } = command;
  const uncovered = consentProblem(consent, { agent_id: command.actor.id });
  if (uncovered) return reject(command, uncovered);
  const unknown = { code: "booking_not_found", detail: { booking_id } } as const;
  const known = ctx.records.booking(booking_id);
  const booking = seenBy(command, known, ({ property_id }) => property_id, unknown);
  if ("code" in booking) return reject(command, booking);
  if (booking.traveler.hash !== command.traveler.hash) {
    const detail = { reason: "traveler_mismatch", booking_id: booking.booking_id };
    return reject(command, { code: "resource_access_denied", detail });
  }
  const ofOther = holdClaimProblem(consent, booking.hold_id);
  if (ofOther) return reject(command, ofOther);
  if (booking.state !== "confirmed") {
    return reject(command, {
      code: "booking_not_cancellable",
      detail: {
        booking_id: booking.booking_id,
        state: booking.state,
        cancelled_at: booking.cancellation && instantIso(booking.cancellation.cancelled_at),
        refund_id: booking.cancellation?.refund_id ?? null,
      },
    });
  }
  return cancelled(command, booking, ctx);
}

function cancelled(command: CancelBooking, booking: Booking, ctx: Context): Decision {
  const { quote } = booking;
  const { fee, tier_index } = feeAt(quote.fees, ctx.stamp);
  const refund = quote.due_now - fee;
  assert(fee >= 0 && refund >= 0 && fee + refund === quote.due_now, "fee + refund = due now");
  assert((booking.payment_id === null) === (quote.due_now === 0), "what was due was paid");
  assert(booking.property_id === quote.property_id, "a booking is of its quote's property");
  const isRefunded = refund > 0 && booking.payment_id !== null;
  const refundId = isRefunded ? deriveId("rfd", ctx.stamp, command.random, 3) : null;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const receipt = ctx.sign("booking_cancelled", ctx.stamp, {
    booking_id: booking.booking_id,
    confirmation_code: booking.confirmation_code,
    fee,
    refund,
    currency: quote.currency,
    policy_hash: quote.policy_hash,
  });
  events.add({
    type: "booking.cancelled",
    data: {
      booking_id: booking.booking_id,
      property_id: booking.property_id,
      room_type_id: quote.room_type_id,
      rate_plan_id: quote.rate_plan_id,
      stay: quote.stay,
      agent_id: booking.agent_id,
      fee,
      refund,
      currency: quote.currency,
      tier_index,
      refund_id: refundId,
      reason_code: command.reason_code ?? null,
      jti: command.consent.jti ?? null,
      receipt,
    },
    ...(command.encrypted ? { secret: { encrypted: command.encrypted } } : {}),
  });
  const isWaiting = addRefund(command, booking, { refundId, amount: refund }, ctx, events);
  const made = success(command, "cancellation", {
    booking_id: booking.booking_id,
    state: "cancelled",
    cancelled_at: instantIso(ctx.stamp),
    fee: { amount: fee, currency: quote.currency },
    refund: refundId === null ? null : { refund_id: refundId, amount: refund, state: "pending" },
    policy: { hash: quote.policy_hash, tier_index },
  });
  const phase = isWaiting ? "running" : "sealed";
  return { events: events.list, outcome: { ...made, receipt }, phase };
}

/** Requests what goes back; false when nothing does. */
function addRefund(
  command: CancelBooking,
  { payment_id, booking_id, property_id, quote }: Booking,
  refund: { readonly refundId: string | null; readonly amount: number },
  ctx: Context,
  events: EventList,
): boolean {
  const { refundId: refund_id, amount } = refund;
  if (refund_id === null || payment_id === null) return false;
  const payment = recorded(ctx.records.payment(payment_id), "payment", payment_id);
  assertRefundable(payment, amount);
  assert(payment.property_id === property_id, "a booking and its payment are of one property");
  const { key, body_hash, docs } = command;
  events.add({
    type: "refund.requested",
    data: {
      ...{ refund_id, payment_id, booking_id, property_id, amount },
      currency: quote.currency,
      reason: "cancellation",
    },
    ...(key && body_hash ? { secret: { key, body_hash, docs } } : {}),
  });
  return true;
}

/** The provisional answer that is stored under a waiting key, with the refund's state filled in. */
function answered(
  awaited: AwaitedRefund,
  end: Pick<RecordRefundResult, "provider_code"> & { readonly state: RefundState },
  ctx: Context,
): SuccessOf<"cancellation"> {
  const stored = ctx.records.outcomeOf(awaited.key.key);
  assert(stored?.ok === true, "a cancellation that waits for its refund has an answer");
  assert(stored.kind === "cancellation", "what waits for a refund is a cancellation");
  const { refund } = stored.data;
  assert(refund?.refund_id === awaited.refund_id, "the answer names the refund it waits for");
  return { ...stored, data: { ...stored.data, refund: { ...refund, ...end } } };
}

/** Ends the wait of a cancellation's key without a verdict: the refund stays `pending` in it. */
export function sealCancellation(awaited: AwaitedRefund, ctx: Context): Decision {
  const outcome = answered(awaited, { state: "pending" }, ctx);
  return { events: [], outcome, phase: "sealed", key: awaited.key };
}

/** Records a refund's end; answers the cancellation that waits for it, if one does. */
export function recordRefundResult(command: RecordRefundResult, ctx: Context): Decision {
  const { refund_id } = command;
  const refund = recorded(ctx.records.refund(refund_id), "refund", refund_id);
  if (refund.state !== "pending") {
    const outcome = success(command, "internal", { refund_id, changed: false });
    return { events: [], outcome, phase: "transient" };
  }
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  addResult(command, refund, ctx, events);
  const awaited = ctx.state.awaitingRefund.get(refund_id);
  if (!awaited) {
    const outcome = success(command, "internal", { refund_id, changed: true });
    return { events: events.list, outcome, phase: "transient" };
  }
  const { result: state, provider_code } = command;
  const end = { state, ...(state === "failed" && provider_code ? { provider_code } : {}) };
  const outcome = answered(awaited, end, ctx);
  return { events: events.list, outcome, phase: "sealed", key: awaited.key };
}

function addResult(
  command: RecordRefundResult,
  { refund_id, payment_id, booking_id, amount, currency }: Refund,
  ctx: Context,
  events: EventList,
): void {
  const ids = { refund_id, payment_id, booking_id };
  if (command.result === "failed") {
    const provider_code = command.provider_code ?? null;
    events.add({ type: "refund.failed", data: { ...ids, provider_code } });
    return;
  }
  assertRefundable(recorded(ctx.records.payment(payment_id), "payment", payment_id), amount);
  const receipt = ctx.sign("refund_issued", ctx.stamp, {
    ...{ refund_id, payment_id },
    ...(booking_id ? { booking_id } : {}),
    ...{ amount, currency },
  });
  events.add({ type: "refund.succeeded", data: { ...ids, amount, receipt } });
}
