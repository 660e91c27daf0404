/**
 * Cancellation: the fee is looked up in the table frozen with the quote; units are freed and the
 * refund is requested in the same row. With a refund the key waits a little for the provider, so
 * that the answer can say `succeeded`; `sealCancellation` ends that wait.
 */
import { assert } from "../assert.ts";
import { instantIso } from "../calendar.ts";
import type { CancelAtDesk, CancelBooking, CommandMeta, RecordRefundResult } from "../commands.ts";
import { consentProblem, holdClaimProblem } from "../consent.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { assertRefundable } from "../holds/invariants.ts";
import { deriveId } from "../ids.ts";
import type { Rejection, SuccessOf } from "../outcomes.ts";
import { feeAt } from "../price/policy.ts";
import { recorded } from "../record-damage.ts";
import type { Booking, Refund, RefundReason, RefundState } from "../records.ts";
import type { AwaitedRefund } from "../state/state.ts";
import { seenBy } from "../visibility.ts";

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
  const { fee } = feeAt(booking.quote.fees, ctx.stamp);
  return cancelled(command, booking, { fee, reason_code, jti: consent.jti ?? null }, ctx);
}

/**
 * Decides `POST /v1/admin/bookings/{id}/cancel`: by the property, without the traveler's consent,
 * and free of charge where the fee is waived.
 */
export function cancelAtDesk(command: CancelAtDesk, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  const asked = feeAt(booking.quote.fees, ctx.stamp).fee;
  const fee = command.waives_fee ? 0 : asked;
  const desk = { waived_fee: asked - fee };
  return cancelled(command, booking, { fee, reason_code: null, jti: null, desk }, ctx);
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
  command: CancelBooking | CancelAtDesk,
  booking: Booking,
  { fee, reason_code, jti, desk }: Cancelling,
  ctx: Context,
): Decision {
  if (booking.state !== "confirmed") return reject(command, notCancellable(booking));
  const { quote, booking_id, property_id, agent_id } = booking;
  const { room_type_id, rate_plan_id, stay, currency, policy_hash } = quote;
  const { tier_index } = feeAt(quote.fees, ctx.stamp);
  const { refund, refund_id } = refundAfter(fee, command, booking, ctx);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { confirmation_code } = booking;
  const subject = { booking_id, confirmation_code, fee, refund, currency, policy_hash };
  const receipt = ctx.sign("booking_cancelled", ctx.stamp, subject);
  events.add({
    type: "booking.cancelled",
    data: {
      ...{ booking_id, property_id, room_type_id, rate_plan_id, stay, agent_id },
      ...{ fee, refund, currency, tier_index, refund_id, reason_code, jti, receipt },
      ...(desk && { desk }),
    },
    ...(command.encrypted ? { secret: { encrypted: command.encrypted } } : {}),
  });
  const asked = { refund_id, amount: refund, reason: "cancellation" } as const;
  const isWaiting = addRefund(command, booking, asked, ctx, events);
  const made = success(command, "cancellation", {
    booking_id,
    state: "cancelled",
    cancelled_at: instantIso(ctx.stamp),
    fee: { amount: fee, currency },
    refund: pendingRefund(refund_id, refund),
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

/** The refund when `fee` is kept, with its id; null for none. */
export function refundAfter(
  fee: number,
  command: Pick<CommandMeta, "random">,
  { quote, payment_id, property_id }: Booking,
  ctx: Context,
): { readonly refund: number; readonly refund_id: string | null } {
  const refund = quote.due_now - fee;
  assert(fee >= 0 && refund >= 0 && fee + refund === quote.due_now, "fee + refund = due now");
  assert((payment_id === null) === (quote.due_now === 0), "what was due was paid");
  assert(property_id === quote.property_id, "a booking is of its quote's property");
  const isRefunded = refund > 0 && payment_id !== null;
  return { refund, refund_id: isRefunded ? deriveId("rfd", ctx.stamp, command.random, 3) : null };
}

/** A refund as the cancelling call returns it; null for none. */
export function pendingRefund(refund_id: string | null, amount: number) {
  return refund_id === null ? null : { refund_id, amount, state: "pending" as const };
}

/** Requests the refund, if any; returns whether there is one. */
export function addRefund(
  command: CommandMeta,
  { payment_id, booking_id, property_id, quote }: Booking,
  refund: {
    readonly refund_id: string | null;
    readonly amount: number;
    readonly reason: RefundReason;
  },
  ctx: Context,
  events: EventList,
): boolean {
  const { refund_id, amount, reason } = refund;
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
      reason,
    },
    ...(key && body_hash ? { secret: { key, body_hash, docs } } : {}),
  });
  return true;
}

/** The provisional answer of a waiting key, with the refund's state filled in. */
function answered(
  awaited: AwaitedRefund,
  end: Pick<RecordRefundResult, "provider_code"> & { readonly state: RefundState },
  ctx: Context,
): SuccessOf<"cancellation" | "no_show"> {
  const stored = ctx.records.outcomeOf(awaited.key.key);
  assert(stored?.ok === true, "a call that waits for its refund has an answer");
  const isOne = stored.kind === "cancellation" || stored.kind === "no_show";
  assert(isOne, "what waits for a refund is a cancellation or a no-show");
  const { refund } = stored.data;
  assert(refund?.refund_id === awaited.refund_id, "the answer names the refund it waits for");
  const settled = { ...refund, ...end };
  return stored.kind === "no_show"
    ? { ...stored, data: { ...stored.data, refund: settled } }
    : { ...stored, data: { ...stored.data, refund: settled } };
}

/** Ends the wait of a key without a verdict: its answer says `pending`. */
export function sealCancellation(awaited: AwaitedRefund, ctx: Context): Decision {
  const outcome = answered(awaited, { state: "pending" }, ctx);
  return { events: [], outcome, phase: "sealed", key: awaited.key };
}

/** Records the end of a refund and answers the waiting call, if any. */
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
