/**
 * The desk: when check-in, no-show and check-out are allowed, which nights return and what is
 * refunded. The property is in Madrid: its days begin two hours before those of UTC.
 */
import { expect, test } from "bun:test";
import {
  atDesk,
  beginBooking,
  cancelAtDesk,
  createProperty,
  frozenQuote,
  OTHER_AGENT,
  OTHER_TENANT,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  refundResult,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf, dayOf, instantIso } from "../calendar.ts";

const TREE = propertyTree();
const ROOM = TREE.room_types[0]!.id;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const stay = stayIn(30, 3);
const STAY_COMMANDS = ["CheckInGuest", "UndoCheckIn", "RecordNoShow", "CompleteStay"] as const;
/** Midnight of the check-in day in Madrid, in summer. */
const ARRIVAL = dayOf(stay.check_in) * DAY_MS - 2 * HOUR_MS;

/** Three nights from day 30 on, 8,001 prepaid: 4,001 after 48 h before, 8,001 for a no-show. */
function booked(over: Parameters<typeof frozenQuote>[1] = {}) {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const quote = frozenQuote(TREE, { due_now: 8_001, stay, ...over });
  const placed = world.when(placeHold(quote));
  const hold = { hold_id: placed.text("hold_id"), quote_id: quote.quote_id };
  const begun = world.when(beginBooking(hold));
  const isFree = quote.due_now === 0;
  const done = isFree ? begun : world.when(paymentResult(begun.text("payment_id"), "captured"));
  const bookingId = done.text("booking_id");
  const sold = () => [30, 31, 32].map((day) => world.cell(TREE.id, ROOM, dayIn(day)).sold);
  return { world, quote, bookingId, sold };
}

test("check-in opens at the first minute of the property's own day", () => {
  const { world, bookingId, sold } = booked();
  const early = world.at(ARRIVAL - 1).when(atDesk("CheckInGuest", bookingId));
  const detail = { reason: "too_early", booking_id: bookingId, from: instantIso(ARRIVAL) };
  early.refused("conflict", detail);
  const came = world.at(ARRIVAL).when(atDesk("CheckInGuest", bookingId));
  came.recorded("booking.checked_in");
  expect(came.data).toMatchObject({ state: "checked_in", checked_in_at: instantIso(ARRIVAL) });
  const booking = world.records.booking(bookingId)!;
  expect(booking).toMatchObject({ state: "checked_in", version: 2 });
  const { history } = booking;
  expect(history.at(-1)).toMatchObject({ version: 2, at: ARRIVAL, type: "booking.checked_in" });
  expect(sold()).toEqual([1, 1, 1]);
});

test("after a property moves to another zone its bookings keep their days", () => {
  const { world, bookingId } = booked();
  const property = world.state.property(
    { tenant_id: placeHold(frozenQuote(TREE)).tenant_id, mode: "live" },
    TREE.id,
  )!;
  property.tree = { ...TREE, timezone: "America/New_York" };
  world.at(ARRIVAL).when(atDesk("CheckInGuest", bookingId)).recorded("booking.checked_in");
});

test("a checked-in guest cannot be checked in again, marked as no-show or cancelled", () => {
  const { world, bookingId } = booked();
  world.at(ARRIVAL + DAY_MS).when(atDesk("CheckInGuest", bookingId));
  const detail = { reason: "booking_state", state: "checked_in", needed: "confirmed" };
  world.when(atDesk("CheckInGuest", bookingId)).refused("conflict", detail);
  world.when(atDesk("RecordNoShow", bookingId)).refused("conflict", detail);
  const over = { state: "checked_in", cancelled_at: null };
  world.when(cancelAtDesk(bookingId)).refused("booking_not_cancellable", over);
});

test("a check-in is undone until its own day ends, and the booking is as before", () => {
  const { world, bookingId, sold } = booked();
  const came = world.at(ARRIVAL + DAY_MS).when(atDesk("CheckInGuest", bookingId));
  const until = instantIso(ARRIVAL + 2 * DAY_MS);
  expect(came.data).toMatchObject({ undo_until: until });
  const undone = world.at(ARRIVAL + 2 * DAY_MS - 1).when(atDesk("UndoCheckIn", bookingId));
  undone.recorded("booking.check_in_undone");
  const checked_in_at = instantIso(ARRIVAL + DAY_MS);
  expect(undone.event("booking.check_in_undone")).toMatchObject({ checked_in_at });
  const undone_at = instantIso(ARRIVAL + 2 * DAY_MS - 1);
  expect(undone.data).toEqual({ booking_id: bookingId, state: "confirmed", undone_at });
  const { state, version, history } = world.records.booking(bookingId)!;
  expect({ state, version }).toEqual({ state: "confirmed", version: 3 });
  const entry = { version: 3, at: Date.parse(undone_at), type: "booking.check_in_undone" };
  expect(history.at(-1)).toMatchObject(entry);
  expect(sold()).toEqual([1, 1, 1]);
  const detail = { reason: "booking_state", state: "confirmed", needed: "checked_in" };
  world.when(atDesk("UndoCheckIn", bookingId)).refused("conflict", detail);
  world.when(atDesk("CompleteStay", bookingId)).refused("conflict", detail);
});

