/** Changes of a booking: one event frees the former nights and takes the new ones. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  cancelAtDesk,
  frozenQuote,
  modifyBooking,
  NOON,
  OTHER_TENANT,
  propertyTree,
  refundPayment,
  refundResult,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn } from "../../../test/support/given.ts";
import { dayOf } from "../calendar.ts";
import type { FrozenQuote, Stay } from "../price/quote.ts";

const SUITE = roomType({ id: "room-suite", code: "STE", default_inventory: 1 });
const TREE = propertyTree({ room_types: [roomType(), SUITE] });
const ROOM = TREE.room_types[0]!.id;

const booked = (over?: Parameters<typeof bookedAt>[1]) => bookedAt(TREE, over);

/** The same price for other nights, or another room. */
function moved(quote: FrozenQuote, stay: Stay, over: Partial<FrozenQuote> = {}): FrozenQuote {
  const nights = dayOf(stay.check_out) - dayOf(stay.check_in);
  const nightly = new Array<number>(nights).fill(10_000);
  const sources = "b".repeat(nights);
  return frozenQuote(TREE, { ...quote, stay, nightly, sources, ...over });
}

const sold = (world: ReturnType<typeof booked>["world"], day: number, room = ROOM) =>
  world.cell(TREE.id, room, dayIn(day)).sold;

test("overlapping nights are kept, former ones freed and new ones taken in one event", () => {
  const { world, quote, bookingId } = booked();
  const after = moved(quote, stayIn(31, 2));
  const came = world.when(modifyBooking(bookingId, after)).recorded("booking.modified");
  expect([30, 31, 32, 33].map((day) => sold(world, day))).toEqual([0, 1, 1, 0]);
  const { receipts, history, version, earlier } = world.records.booking(bookingId)!;
  expect(version).toBe(2);
  expect(history.map(({ type }) => type)).toEqual(["booking.confirmed", "booking.modified"]);
  expect(earlier).toMatchObject([{ quote: { stay: quote.stay } }]);
  expect(came.outcome).toMatchObject({
    kind: "modification",
    data: { version: 2, quote: { stay: after.stay }, difference: null, refund: null },
  });
  expect(receipts.map(({ kind }) => kind)).toEqual(["booking_confirmed", "booking_confirmed"]);
  const { check_in } = after.stay;
  const subject = { check_in, version: 2, supersedes: receipts[0]!.payload_hash };
  expect(receipts[1]!.subject).toMatchObject(subject);
});

test("only a confirmed booking changes, before its terms' end, unless the property decides", () => {
  const { world, quote, bookingId } = booked();
  const after = moved(quote, stayIn(33, 2));
  const stay = { allowed_until_ms: NOON };
  const refused = (over: object) => world.when(modifyBooking(bookingId, after, over));
  const not = "booking_not_modifiable";
  refused({ stay }).refused(not, { reason: "cutoff_passed", booking_id: bookingId });
  refused({ stay: { allowed_until_ms: null } }).refused(not, {
    ...{ reason: "non_refundable", difference: 0 },
  });
  refused({ stay: { allowed_until_ms: null, difference: "waive" } }).recorded("booking.modified");
  world.when(cancelAtDesk(bookingId));
  refused({}).refused(not, { reason: "state", state: "cancelled" });
  world.when(modifyBooking("bkg_x", after)).refused("booking_not_found");
  const foreign = modifyBooking(bookingId, after, { tenant_id: OTHER_TENANT });
  world.when(foreign).refused("booking_not_found");
});

test("a change from an older version, or of a version that the caller has not seen, conflicts", () => {
  const { world, quote, bookingId } = booked();
  const after = moved(quote, stayIn(33, 2));
  const detail = { reason: "version_mismatch", booking_id: bookingId, version: 1 };
  const from = (over: object) => world.when(modifyBooking(bookingId, after, over));
  from({ base_version: 2 }).refused("conflict", detail);
  from({ expected_version: 2 }).refused("conflict", detail);
  from({ expected_version: 1 }).recorded("booking.modified");
});

test("another price or length is refused with the figures, without a fitting difference", () => {
  const { world, quote, bookingId } = booked();
  const after = moved(quote, stayIn(33, 2));
  const price = (total: number, nights: number) => {
    const stay = { quote: null, priced: { total, nights } };
    return world.when(modifyBooking(bookingId, after, { stay }));
  };
  const detail = { booking_id: bookingId, current_total: 20_000, nights_current: 2 };
  price(25_000, 2).refused("booking_modification_price_change", {
    ...{ ...detail, reason: "total_changed", new_total: 25_000, difference: 5_000 },
  });
  price(30_000, 3).refused("booking_modification_price_change", {
    ...{ ...detail, reason: "length_changed", nights_requested: 3 },
  });
});

