/**
 * Notes of a property about its bookings. A note is guest data: its text is encrypted under the
 * booking's data key and goes with it. It does not change the booking, so it makes no version and
 * is in no audit, which agents read.
 */
import { assert } from "../assert.ts";
import { instantIso } from "../calendar.ts";
import type { AddBookingNote } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { timeOf } from "../events/event.ts";
import type { Fold, Folds } from "../fold.ts";
import { deriveId } from "../ids.ts";
import { bookingOf } from "./cancel.ts";

/** A booking's record keeps its notes, and is written whole with each. */
export const NOTES_MAX = 50;

/** Decides `POST /v1/admin/bookings/{id}/notes`, in any state of the booking. */
export function addBookingNote(command: AddBookingNote, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  const { booking_id, property_id, notes = [], erased } = booking;
  const { encrypted } = command;
  if (erased || !encrypted) {
    return reject(command, { code: "conflict", detail: { reason: "guest_erased", booking_id } });
  }
  if (notes.length >= NOTES_MAX) {
    const detail = { reason: "note_limit", booking_id, limit: NOTES_MAX };
    return reject(command, { code: "conflict", detail });
  }
  const note_id = deriveId("nte", ctx.now, command.random);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const data = { booking_id, property_id, note_id };
  const seq = events.add({ type: "booking.note_added", data, secret: { encrypted } });
  const created_at = instantIso(ctx.now);
  const outcome = success(command, "note_added", { note_id, booking_id, created_at, seq });
  return { events: events.list, outcome, phase: "sealed" };
}

const noteAdded: Fold<"booking.note_added"> = (_state, { data, secret }, row, sink) => {
  if (!sink) return;
  const booking = sink.booking(data.booking_id);
  assert(booking !== null, "a booking with a note is recorded");
  const { note_id } = data;
  const note = { note_id, by: row.actor, at: timeOf(row), encrypted: secret.encrypted };
  booking.notes = [...(booking.notes ?? []), note];
  sink.putBooking(booking);
};

export const NOTE_FOLDS = { "booking.note_added": noteAdded } satisfies Partial<Folds>;