test("a check-in of an earlier day stands; the last of several counts", () => {
  const { world, bookingId } = booked();
  world.at(ARRIVAL).when(atDesk("CheckInGuest", bookingId));
  world.when(atDesk("UndoCheckIn", bookingId));
  world.at(ARRIVAL + DAY_MS).when(atDesk("CheckInGuest", bookingId));
  world.when(atDesk("UndoCheckIn", bookingId)).recorded("booking.check_in_undone");
  world.when(atDesk("CheckInGuest", bookingId));
  const until = ARRIVAL + 2 * DAY_MS;
  const late = world.at(until).when(atDesk("UndoCheckIn", bookingId));
  const detail = { reason: "too_late", booking_id: bookingId, until: instantIso(until) };
  late.refused("conflict", detail);
  world.when(atDesk("CompleteStay", bookingId)).recorded("booking.completed");
});

test("after an undo the frozen terms bind again: a fee, a refund, a no-show", () => {
  const { quote } = booked();
  const fees = { ...quote.fees, no_show: 6_000 };
  for (const command of [cancelAtDesk, (id: string) => atDesk("RecordNoShow", id)]) {
    const { world, bookingId, sold } = booked({ fees });
    world.at(fees.anchor_ms).when(atDesk("CheckInGuest", bookingId));
    world.when(atDesk("UndoCheckIn", bookingId));
    const end = world.when(command(bookingId));
    expect(end.event("refund.requested")).toMatchObject({ amount: 2_001 });
    expect(sold()).toEqual([0, 0, 0]);
  }
});

test("check-ins are undone as often as a booking may change", () => {
  const { world, bookingId } = booked();
  world.at(ARRIVAL);
  for (let nth = 0; nth < 50; nth += 1) {
    world.when(atDesk("CheckInGuest", bookingId)).recorded("booking.checked_in");
    world.when(atDesk("UndoCheckIn", bookingId)).recorded("booking.check_in_undone");
  }
  world.when(atDesk("CheckInGuest", bookingId)).recorded("booking.checked_in");
  const detail = { reason: "change_limit", booking_id: bookingId, limit: 100 };
  world.when(atDesk("UndoCheckIn", bookingId)).refused("conflict", detail);
});

test("no guest is a no-show before the check-in time", () => {
  const { world, bookingId, quote } = booked();
  const from = quote.fees.anchor_ms;
  const early = world.at(from - 1).when(atDesk("RecordNoShow", bookingId));
  early.refused("conflict", { reason: "too_early", from: instantIso(from) });
  world.at(from).when(atDesk("RecordNoShow", bookingId)).recorded("booking.no_show");
});

test("a no-show keeps its fee; the rest is refunded, and the answer comes after the refund", () => {
  const { quote } = booked();
  const fees = { ...quote.fees, no_show: 6_000 };
  const { world, bookingId, sold } = booked({ fees });
  const command = atDesk("RecordNoShow", bookingId);
  const came = world.at(fees.anchor_ms).when(command);
  came.recorded("booking.no_show", "refund.requested");
  expect(came.decision.phase).toBe("running");
  const { refund_id } = came.event("refund.requested");
  expect(came.event("refund.requested")).toMatchObject({ amount: 2_001, reason: "no_show" });
  expect(came.event("booking.no_show")).toMatchObject({
    ...{ fee: 6_000, refund: 2_001, refund_id, free_from: stay.check_in },
  });
  expect(sold()).toEqual([0, 0, 0]);
  const done = world.when(refundResult(refund_id, "succeeded"));
  expect(done.decision).toMatchObject({ phase: "sealed", key: { key: command.key } });
  expect(done.outcome).toMatchObject({ kind: "no_show" });
  const refund = { refund_id, amount: 2_001, state: "succeeded" };
  expect(done.data).toMatchObject({ state: "no_show", fee: { amount: 6_000 }, refund });
  expect(world.records.booking(bookingId)).toMatchObject({
    ...{ state: "no_show", refund_ids: [refund_id], cancellation: null },
    no_show: { at: fees.anchor_ms, fee: 6_000, refund: 2_001, refund_id },
  });
  world.when(cancelAtDesk(bookingId)).refused("booking_not_cancellable", { refund_id });
});

