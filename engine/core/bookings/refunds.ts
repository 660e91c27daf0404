/**
 * Refunds: requested by a cancellation or a no-show in the same row, settled by the provider. The
 * key of the call waits a little for the provider, so that the answer can say `succeeded`;
 * `sealCancellation` ends that wait.
 */
import { assert } from "../assert.ts";
import type { CommandMeta, RecordRefundResult } from "../commands.ts";
import { type Context, type Decision, EventList, success } from "../decision.ts";
import type { EventOf, Row } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import { assertRefundable } from "../holds/invariants.ts";
import { deriveId } from "../ids.ts";
import type { SuccessOf } from "../outcomes.ts";
import { recorded } from "../record-damage.ts";
import type { Booking, RecordSink, Refund, RefundReason, RefundState } from "../records.ts";
import { indexAwaited } from "../state/open-payments.ts";
import type { AwaitedRefund, State } from "../state/state.ts";

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

/** A refund becomes pending; the key of its cancellation may wait for it. */
function refundRequested(
  state: State,
  event: EventOf<"refund.requested">,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data, secret } = event;
  if (secret) {
    const key = { key: secret.key, body_hash: secret.body_hash, agent_id: row.actor.id };
    const { tenant_id, mode, stamp: since } = row;
    const { refund_id } = data;
    indexAwaited(state, { refund_id, tenant_id, mode, key, since });
  }
  if (!sink) return;
  const payment = sink.payment(data.payment_id);
  assert(payment !== null, "a payment that is refunded is recorded");
  const { refund_id, payment_id, booking_id, property_id, amount, currency, reason } = data;
  const { tenant_id, mode, agent_id } = payment;
  sink.putRefund({
    ...{ refund_id, payment_id, booking_id, property_id, amount, currency, reason },
    ...{ tenant_id, mode, agent_id },
    state: "pending",
    created_at: row.stamp,
    updated_at: row.stamp,
    receipt: null,
    provider_code: null,
  });
  if (booking_id === null) return;
  const booking = sink.booking(booking_id);
  assert(booking !== null, "a booking with a refund is recorded");
  booking.refund_ids.push(refund_id);
  sink.putBooking(booking);
}

/** The provider's verdict on a refund. */
function refundSettled(
  _state: State,
  event: EventOf<"refund.succeeded" | "refund.failed">,
  row: Row,
  sink: RecordSink | null,
): void {
  if (!sink) return;
  const refund = sink.refund(event.data.refund_id);
  assert(refund !== null, "a refund with a verdict is recorded");
  refund.state = event.type === "refund.succeeded" ? "succeeded" : "failed";
  refund.updated_at = row.stamp;
  if (event.type === "refund.failed") refund.provider_code = event.data.provider_code;
  if (event.type === "refund.succeeded") {
    refund.receipt = event.data.receipt;
    const payment = sink.payment(refund.payment_id);
    assert(payment !== null, "a payment that is refunded is recorded");
    payment.refunded += refund.amount;
    payment.state = payment.refunded >= payment.amount ? "refunded" : "partially_refunded";
    payment.updated_at = row.stamp;
    sink.putPayment(payment);
  }
  sink.putRefund(refund);
  if (refund.booking_id === null) return;
  const booking = sink.booking(refund.booking_id);
  assert(booking !== null, "a booking with a refund is recorded");
  if (refund.receipt) booking.receipts.push(refund.receipt);
  booking.history.push({ version: booking.version, at: row.stamp, type: event.type });
  booking.rows.push(row.row);
  sink.putBooking(booking);
}

/** Refunds are in the projections alone; memory has the keys that wait for one. */
export const REFUND_FOLDS = {
  "refund.requested": refundRequested,
  "refund.succeeded": refundSettled,
  "refund.failed": refundSettled,
} satisfies Partial<Folds>;