test("a cheaper stay refunds the difference; a later cancellation refunds the rest", () => {
  const { world, quote, bookingId } = booked();
  const after = moved(quote, stayIn(33, 1), { due_now: 5_000, total: 16_999 });
  const stay = { difference: "refund" as const, priced: { total: 16_999, nights: 1 } };
  const came = world.when(modifyBooking(bookingId, after, { stay }));
  came.recorded("booking.modified", "refund.requested");
  expect(came.event("refund.requested")).toMatchObject({ amount: 3_001, reason: "modification" });
  const { refund_id } = came.event("refund.requested");
  const done = world.when(refundResult(refund_id, "succeeded"));
  expect(done.data).toMatchObject({ refund: { refund_id, state: "succeeded", amount: 3_001 } });
  const end = world.when(cancelAtDesk(bookingId)).event("booking.cancelled");
  expect(end).toMatchObject({ fee: 0, refund: 5_000 });
  expect(end.refunded_before).toBeUndefined();
});

test("a refund that is reserved already is not given twice", () => {
  const { world, quote, bookingId } = booked();
  world.when(refundPayment(bookingId, 6_000));
  const after = moved(quote, stayIn(33, 1), { due_now: 5_000 });
  const stay = { difference: "refund" as const, priced: { total: 16_999, nights: 1 } };
  const came = world.when(modifyBooking(bookingId, after, { stay }));
  const detail = { requested: 3_001, remaining: 2_001, asked: "refund", difference: -3_001 };
  came.refused("refund_exceeds_remaining", { ...detail });
});

test("new nights need a unit and kept ones none, even where more is sold than there is", () => {
  const { world, quote, bookingId } = booked();
  const range = { room_type_id: ROOM, from: stayIn(31, 1).check_in, to: stayIn(31, 1).check_in };
  world.when(updateAri(TREE, { inventory: [{ ...range, capacity: 0 }] }));
  world.when(modifyBooking(bookingId, moved(quote, stayIn(31, 2)))).recorded("booking.modified");
  const back = moved(quote, stayIn(30, 2));
  world.when(modifyBooking(bookingId, back, { base_version: 2 })).recorded("booking.modified");
  const other = booked();
  other.world.when(updateAri(TREE, { inventory: [{ ...range, capacity: 0 }] }));
  const suite = moved(quote, stayIn(30, 2), { room_type_id: SUITE.id });
  const moving = other.world.when(modifyBooking(other.bookingId, suite));
  moving.recorded("booking.modified", "inventory.oversell_resolved");
  const refused = modifyBooking(other.bookingId, moved(quote, stayIn(31, 2)), { base_version: 2 });
  const detail = { reason: "no_units", booking_id: other.bookingId };
  other.world.when(refused).refused("allocation_failed", detail);
});

test("a guest's new data changes neither nights nor price, and has no receipt", () => {
  const { world, bookingId } = booked();
  const guest = { encrypted: { guest: "sealed again" }, wrapped_key: "wrapped" };
  const came = world.when({ ...modifyBooking(bookingId, null), guest });
  came.recorded("booking.modified");
  expect(came.event("booking.modified")).toMatchObject({ guest_changed: true, receipt: null });
  const booking = world.records.booking(bookingId)!;
  expect(booking.encrypted).toEqual({ guest: "sealed again" });
  expect([booking.version, booking.earlier, booking.receipts.length]).toEqual([2, undefined, 1]);
});

test("a booking is changed at most a hundred times", () => {
  const { world, bookingId } = booked();
  const guest = { encrypted: { guest: "sealed again" }, wrapped_key: "wrapped" };
  for (let base_version = 1; base_version <= 100; base_version += 1) {
    world.when({ ...modifyBooking(bookingId, null, { base_version }), guest });
  }
  const detail = { reason: "change_limit", booking_id: bookingId, limit: 100 };
  const last = { ...modifyBooking(bookingId, null, { base_version: 101 }), guest };
  world.when(last).refused("booking_not_modifiable", detail);
  world.when(cancelAtDesk(bookingId)).recorded("booking.cancelled", "refund.requested");
});

test("what changes nothing writes nothing", () => {
  const { world, bookingId } = booked();
  const came = world.when(modifyBooking(bookingId, null)).recorded();
  expect(came.data).toMatchObject({ version: 1, seq: null, guest_changed: false, refund: null });
});

test("after any changes exactly the nights of the last stay are sold", () => {
  const first = fc.integer({ min: 0, max: 12 });
  const change = fc.record({
    first,
    nights: fc.integer({ min: 1, max: 5 }),
    isSuite: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const { world, quote, bookingId } = booked();
      for (const { first: day, nights, isSuite } of changes) {
        const room_type_id = isSuite ? SUITE.id : ROOM;
        const after = moved(quote, stayIn(25 + day, nights), { room_type_id });
        const { version: base_version } = world.records.booking(bookingId)!;
        const stay = { difference: "waive" as const };
        world.when(modifyBooking(bookingId, after, { base_version, stay }));
      }
      const last = changes.at(-1)!;
      const days = Array.from({ length: 20 }, (_, nth) => 24 + nth);
      const taken = (room: string) => days.filter((day) => sold(world, day, room) === 1);
      const expected = Array.from({ length: last.nights }, (_, nth) => 25 + last.first + nth);
      expect(taken(last.isSuite ? SUITE.id : ROOM)).toEqual(expected);
      expect(taken(last.isSuite ? ROOM : SUITE.id)).toEqual([]);
      expect(world.records.booking(bookingId)!.version).toBe(changes.length + 1);
    }),
    { numRuns: 200 },
  );
});
