/**
 * Cancellation: the fee is a look-up in the table frozen with the quote; units go back and the
 * refund is requested in the same row. When money goes back the key waits a little for the
 * provider, so that the answer can say `succeeded`; `sealCancellation` ends that wait.
 */
import { instantIso } from "../calendar.ts";
import type { CancelBooking, CommandMeta, RecordRefundResult } from "../commands.ts";
import { deriveId } from "../ids.ts";
import { type Outcome, RENDER_VERSION } from "../outcomes.ts";
import { feeAt } from "../policy.ts";
import type { Booking, RefundState } from "../records.ts";
import type { Settling } from "../state.ts";
import { isHiddenFrom } from "../visibility.ts";
import { type Context, type Decision, EventList, reject, success } from "./context.ts";

/** Decides `POST /v1/bookings/{id}/cancel`. */
export function cancelBooking(command: CancelBooking, ctx: Context): Decision {
  const booking = ctx.records.booking(command.booking_id);
  if (!booking || isHiddenFrom(command, booking)) {
    const detail = { booking_id: command.booking_id };
    return reject(command, { code: "booking_not_found", detail });
  }
  if (booking.traveler.hash !== command.traveler.hash) {
    const detail = { reason: "traveler_mismatch", booking_id: booking.booking_id };
    return reject(command, { code: "resource_access_denied", detail });
  }
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
  const refundId =
    refund > 0 && booking.payment_id ? deriveId("rfd", ctx.stamp, command.random, 3) : null;
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
      jti: command.jti ?? null,
      receipt,
    },
    ...(command.sealed ? { secret: { sealed: command.sealed } } : {}),
  });
  const answer = (state: RefundState): Outcome => ({
    ok: true,
    render: RENDER_VERSION,
    kind: "cancellation",
    trace_id: command.trace_id,
    data: {
      booking_id: booking.booking_id,
      state: "cancelled",
      cancelled_at: instantIso(ctx.stamp),
      fee: { amount: fee, currency: quote.currency },
      refund: refundId && { refund_id: refundId, amount: refund, state },
      policy: { hash: quote.policy_hash, tier_index },
    },
    receipt,
  });
  if (refundId === null || booking.payment_id === null) {
    return { events: events.list, outcome: answer("succeeded"), phase: "sealed" };
  }
  const { key, body_hash } = command;
  events.add({
    type: "refund.requested",
    data: {
      refund_id: refundId,
      payment_id: booking.payment_id,
      booking_id: booking.booking_id,
      property_id: booking.property_id,
      amount: refund,
      currency: quote.currency,
      reason: "cancellation",
    },
    ...(key && body_hash ? { secret: { key, body_hash, docs: command.docs } } : {}),
  });
  return { events: events.list, outcome: answer("pending"), phase: "running" };
}

/** The stored provisional answer with the refund's state filled in. */
function withRefundState(outcome: Outcome, state: RefundState): Outcome {
  if (!outcome.ok) throw new Error("a settling cancellation was not a success");
  const refund = outcome.data.refund as { refund_id: string; amount: number };
  return { ...outcome, data: { ...outcome.data, refund: { ...refund, state } } };
}

/** Ends the wait of a cancellation's key without a verdict: the refund stays `pending` in it. */
export function sealCancellation(settling: Settling, provisional: Outcome): Decision {
  return {
    events: [],
    outcome: withRefundState(provisional, "pending"),
    phase: "sealed",
    key: settling.key,
  };
}

/** Records a refund's end; answers the cancellation that waits for it, if one does. */
export function recordRefundResult(command: RecordRefundResult, ctx: Context): Decision {
  const refund = ctx.records.refund(command.refund_id);
  const done = (isChanged: boolean, events: EventList): Decision => ({
    events: events.list,
    outcome: success(command as CommandMeta, "internal", {
      refund_id: command.refund_id,
      changed: isChanged,
    }),
    phase: "transient",
  });
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  if (refund?.state !== "pending") return done(false, events);
  const { refund_id, payment_id, booking_id, amount, currency } = refund;
  if (command.result === "succeeded") {
    const receipt = ctx.sign("refund_issued", ctx.stamp, {
      refund_id,
      payment_id,
      ...(booking_id ? { booking_id } : {}),
      amount,
      currency,
    });
    events.add({
      type: "refund.succeeded",
      data: { refund_id, payment_id, booking_id, amount, receipt },
    });
  } else {
    const provider_code = command.provider_code ?? null;
    events.add({
      type: "refund.failed",
      data: { refund_id, payment_id, booking_id, provider_code },
    });
  }
  const settling = ctx.state.settling.get(refund_id);
  const provisional = settling && ctx.records.outcomeOf(settling.key.key);
  if (!settling || !provisional) return done(true, events);
  return {
    events: events.list,
    outcome: withRefundState(provisional, command.result),
    phase: "sealed",
    key: settling.key,
  };
}