test("a no-show with nothing to refund answers at once", () => {
  const kept = booked();
  const came = kept.world
    .at(kept.quote.fees.anchor_ms)
    .when(atDesk("RecordNoShow", kept.bookingId));
  came.recorded("booking.no_show");
  expect(came.decision.phase).toBe("sealed");
  expect(came.data).toMatchObject({ fee: { amount: 8_001 }, refund: null });
  const free = booked({ due_now: 0 });
  const none = free.world
    .at(free.quote.fees.anchor_ms)
    .when(atDesk("RecordNoShow", free.bookingId));
  expect(none.data).toMatchObject({ fee: { amount: 0 }, refund: null });
});

test("a no-show on the second day does not return the first night", () => {
  const { world, bookingId, sold } = booked();
  world.at(ARRIVAL + DAY_MS).when(atDesk("RecordNoShow", bookingId));
  expect(sold()).toEqual([1, 0, 0]);
  expect(world.records.booking(bookingId)).toMatchObject({ free_from: dateOf(dayIn(31)) });
});

test.each([
  [0, [0, 0, 0]],
  [1, [1, 0, 0]],
  [2, [1, 1, 0]],
  [3, [1, 1, 1]],
  [9, [1, 1, 1]],
])("a check-out on day %i of the stay keeps the nights before it", (days, nights) => {
  const { world, bookingId, sold } = booked();
  world.at(ARRIVAL).when(atDesk("CheckInGuest", bookingId));
  const came = world.at(ARRIVAL + days * DAY_MS).when(atDesk("CompleteStay", bookingId));
  came.recorded("booking.completed");
  const free_from = days < 3 ? dateOf(dayIn(30 + days)) : null;
  expect(came.data).toMatchObject({ state: "completed", free_from });
  expect(sold()).toEqual(nights);
});

test("a guest who was never checked in cannot be checked out", () => {
  const { world, bookingId } = booked();
  const detail = { reason: "booking_state", state: "confirmed", needed: "checked_in" };
  world.at(ARRIVAL).when(atDesk("CompleteStay", bookingId)).refused("conflict", detail);
});

test("the property cancels without a traveler; a waived fee is refunded with the rest", () => {
  const at = (waives_fee: boolean) => {
    const { world, bookingId, quote, sold } = booked();
    const command = cancelAtDesk(bookingId, { waives_fee, encrypted: { note: "sealed" } });
    const came = world.at(quote.fees.anchor_ms - 1).when(command);
    came.recorded("booking.cancelled", "refund.requested");
    expect(sold()).toEqual([0, 0, 0]);
    expect(came.event("booking.cancelled").receipt).toMatchObject({ kind: "booking_cancelled" });
    const { fee, refund, tier_index, jti, desk } = came.event("booking.cancelled");
    const { cancellation } = world.records.booking(bookingId)!;
    expect(cancellation).toMatchObject({ encrypted: { note: "sealed" } });
    expect(cancellation).toMatchObject({ fee, refund, waived_fee: desk!.waived_fee });
    return { fee, refund, tier_index, jti, desk };
  };
  const terms = { tier_index: 1, jti: null };
  expect(at(false)).toEqual({ ...terms, fee: 4_001, refund: 4_000, desk: { waived_fee: 0 } });
  expect(at(true)).toEqual({ ...terms, fee: 0, refund: 8_001, desk: { waived_fee: 4_001 } });
});

test("every desk call answers not found for a booking that the caller does not own", () => {
  const { world, bookingId } = booked();
  world.at(ARRIVAL);
  const strangers = [
    { tenant_id: OTHER_TENANT },
    { mode: "test" },
    { actor: { kind: "agent", id: OTHER_AGENT } },
  ] as const;
  const detail = { booking_id: bookingId };
  for (const over of strangers) {
    for (const type of STAY_COMMANDS) {
      world.when(atDesk(type, bookingId, over)).refused("booking_not_found", detail);
    }
    world.when(cancelAtDesk(bookingId, over)).refused("booking_not_found", detail);
  }
  const elsewhere = { property_ids: ["property-two"] };
  const denied = world.when(atDesk("CheckInGuest", bookingId, elsewhere));
  denied.refused("resource_access_denied", { property_id: TREE.id });
  expect(denied.decision.phase).toBe("transient");
});

test("a new ceiling counts the nights that bookings take, not those returned", () => {
  const { world, bookingId } = booked();
  world.at(ARRIVAL + DAY_MS).when(atDesk("RecordNoShow", bookingId));
  const range = { room_type_id: ROOM, from: stay.check_in, to: stay.check_out };
  world.when(updateAri(TREE, { ceilings: [{ ...range, agent_id: "agt_ann", ceiling: 1 }] }));
  const property = [...world.state.allProperties()][0]!;
  const { used } = property.rooms.get(ROOM)!.ceilings[0]!;
  expect([30, 31, 32].map((day) => used!.get(dayIn(day)))).toEqual([1, 0, 0]);
});
