/**
 * Folds bookings: confirmation turns held units into sold ones, cancellation gives them back.
 */
import { assert } from "../assert.ts";
import { dayOf } from "../calendar.ts";
import type { BookingCancelled, BookingConfirmed, Row } from "../events.ts";
import type { Booking, RecordSink } from "../records.ts";
import type { State } from "../state.ts";
import { holdEnded, moveUnits } from "./units.ts";

/** The hold is consumed and the booking exists. */
export function bookingConfirmed(
  state: State,
  event: BookingConfirmed,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data } = event;
  const hold = state.holds.get(data.hold_id)!;
  hold.booking_id = data.booking_id;
  hold.payment_id = data.payment_id;
  holdEnded(state, hold, "consumed", row, sink);
  if (!sink) return;
  const payment = data.payment_id === null ? null : sink.payment(data.payment_id);
  const secret = event.secret ?? payment;
  assert(secret !== null, "a booking has a payment or a traveler of its own");
  const booking: Booking = {
    booking_id: data.booking_id,
    confirmation_code: data.confirmation_code,
    hold_id: hold.hold_id,
    tenant_id: hold.tenant_id,
    mode: hold.mode,
    agent_id: hold.agent_id,
    quote: hold.quote,
    property_id: data.property_id,
    state: "confirmed",
    version: 1,
    created_at: row.stamp,
    payment_id: data.payment_id,
    traveler: secret.traveler,
    encrypted: secret.encrypted,
    key: row.key?.key ?? "",
    cancellation: null,
    refund_ids: [],
    receipts: [data.receipt],
    history: [{ version: 1, at: row.stamp, type: event.type }],
    rows: hold.rows.slice(),
  };
  sink.putBooking(booking);
}

/** Units go back in the row that cancels. */
export function bookingCancelled(
  state: State,
  event: BookingCancelled,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data } = event;
  const firstDay = dayOf(data.stay.check_in);
  const nights = dayOf(data.stay.check_out) - firstDay;
  const { tenant_id, mode } = row;
  moveUnits(state, { ...data, tenant_id, mode, firstDay, nights }, 0, -1);
  if (!sink) return;
  const booking = sink.booking(data.booking_id);
  assert(booking !== null, "a booking that is cancelled is recorded");
  booking.state = "cancelled";
  booking.version += 1;
  booking.cancellation = {
    cancelled_at: row.stamp,
    fee: data.fee,
    refund: data.refund,
    tier_index: data.tier_index,
    refund_id: data.refund_id,
    reason_code: data.reason_code,
    encrypted: event.secret?.encrypted ?? null,
  };
  booking.receipts.push(data.receipt);
  booking.history.push({ version: booking.version, at: row.stamp, type: event.type });
  booking.rows.push(row.row);
  sink.putBooking(booking);
}
