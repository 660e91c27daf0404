/** What changes of bookings share: their limit, freed nights, the next state with its history. */
import { assert } from "../assert.ts";
import { dayOf } from "../calendar.ts";
import { type FreedUnits, type Row, timeOf } from "../events/event.ts";
import { moveUnits, roomOf } from "../holds/units.ts";
import type { Booking, BookingState, RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";

/** A booking's record keeps each former stay and receipt, and is written whole with each change. */
export const CHANGES_MAX = 100;

/** Frees the nights of the stay from a date on. */
export function freeUnits(state: State, data: FreedUnits, { tenant_id, mode }: Row): void {
  if (data.free_from === null) return;
  const firstDay = dayOf(data.free_from);
  const nights = dayOf(data.stay.check_out) - firstDay;
  const move = { ...data, tenant_id, mode, firstDay, nights };
  moveUnits(state, roomOf(state, move), move, 0, -1);
}

/** Moves a booking to its next state, null for the same; `note` adds data of the event. */
export function changeBooking(
  { type, data }: { readonly type: string; readonly data: { readonly booking_id: string } },
  next: BookingState | null,
  row: Row,
  sink: RecordSink | null,
  note: (booking: Booking) => void,
): void {
  if (!sink) return;
  const booking = sink.booking(data.booking_id);
  assert(booking !== null, "a booking that changes is recorded");
  if (next !== null) booking.state = next;
  booking.version += 1;
  note(booking);
  booking.history.push({ version: booking.version, at: timeOf(row), type, row: row.row });
  booking.rows.push(row.row);
  sink.putBooking(booking);
}
