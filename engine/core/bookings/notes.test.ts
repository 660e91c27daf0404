/** Notes about a booking: a bounded number, no version, none without the guest's data. */
import { expect, test } from "bun:test";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  cancelAtDesk,
  commandMeta,
  OTHER_TENANT,
  propertyTree,
} from "../../../test/support/builders.ts";
import type { AddBookingNote } from "../commands.ts";
import { NOTES_MAX } from "./notes.ts";

const TREE = propertyTree();
const actor = { kind: "operator", id: "agt_ops" } as const;

function noteOn(booking_id: string, over: Partial<AddBookingNote> = {}): AddBookingNote {
  const encrypted = { note: "sealed" };
  return { ...commandMeta({ actor }), type: "AddBookingNote", booking_id, encrypted, ...over };
}

test("a note is kept with its author, and the booking is the same", () => {
  const { world, bookingId } = bookedAt(TREE);
  const before = world.records.booking(bookingId)!;
  const { version, history, rows } = structuredClone(before);
  const added = world.when(noteOn(bookingId)).recorded("booking.note_added");
  const { notes, ...after } = world.records.booking(bookingId)!;
  expect(notes).toMatchObject([
    { note_id: added.data.note_id, by: actor, encrypted: { note: "sealed" } },
  ]);
  expect(after).toMatchObject({ version, history, rows });
  expect(after.rows).toEqual(rows);
});

test("a booking has a bounded number of notes, in any state", () => {
  const { world, bookingId } = bookedAt(TREE, { due_now: 0 });
  world.when(cancelAtDesk(bookingId));
  for (let nth = 0; nth < NOTES_MAX; nth += 1)
    world.when(noteOn(bookingId)).recorded("booking.note_added");
  world.when(noteOn(bookingId)).refused("conflict", { reason: "note_limit", limit: NOTES_MAX });
});

test("there is no note without the guest's key, and none on another tenant's booking", () => {
  const { world, bookingId } = bookedAt(TREE, { due_now: 0 });
  const { encrypted: _none, ...keyless } = noteOn(bookingId);
  world.when(keyless).refused("conflict", { reason: "guest_erased" });
  world.when(noteOn(bookingId, { tenant_id: OTHER_TENANT })).refused("booking_not_found");
  world.when(cancelAtDesk(bookingId));
  world
    .when({ ...commandMeta({ actor }), type: "EraseGuest", booking_id: bookingId })
    .recorded("guest.erased");
  world.when(noteOn(bookingId)).refused("conflict", { reason: "guest_erased" });
});
