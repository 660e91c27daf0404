/**
 * Folds payments and refunds. Open payments are in memory, where the engine needs them, and in the
 * projections, where the worker finds due work by state.
 */
import { assert } from "../assert.ts";
import type {
  PaymentCaptured,
  PaymentFailed,
  PaymentOutcomeUnknown,
  PaymentPending,
  PaymentUnknown,
  RefundFailed,
  RefundRequested,
  RefundSucceeded,
  Row,
} from "../events/event.ts";
import type { Hold, Payment, RecordSink } from "../records.ts";
import type { AwaitedRefund, State } from "../state/state.ts";

/** Adds the row to the hold's rows. */
function touchHold(hold: Hold, row: Row): void {
  if (hold.rows.at(-1) !== row.row) hold.rows.push(row.row);
}

/** The hold becomes `confirming`: its time stops until the payment has a verdict. */
export function paymentPending(
  state: State,
  event: PaymentPending,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data, secret } = event;
  const hold = state.holds.get(data.hold_id)!;
  hold.state = "confirming";
  hold.payment_id = data.payment_id;
  touchHold(hold, row);
  const payment: Payment = {
    payment_id: data.payment_id,
    hold_id: hold.hold_id,
    booking_id: data.booking_id,
    property_id: hold.quote.property_id,
    tenant_id: hold.tenant_id,
    mode: hold.mode,
    agent_id: hold.agent_id,
    state: "pending",
    amount: data.amount,
    currency: data.currency,
    attempt: data.attempt,
    provider_ref: null,
    provider_code: null,
    refunded: 0,
    created_at: row.stamp,
    updated_at: row.stamp,
    key: secret.key,
    body_hash: secret.body_hash,
    trace_id: row.trace_id,
    docs: secret.docs,
    actor: row.actor,
    method: data.method,
    confirmation_code: secret.confirmation_code,
    traveler: secret.traveler,
    encrypted: secret.encrypted,
  };
  indexPayment(state, payment);
  state.runningKeys.set(payment.key, payment.payment_id);
  sink?.putPayment(payment);
}

/** Confirmation codes are unique per tenant. */
export function codeOf(of: Pick<Payment, "tenant_id" | "confirmation_code">): string {
  return `${of.tenant_id}:${of.confirmation_code}`;
}

/** Adds a payment without a verdict to memory; also used when a snapshot is loaded. */
export function indexPayment(state: State, payment: Payment): void {
  state.payments.set(payment.payment_id, payment);
  state.openCodes.add(codeOf(payment));
}

/** Makes a key wait for a refund; also used when a snapshot is loaded. */
export function indexAwaited(state: State, awaited: AwaitedRefund): void {
  state.awaitingRefund.set(awaited.refund_id, awaited);
  state.refundsByKey.set(awaited.key.key, awaited.refund_id);
}

function settle(state: State, payment: Payment): void {
  state.payments.delete(payment.payment_id);
  state.openCodes.delete(codeOf(payment));
  if (state.runningKeys.get(payment.key) === payment.payment_id) {
    state.runningKeys.delete(payment.key);
  }
}

/** The confirmation or the refund follows in the same row. */
export function paymentCaptured(
  state: State,
  event: PaymentCaptured,
  row: Row,
  sink: RecordSink | null,
): void {
  const payment = state.payments.get(event.data.payment_id)!;
  payment.state = "captured";
  payment.updated_at = row.stamp;
  settle(state, payment);
  sink?.putPayment(payment);
}

/** A definitive refusal: the hold is held again, or expires by the next event. */
export function paymentFailed(
  state: State,
  event: PaymentFailed,
  row: Row,
  sink: RecordSink | null,
): void {
  const payment = state.payments.get(event.data.payment_id)!;
  payment.state = "failed";
  payment.provider_code = event.data.provider_code;
  payment.updated_at = row.stamp;
  settle(state, payment);
  sink?.putPayment(payment);
  const hold = state.holds.get(event.data.hold_id);
  if (!hold || hold.payment_id !== payment.payment_id) return;
  touchHold(hold, row);
  if (event.data.hold_state === "expired") return;
  hold.state = "held";
  state.holds.noteExpiry(hold);
}

/** No verdict yet. After 24 h the key stops waiting; the payment does not. */
export function paymentUnknown(
  state: State,
  event: PaymentUnknown | PaymentOutcomeUnknown,
  row: Row,
  sink: RecordSink | null,
): void {
  const payment = state.payments.get(event.data.payment_id)!;
  payment.state = "unknown";
  payment.updated_at = row.stamp;
  if (event.type === "payment.outcome_unknown") state.runningKeys.delete(payment.key);
  sink?.putPayment(payment);
  const hold = state.holds.get(event.data.hold_id);
  if (hold) touchHold(hold, row);
}

/** A refund becomes pending; the key of its cancellation may wait for it. */
export function refundRequested(
  state: State,
  event: RefundRequested,
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
export function refundSettled(
  event: RefundSucceeded | RefundFailed,
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
