/** How refunds change records: the refund itself, the payment's figures, the booking's history. */
import { assert } from "../assert.ts";
import { type EventOf, type Row, timeOf } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import type { Payment, PaymentState, RecordSink, Refund } from "../records.ts";
import type { RefundState } from "../refund-words.ts";
import { indexAwaited } from "../state/open-payments.ts";
import type { State } from "../state/state.ts";

/** A refund becomes pending; the key of its call may wait for it. */
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
  const { retry_of } = data;
  sink.putRefund({
    ...{ refund_id, payment_id, booking_id, property_id, amount, currency, reason },
    ...{ tenant_id, mode, agent_id },
    state: "pending",
    created_at: row.stamp,
    updated_at: row.stamp,
    receipt: null,
    provider_code: null,
    ...(secret?.encrypted && { encrypted: secret.encrypted }),
    ...(retry_of !== undefined && { retry_of }),
  });
  if (retry_of !== undefined) markRetried(retry_of, refund_id, row, sink);
  if (booking_id === null) return;
  const booking = sink.booking(booking_id);
  assert(booking !== null, "a booking with a refund is recorded");
  booking.refund_ids.push(refund_id);
  // A cancellation has added its row already; a refund of the property is a row of its own.
  if (booking.rows.at(-1) !== row.row) booking.rows.push(row.row);
  sink.putBooking(booking);
}

function markRetried(failedId: string, refund_id: string, row: Row, sink: RecordSink): void {
  const failed = sink.refund(failedId);
  assert(failed !== null, "a refund that is repeated is recorded");
  failed.retried_by = refund_id;
  failed.updated_at = row.stamp;
  sink.putRefund(failed);
}

/** The end of a refund: by the provider, or by the property itself. */
function refundSettled(
  _state: State,
  event: EventOf<"refund.succeeded" | "refund.failed" | "refund.settled_elsewhere">,
  row: Row,
  sink: RecordSink | null,
): void {
  if (!sink) return;
  const refund = sink.refund(event.data.refund_id);
  assert(refund !== null, "a refund with a verdict is recorded");
  const before = refund.state;
  refund.state = event.type === "refund.failed" ? "failed" : "succeeded";
  refund.updated_at = row.stamp;
  if (event.type === "refund.failed") refund.provider_code = event.data.provider_code;
  else refund.receipt = event.data.receipt;
  if (event.type === "refund.settled_elsewhere") {
    const encrypted = event.secret?.encrypted ?? null;
    refund.elsewhere = { method: event.data.method, at: row.stamp, encrypted };
  }
  sink.putRefund(refund);
  if (refund.state !== before) paymentRefunded(refund, before, row, sink);
  if (refund.booking_id === null) return;
  const booking = sink.booking(refund.booking_id);
  assert(booking !== null, "a booking with a refund is recorded");
  if (event.type !== "refund.failed") booking.receipts.push(event.data.receipt);
  booking.history.push({ version: booking.version, at: timeOf(row), type: event.type });
  booking.rows.push(row.row);
  sink.putBooking(booking);
}

/** The payment's figures after a refund has succeeded, or has failed after its success. */
function paymentRefunded(
  { state, payment_id, amount, elsewhere }: Refund,
  before: RefundState,
  row: Row,
  sink: RecordSink,
): void {
  const moved = (state === "succeeded" ? amount : 0) - (before === "succeeded" ? amount : 0);
  if (moved === 0) return;
  const payment = sink.payment(payment_id);
  assert(payment !== null, "a payment that is refunded is recorded");
  payment.refunded += moved;
  if (elsewhere) payment.refunded_elsewhere = (payment.refunded_elsewhere ?? 0) + moved;
  payment.state = stateAfter(payment);
  payment.updated_at = row.stamp;
  sink.putPayment(payment);
}

function stateAfter({ amount, refunded }: Payment): PaymentState {
  if (refunded >= amount) return "refunded";
  return refunded > 0 ? "partially_refunded" : "captured";
}

/** Refunds are in the projections alone; memory has the keys that wait for one. */
export const REFUND_FOLDS = {
  "refund.requested": refundRequested,
  "refund.succeeded": refundSettled,
  "refund.failed": refundSettled,
  "refund.settled_elsewhere": refundSettled,
} satisfies Partial<Folds>;
