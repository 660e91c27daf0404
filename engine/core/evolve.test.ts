/** Folding: a replica equals the engine, and both forget past nights alike. */
import { expect, spyOn, test } from "bun:test";
import {
  AGENT,
  beginBooking,
  cancelBooking,
  createProperty,
  frozenQuote,
  NOON,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  refundResult,
  releaseHold,
  roomType,
  stayIn,
  updateAri,
} from "../../test/support/builders.ts";
import { dayIn, given } from "../../test/support/given.ts";
import { dateOf } from "./calendar.ts";
import { encodeState } from "./codec/state-codec.ts";
import type { Row } from "./events/event.ts";
import { evolve } from "./evolve.ts";
import { moveOf, moveUnits } from "./holds/units.ts";
import { ceilingUsed } from "./state/room-state.ts";
import { State } from "./state/state.ts";

const TREE = propertyTree();
const ROOM = TREE.room_types[0]!;
const DAY_MS = 86_400_000;

function onSale() {
  return given(createProperty(TREE), promoteProperty(TREE));
}

function booked(world: ReturnType<typeof onSale>, stay = stayIn(30, 2)) {
  const quote = frozenQuote(TREE, { stay });
  const hold_id = world.when(placeHold(quote)).text("hold_id");
  const paymentId = world
    .when(beginBooking({ hold_id, quote_id: quote.quote_id }))
    .text("payment_id");
  return world.when(paymentResult(paymentId, "captured")).text("booking_id");
}

test("a replica that has no projections folds the same rows to the same state", () => {
  const world = onSale();
  const bookingId = booked(world);
  world.when(releaseHold(world.when(placeHold(frozenQuote(TREE))).text("hold_id")));
  const asked = world.when(cancelBooking(bookingId)).event("refund.requested");
  world.when(refundResult(asked.refund_id, "succeeded"));
  world.at(NOON + 40 * DAY_MS).due();
  const replica = new State({ tracksExpiry: false });
  for (const row of world.rows) evolve(replica, row, null);
  expect([...encodeState(replica)]).toEqual([...encodeState(world.state)]);
});

test("a booking's rows are those about it or its hold, once each", () => {
  const world = onSale();
  const bookingId = booked(world);
  world.when(cancelBooking(bookingId));
  const booking = world.records.booking(bookingId);
  const concerned = world.rows.filter((row) =>
    row.events.some(({ type }) => /^(hold|payment|booking|refund)\./.test(type)),
  );
  expect(booking?.rows).toEqual(concerned.map(({ row }) => row));
  expect(booking?.history.map(({ version, type }) => [version, type])).toEqual([
    [1, "booking.confirmed"],
    [2, "booking.cancelled"],
  ]);
});

test("an update changes only the fields it names, null clears them to the default", () => {
  const world = onSale();
  const range = { room_type_id: ROOM.id, from: dateOf(dayIn(30)), to: dateOf(dayIn(30)) };
  world.when(updateAri(TREE, { inventory: [{ ...range, capacity: 7, out_of_order: 2 }] }));
  world.when(updateAri(TREE, { inventory: [{ ...range, overbooking_limit: 1 }] }));
  const left = () => {
    const { capacity, outOfOrder, overbooking } = world.state
      .property(REALM, TREE.id)!
      .rooms.get(ROOM.id)!;
    return [capacity, outOfOrder, overbooking].map((nights) => nights.entries().length);
  };
  expect(left()).toEqual([1, 1, 1]);
  const cleared = { capacity: null, out_of_order: null, overbooking_limit: null };
  world.when(updateAri(TREE, { inventory: [{ ...range, ...cleared }] }));
  expect(left()).toEqual([0, 0, 0]);
});

test("a restriction without fields is removed", () => {
  const world = onSale();
  const range = { room_type_id: ROOM.id, from: dateOf(dayIn(30)), to: dateOf(dayIn(31)) };
  world.when(updateAri(TREE, { restrictions: [{ ...range, cta: true, min_los_arrival: 2 }] }));
  world.when(updateAri(TREE, { restrictions: [{ ...range, cta: null }] }));
  const { restrictions } = world.state.property(REALM, TREE.id)!.rooms.get(ROOM.id)!;
  expect(restrictions.get(dayIn(30))?.values).toEqual({ min_los_arrival: 2 });
  world.when(updateAri(TREE, { restrictions: [{ ...range, min_los_arrival: null }] }));
  expect(restrictions.size).toBe(0);
});

