/**
 * Refunds by the property: of an amount or of all that remains, repeated after a failure, or given
 * back without the provider. The single writer reserves each amount, so refunds that are requested
 * at the same time never exceed what was captured.
 */

import { assert } from "../assert.ts";
import { instantIso } from "../calendar.ts";
import type { RefundPayment, RetryRefund, SettleRefundElsewhere } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { Rejection } from "../outcomes.ts";
import { recorded } from "../record-damage.ts";
import type { Refund } from "../records.ts";
import { isOfRealm } from "../visibility.ts";
import { bookingOf } from "./cancel.ts";
import { type Refundable, refundableOf } from "./refundable.ts";
import { addRefund, ofBooking, refundId, refundReceipt } from "./refunds.ts";

/** A booking's record and its receipts grow with each. */
const REFUNDS_MAX = 100;

/** Decides `POST /v1/admin/bookings/{id}/refunds`; the booking may be in any state. */
export function refundPayment(command: RefundPayment, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  const { booking_id, payment_id } = booking;
  const money = refundableOf(booking, ctx.records);
  if (money === null || payment_id === null) {
    return reject(command, { code: "no_capturable_payment", detail: { booking_id } });
  }
  const amount = command.amount ?? money.remaining;
  const problem = amountProblem({ booking_id }, money, amount) ?? countProblem(booking);
  if (problem) return reject(command, problem);
  const of = { ...ofBooking(booking), payment_id };
  return requested(command, of, { amount, reason: command.reason }, money, ctx);
}

/** Decides `POST /v1/admin/refunds/{id}/retry`: a new refund of the same amount, once. */
export function retryRefund(command: RetryRefund, ctx: Context): Decision {
  const failed = failedRefund(command, ctx);
  if ("code" in failed) return reject(command, failed);
  const { amount, reason, refund_id: retry_of } = failed;
  const money = moneyOf(failed, ctx);
  const problem = amountProblem(idsOf(failed), money, amount) ?? retryProblem(failed, ctx);
  if (problem) return reject(command, problem);
  return requested(command, failed, { amount, reason, retry_of }, money, ctx);
}

/**
 * Decides `POST /v1/admin/refunds/{id}/settle-elsewhere`: the amount counts as refunded, with a
 * receipt that names the method.
 */
export function settleRefundElsewhere(command: SettleRefundElsewhere, ctx: Context): Decision {
  const failed = failedRefund(command, ctx);
  if ("code" in failed) return reject(command, failed);
  const money = moneyOf(failed, ctx);
  const { refund_id, payment_id, booking_id, amount, currency, reason, retry_of } = failed;
  const problem = amountProblem(idsOf(failed), money, amount);
  if (problem) return reject(command, problem);
  const { method, encrypted } = command;
  const receipt = refundReceipt(failed, ctx, { method });
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  events.add({
    type: "refund.settled_elsewhere",
    data: { refund_id, payment_id, booking_id, amount, method, receipt },
    ...(encrypted && { secret: { encrypted } }),
  });
  const outcome = success(command, "refund", {
    ...{ refund_id, booking_id, payment_id, amount, currency },
    ...{ state: "succeeded", reason, created_at: instantIso(failed.created_at) },
    remaining: money.remaining - amount,
    ...(retry_of !== undefined && { retry_of }),
    method,
  });
  return { events: events.list, outcome: { ...outcome, receipt }, phase: "sealed" };
}

/** The refund of a command, while it is failed and not repeated; the api has checked access. */
function failedRefund(
  command: RetryRefund | SettleRefundElsewhere,
  ctx: Context,
): Refund | Rejection {
  const { refund_id } = command;
  const refund = recorded(ctx.records.refund(refund_id), "refund", refund_id);
  assert(
    isOfRealm(refund, command),
    "the api has found the refund in the caller's tenant and mode",
  );
  const { state, retried_by } = refund;
  if (retried_by) {
    return { code: "conflict", detail: { reason: "refund_retried", refund_id: retried_by } };
  }
  if (state === "failed") return refund;
  const detail = { reason: "refund_state", refund_id, state, needed: "failed" };
  return { code: "conflict", detail };
}

/** The figures of a refund's payment. */
function moneyOf({ booking_id, payment_id }: Refund, ctx: Context): Refundable {
  // A capture that came too late for a booking has one refund, and repeats of it after failures.
  const none = { payment_id, refund_ids: [] };
  const of = booking_id ? recorded(ctx.records.booking(booking_id), "booking", booking_id) : none;
  const money = refundableOf(of, ctx.records);
  assert(money !== null, "what is refunded was captured");
  return money;
}

function idsOf({ refund_id, booking_id }: Refund) {
  return booking_id ? { refund_id, booking_id } : { refund_id };
}

function amountProblem(
  ids: { readonly booking_id?: string; readonly refund_id?: string },
  { remaining, ...figures }: Refundable,
  requested: number,
): Rejection | null {
  if (remaining === 0) {
    const state = figures.disputed ? "disputed" : "refunded";
    return { code: "payment_not_refundable", detail: { ...ids, state, ...figures } };
  }
  if (requested <= remaining) return null;
  const detail = { ...ids, requested, remaining, ...figures };
  return { code: "refund_exceeds_remaining", detail };
}

function countProblem(booking: {
  readonly booking_id: string;
  readonly refund_ids: readonly string[];
}): Rejection | null {
  const { booking_id, refund_ids } = booking;
  if (refund_ids.length < REFUNDS_MAX) return null;
  return { code: "conflict", detail: { reason: "refund_limit", booking_id, limit: REFUNDS_MAX } };
}

/** Repeats count too; a refund without a booking is listed nowhere else. */
function retryProblem({ booking_id }: Refund, ctx: Context): Rejection | null {
  const booking = booking_id === null ? null : ctx.records.booking(booking_id);
  return booking && countProblem(booking);
}

function requested(
  command: RefundPayment | RetryRefund,
  of: Pick<Refund, "payment_id" | "booking_id" | "property_id" | "currency">,
  asked: Pick<Refund, "amount" | "reason" | "retry_of">,
  { remaining }: Refundable,
  ctx: Context,
): Decision {
  const { payment_id, booking_id, currency } = of;
  const refund_id = refundId(command, ctx);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const isWaiting = addRefund(command, of, { refund_id, ...asked }, ctx, events);
  const outcome = success(command, "refund", {
    ...{ refund_id, booking_id, payment_id, amount: asked.amount, currency },
    ...{ state: "pending", reason: asked.reason, created_at: instantIso(ctx.now) },
    remaining: remaining - asked.amount,
    ...(asked.retry_of !== undefined && { retry_of: asked.retry_of }),
  });
  return { events: events.list, outcome, phase: isWaiting ? "running" : "sealed" };
}
