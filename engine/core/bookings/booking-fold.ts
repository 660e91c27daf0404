/**
 * Folds bookings. A confirmation turns held units into sold ones; a cancellation frees all of them,
 * a no-show or an early departure those of the nights ahead.
 */
import { assert } from "../assert.ts";
import { dayOf } from "../calendar.ts";
import type {
  BookingCancelled,
  BookingCheckedIn,
  BookingCompleted,
  BookingConfirmed,
  BookingNoShow,
  FreedUnits,
  Row,
} from "../events/event.ts";
import { holdEnded, moveUnits, roomOf } from "../holds/units.ts";
import type { Booking, BookingState, RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";

/** Consumes the hold and creates the booking. */
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

/** Frees the nights of the stay from a date on. */
function freeUnits(state: State, data: FreedUnits, { tenant_id, mode }: Row): void {
  if (data.free_from === null) return;
  const firstDay = dayOf(data.free_from);
  const nights = dayOf(data.stay.check_out) - firstDay;
  const move = { ...data, tenant_id, mode, firstDay, nights };
  moveUnits(state, roomOf(state, move), move, 0, -1);
}

/** Moves a booking to its next state; `note` adds data of the event. */
function change(
  { type, data }: { readonly type: string; readonly data: { readonly booking_id: string } },
  next: BookingState,
  row: Row,
  sink: RecordSink | null,
  note: (booking: Booking) => void,
): void {
  if (!sink) return;
  const booking = sink.booking(data.booking_id);
  assert(booking !== null, "a booking that changes is recorded");
  booking.state = next;
  booking.version += 1;
  note(booking);
  booking.history.push({ version: booking.version, at: row.stamp, type });
  booking.rows.push(row.row);
  sink.putBooking(booking);
}

function bookingCancelled(
  state: State,
  event: BookingCancelled,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data } = event;
  freeUnits(state, { ...data, free_from: data.stay.check_in }, row);
  const { fee, refund, tier_index, refund_id, reason_code, desk } = data;
  change(event, "cancelled", row, sink, (booking) => {
    booking.cancellation = {
      cancelled_at: row.stamp,
      ...{ fee, refund, tier_index, refund_id, reason_code },
      encrypted: event.secret?.encrypted ?? null,
      ...(desk && { waived_fee: desk.waived_fee }),
    };
    booking.receipts.push(data.receipt);
  });
}

/** A cancellation frees all units; a no-show or a departure frees the nights ahead. */
export function bookingChanged(
  state: State,
  event: BookingCancelled | BookingCheckedIn | BookingNoShow | BookingCompleted,
  row: Row,
  sink: RecordSink | null,
): void {
  switch (event.type) {
    case "booking.cancelled":
      return bookingCancelled(state, event, row, sink);
    case "booking.checked_in":
      return change(event, "checked_in", row, sink, () => {});
    case "booking.no_show": {
      freeUnits(state, event.data, row);
      const { fee, refund, refund_id, free_from } = event.data;
      return change(event, "no_show", row, sink, (booking) => {
        booking.no_show = { at: row.stamp, fee, refund, refund_id };
        if (free_from !== null) booking.free_from = free_from;
      });
    }
    case "booking.completed": {
      freeUnits(state, event.data, row);
      const { free_from } = event.data;
      return change(event, "completed", row, sink, (booking) => {
        if (free_from !== null) booking.free_from = free_from;
      });
    }
  }
}