test("weekdays select nights of a range", () => {
  const world = onSale();
  const week = { room_type_id: ROOM.id, from: "2026-10-05", to: "2026-10-11" };
  const days_of_week = ["fri", "sun"] as const;
  world.when(updateAri(TREE, { restrictions: [{ ...week, days_of_week, stop_sell: true }] }));
  const { restrictions } = world.state.property(REALM, TREE.id)!.rooms.get(ROOM.id)!;
  expect([...restrictions.keys()].map(dateOf)).toEqual(["2026-10-09", "2026-10-11"]);
});

test("past nights are forgotten, and later ones are kept", () => {
  const world = onSale();
  const early = booked(world, stayIn(1, 1));
  booked(world, stayIn(200, 1));
  const at = (inDays: number) => ({
    room_type_id: ROOM.id,
    from: dateOf(dayIn(inDays)),
    to: dateOf(dayIn(inDays)),
  });
  const restrictions = [1, 200].map((day) => ({ ...at(day), stop_sell: true }));
  world.when(updateAri(TREE, { restrictions }));
  world.at(NOON + 190 * DAY_MS).due();
  // A clock that jumped half a year has lived through one day.
  const jumped = world.state.property(REALM, TREE.id)!.rooms.get(ROOM.id)!;
  expect(jumped.sold.entries()).toHaveLength(2);
  expect([...jumped.restrictions.keys()]).toEqual([dayIn(1), dayIn(200)]);
  world.live(190);
  const room = world.state.property(REALM, TREE.id)!.rooms.get(ROOM.id)!;
  expect(room.sold.entries()).toHaveLength(1);
  expect(room.sold.get(dayIn(200))).toBe(1);
  expect([...room.restrictions.keys()]).toEqual([dayIn(200)]);
  world.when(cancelBooking(early));
  expect(room.sold.entries()).toHaveLength(1);
});

test("a ceiling set while the clock was ahead counts the nights that returned", () => {
  const world = onSale();
  const day = dayIn(-290);
  const ceilings = [AGENT, null].map((agent_id) => {
    const nights = { from: dateOf(day), to: dateOf(dayIn(200)) };
    return { room_type_id: ROOM.id, ...nights, agent_id, ceiling: 1 };
  });
  world.when(updateAri(TREE, { ceilings }));
  const state = new State({ tracksExpiry: true });
  for (const row of world.rows) evolve(state, row, null);
  const data = {
    from: new Date(NOON).toISOString(),
    to: new Date(NOON - 300 * DAY_MS).toISOString(),
  };
  const corrected = { type: "clock.corrected", seq: 99, data, secret: { refund_ids: [] } };
  const last = world.rows.at(-1)!;
  evolve(state, { ...last, row: last.row + 1, events: [corrected] } as unknown as Row, null);
  const move = moveOf({ quote: frozenQuote(TREE, { stay: stayIn(-290, 1) }), agent_id: AGENT });
  const room = state.property(REALM, TREE.id)!.rooms.get(ROOM.id)!;
  moveUnits(state, room, move, 1, 0);
  expect(room.held.get(day)).toBe(1);
  expect(room.ceilings.map((ceiling) => ceilingUsed(ceiling, room, day))).toEqual([1, 1]);
});

test("the lookups of an update grow with its size only, not with the property's", () => {
  const lookUps = (rooms: number) => {
    const room_types = Array.from({ length: rooms }, (_, i) =>
      roomType({ id: `room-${i}`, rate_plans: [ratePlan({ id: `plan-${i}` })] }),
    );
    const tree = propertyTree({ room_types });
    const range = { from: dateOf(dayIn(30)), to: dateOf(dayIn(30)) };
    const named = room_types.map(({ id, rate_plans: [plan] }) => ({ id, planId: plan!.id }));
    const update = updateAri(tree, {
      inventory: named.map(({ id }) => ({ ...range, room_type_id: id, capacity: 3 })),
      rates: named.map(({ planId }) => ({ ...range, rate_plan_id: planId, amount: 9_000 })),
      ceilings: named.map(({ id }) => ({
        ...range,
        room_type_id: id,
        agent_id: AGENT,
        ceiling: 1,
      })),
    });
    const world = given(createProperty(tree));
    using looks = spyOn(Map.prototype, "get");
    world.when(update).recorded("ari.changed");
    return looks.mock.calls.length;
  };
  expect(lookUps(200)).toBeLessThan(2.1 * lookUps(100));
});
