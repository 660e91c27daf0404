/**
 * The desk on days that are not 24 hours long: clocks that skip midnight, so that a day begins at
 * 01:00, and clocks that show an hour twice.
 */
import { expect, test } from "bun:test";
import {
  atDesk,
  beginBooking,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  policyTerms,
  promoteProperty,
  propertyTree,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { dateOf, dayOf } from "../calendar.ts";
import { feeTable } from "../price/policy.ts";

/** Two nights of a property in a zone, paid, with its fees as they are frozen. */
function booked(timezone: string, check_in: string, checkin_time = "15:00") {
  const tree = propertyTree({ timezone, checkin_time });
  const world = given(createProperty(tree), promoteProperty(tree));
  const checkInDay = dayOf(check_in);
  const priced = { room_subtotal: 20_000, due_now: 20_000, total: 20_000 };
  const quote = frozenQuote(tree, {
    stay: { check_in, check_out: dateOf(checkInDay + 2) },
    fees: feeTable({ tree, terms: policyTerms(), checkInDay, priced }),
  });
  const placed = world.when(placeHold(quote));
  const hold = { hold_id: placed.text("hold_id"), quote_id: quote.quote_id };
  const begun = world.when(beginBooking(hold));
  const done = world.when(paymentResult(begun.text("payment_id"), "captured"));
  const bookingId = done.text("booking_id");
  const sold = () => {
    const room = tree.room_types[0]!.id;
    return [0, 1].map((night) => world.cell(tree.id, room, checkInDay + night).sold);
  };
  return { world, bookingId, sold };
}

test.each([
  [
    "is put forward at midnight: there is no 00:30",
    "Africa/Cairo",
    "2027-04-30",
    "2027-04-29T22:00:00.000Z",
  ],
  [
    "is put back at midnight: the evening before is longer",
    "Africa/Cairo",
    "2026-10-30",
    "2026-10-29T22:00:00.000Z",
  ],
  [
    "shows the first hour of the day twice",
    "America/Havana",
    "2026-11-01",
    "2026-11-01T04:00:00.000Z",
  ],
  ["has left out the day before", "Pacific/Apia", "2027-01-01", "2026-12-31T11:00:00.000Z"],
])("check-in opens at the first minute of a day whose clock %s", (_, zone, day, from) => {
  const { world, bookingId } = booked(zone, day);
  const early = world.at(Date.parse(from) - 1).when(atDesk("CheckInGuest", bookingId));
  early.refused("conflict", { reason: "too_early", booking_id: bookingId, from });
  world.at(Date.parse(from)).when(atDesk("CheckInGuest", bookingId)).recorded("booking.checked_in");
});

test.each([
  ["does not exist", "2027-03-28", "2027-03-28T01:00:00.000Z"],
  ["comes twice", "2026-10-25", "2026-10-25T01:30:00.000Z"],
])("a no-show is accepted from a check-in time that %s", (_, day, from) => {
  const { world, bookingId, sold } = booked("Europe/Madrid", day, "02:30");
  const early = world.at(Date.parse(from) - 1).when(atDesk("RecordNoShow", bookingId));
  early.refused("conflict", { reason: "too_early", booking_id: bookingId, from });
  const missed = world.at(Date.parse(from)).when(atDesk("RecordNoShow", bookingId));
  expect(missed.event("booking.no_show")).toMatchObject({ free_from: day });
  expect(sold()).toEqual([0, 0]);
});

test("a day of 25 hours ends at its own midnight, and its night is returned until then", () => {
  const came = Date.parse("2026-10-24T12:00:00Z");
  for (const [left, nights] of [
    // The 24th until 22:00Z; the 25th, whose first hours are of summer, until 23:00Z.
    ["2026-10-24T21:59:59.999Z", [0, 0]],
    ["2026-10-24T22:00:00Z", [1, 0]],
    ["2026-10-25T22:59:59.999Z", [1, 0]],
    ["2026-10-25T23:00:00Z", [1, 1]],
  ] as const) {
    const { world, bookingId, sold } = booked("Europe/Madrid", "2026-10-24");
    world.at(came).when(atDesk("CheckInGuest", bookingId));
    world.at(Date.parse(left)).when(atDesk("CompleteStay", bookingId));
    expect({ left, sold: sold() }).toEqual({ left, sold: [...nights] });
  }
});

test.each([
  ["of 25 hours", "Europe/Madrid", "2026-10-25", "2026-10-25T23:00:00.000Z"],
  ["of 23 hours", "Europe/Madrid", "2027-03-28", "2027-03-28T22:00:00.000Z"],
  ["before one without midnight", "Africa/Cairo", "2027-04-29", "2027-04-29T22:00:00.000Z"],
])("a check-in is undone until the end of a day %s", (_, zone, day, until) => {
  const { world, bookingId } = booked(zone, day);
  world.at(Date.parse(`${day}T12:00:00Z`)).when(atDesk("CheckInGuest", bookingId));
  const late = world.at(Date.parse(until)).when(atDesk("UndoCheckIn", bookingId));
  late.refused("conflict", { reason: "too_late", booking_id: bookingId, until });
  const intime = booked(zone, day);
  intime.world.at(Date.parse(`${day}T12:00:00Z`)).when(atDesk("CheckInGuest", intime.bookingId));
  const undone = intime.world.at(Date.parse(until) - 1);
  undone.when(atDesk("UndoCheckIn", intime.bookingId)).recorded("booking.check_in_undone");
});
