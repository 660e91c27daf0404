/**
 * Disputes: a guest's bank takes a payment back until it has decided. What is not refunded yet is
 * withheld then, and after a lost dispute for good (`bookings/refundable.ts`).
 */
import { assert } from "../assert.ts";
import type { RecordDispute } from "../commands.ts";
import { type Context, type Decision, EventList, success } from "../decision.ts";
import { type EventOf, type Row, timeOf } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import { recorded } from "../record-damage.ts";
import { type Payment, type RecordSink, wasCaptured } from "../records.ts";
import type { State } from "../state/state.ts";

/**
 * Records the state of a dispute at the provider. A state that is known changes nothing; one that
 * is closed when it becomes known is opened and closed in one row. A lost dispute may be won after
 * an appeal.
 */
export function recordDispute(command: RecordDispute, ctx: Context): Decision {
  const { payment_id, dispute_id, state } = command;
  const payment = recorded(ctx.records.payment(payment_id), "payment", payment_id);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const known = payment.dispute?.dispute_id === dispute_id ? payment.dispute.state : null;
  const isCaptured = wasCaptured(payment);
  if (isCaptured && known === null) addDisputed(command, payment, ctx, events);
  if (isCaptured && state !== "open" && state !== known && known !== "won") {
    const ids = idsOf(payment, ctx);
    events.add({ type: "payment.dispute_closed", data: { ...ids, dispute_id, outcome: state } });
  }
  const data = { payment_id, changed: events.list.length > 0 };
  return { events: events.list, outcome: success(command, "internal", data), phase: "transient" };
}

function addDisputed(
  { dispute_id, amount, reason, due_by }: RecordDispute,
  payment: Payment,
  ctx: Context,
  events: EventList,
): void {
  const data = { ...idsOf(payment, ctx), dispute_id, disputed: amount, reason, due_by };
  events.add({ type: "payment.disputed", data });
}

/** The booking is null for a capture that came too late for one. */
function idsOf({ payment_id, hold_id, booking_id }: Payment, ctx: Context) {
  const isBooked = ctx.records.booking(booking_id) !== null;
  return { payment_id, hold_id, booking_id: isBooked ? booking_id : null };
}

/** The payment's dispute, and the booking's history. */
function noted(
  event: EventOf<"payment.disputed" | "payment.dispute_closed">,
  row: Row,
  sink: RecordSink,
  note: (payment: Payment) => void,
): void {
  const { payment_id, booking_id } = event.data;
  const payment = sink.payment(payment_id);
  assert(payment !== null, "a payment that is disputed is recorded");
  note(payment);
  payment.updated_at = row.stamp;
  sink.putPayment(payment);
  const booking = booking_id === null ? null : sink.booking(booking_id);
  if (booking === null) return;
  booking.history.push({ version: booking.version, at: timeOf(row), type: event.type });
  if (booking.rows.at(-1) !== row.row) booking.rows.push(row.row);
  sink.putBooking(booking);
}

function paymentDisputed(
  _state: State,
  event: EventOf<"payment.disputed">,
  row: Row,
  sink: RecordSink | null,
): void {
  if (!sink) return;
  const { dispute_id, disputed: amount, reason, due_by } = event.data;
  noted(event, row, sink, (payment) => {
    payment.dispute = { dispute_id, state: "open", amount, reason, due_by };
  });
}

function disputeClosed(
  _state: State,
  event: EventOf<"payment.dispute_closed">,
  row: Row,
  sink: RecordSink | null,
): void {
  if (!sink) return;
  noted(event, row, sink, (payment) => {
    assert(payment.dispute !== undefined, "a dispute that is closed was opened");
    payment.dispute = { ...payment.dispute, state: event.data.outcome };
  });
}

/** Disputes are in the projections alone. */
export const DISPUTE_FOLDS = {
  "payment.disputed": paymentDisputed,
  "payment.dispute_closed": disputeClosed,
} satisfies Partial<Folds>;
