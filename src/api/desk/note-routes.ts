/** Notes of the property about a booking: for its operators alone, encrypted as guest data. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { coversScope } from "../../access/control/principal.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, type Rendering } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { encryptedNote, noteIn } from "../bookings/personal-fields.ts";
import { BOOKING_ID } from "../parameters.ts";
import { bookingOf } from "../visible.ts";
import { READS_GUESTS } from "./booking-views.ts";
import { admin, DESK_READ } from "./lists.ts";
import { BookingNoteBody, type BookingNoteRequest } from "./requests.ts";
import { AddedNote, BookingNotes } from "./responses.ts";

const NOTED: Rendering<"note_added"> = {
  kind: "note_added",
  answer(_call, { data, trace_id }) {
    return { status: 201, data, trace_id };
  },
};

function add(call: Call<BookingNoteRequest, "id">): Promise<Success | Refusal> {
  const { body, context, params } = call;
  const command = {
    ...commandMeta(call),
    type: "AddBookingNote" as const,
    booking_id: params.id,
    ...encryptedNote(context, body.text, () => bookingOf(call, params.id)),
  };
  return execute(call, command, NOTED);
}

function list(call: Call<unknown, "id">): Success | Refusal {
  const { context, params, principal } = call;
  const booking = bookingOf(call, params.id);
  if ("code" in booking) return booking;
  const { booking_id, notes = [] } = booking;
  const isShown = coversScope(principal.scopes, READS_GUESTS);
  const items = notes.map(({ note_id, by, at, encrypted }) => ({
    ...{ note_id, booking_id, created_at: instantIso(at), author: by.id },
    text: isShown ? noteIn(context, booking, encrypted) : null,
  }));
  return { ok: true, data: { items } };
}

const NOTES = { path: "/v1/admin/bookings/:id/notes", params: { id: BOOKING_ID } } as const;

export const noteRoutes = [
  route({
    ...{ ...DESK_READ, ...NOTES },
    id: "admin_list_booking_notes",
    summary: "Read the notes about a booking",
    description: "What the property's operators wrote about a booking, oldest first.",
    access: admin("bookings"),
    success: { status: 200, description: "The notes.", data: BookingNotes },
    errors: ["booking_not_found", "resource_access_denied"],
    handle: list,
  }),
  route({
    ...NOTES,
    id: "admin_add_booking_note",
    tag: "Desk",
    method: "POST",
    summary: "Write a note about a booking",
    description:
      "For the property's own operators: neither agents nor guests see it. The text is encrypted " +
      "with the guest's data and is erased with it. A booking has at most 50 notes; then, and " +
      "after an erasure, `conflict` with reason `note_limit` or `guest_erased`.",
    access: admin("bookings"),
    key: "accepted",
    body: json(BookingNoteBody),
    readsReplica: true,
    success: { status: 201, description: "The note.", data: AddedNote },
    errors: ["booking_not_found", "resource_access_denied", "conflict"],
    handle: add,
  }),
];
