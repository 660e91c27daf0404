/** Oversell incidents: the row that takes units opens them, the row that frees them ends them. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bookedAt } from "../../../test/support/booked.ts";
import {
  archiveProperty,
  atDesk,
  beginBooking,
  cancelAtDesk,
  cancelBooking,
  frozenQuote,
  HOLD_TTL_MS,
  modifyBooking,
  NOON,
  OTHER_TENANT,
  paymentResult,
  placeHold,
  propertyTree,
  ratePlan,
  releaseHold,
  replaceProperty,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, type Scenario } from "../../../test/support/given.ts";
import {
  acknowledgeIncident,
  moveTo,
  resolveIncident,
  scanOversell,
} from "../../../test/support/incidents.ts";
import { dateOf } from "../calendar.ts";
import { decodeState, encodeState } from "../codec/state-codec.ts";
import type { FrozenQuote } from "../price/quote.ts";

const DAY_MS = 86_400_000;
const SUITE = roomType({
  id: "room-suite",
  code: "STE",
  default_inventory: 1,
  rate_plans: [ratePlan({ id: "plan-suite" })],
});
const TREE = propertyTree({ room_types: [roomType(), SUITE] });
const ROOM = TREE.room_types[0]!.id;
const DETECTED = "inventory.oversell_detected";
const RESOLVED = "inventory.oversell_resolved";
const TAKEN = "inventory.oversell_action_taken";

/** A booking of nights 30 and 31, one of the double's two units. */
const booked = () => bookedAt(TREE);

/** Sets the units of the double from a day on, for some nights. */
function units(capacity: number, first = 30, nights = 2) {
  const range = { from: dateOf(dayIn(first)), to: dateOf(dayIn(first + nights - 1)) };
  return updateAri(TREE, { inventory: [{ room_type_id: ROOM, ...range, capacity }] });
}

/** The booked nights without a unit, and the incident that this opens. */
function flooded() {
  const made = booked();
  const came = made.world.when(units(0)).recorded("ari.changed", DETECTED);
  return { ...made, came, incidentId: came.event(DETECTED).incident_id };
}

const incident = (world: Scenario, id: string) => world.records.incident(id)!;

test("an update that takes units from guests opens one incident for the run of nights", () => {
  const { world, came, incidentId } = flooded();
  expect(came.event(DETECTED)).toEqual({
    ...{ incident_id: incidentId, property_id: TREE.id, room_type_id: ROOM },
    ...{ cause: "availability_update", from: dateOf(dayIn(30)), until: dateOf(dayIn(32)) },
    nights: [30, 31].map((day) => {
      return { date: dateOf(dayIn(day)), capacity: 0, sold: 1, held: 0, excess: 1 };
    }),
  });
  expect(came.data).toMatchObject({ oversold_nights: 2, incidents: 1, incident_ids: [incidentId] });
  expect(incident(world, incidentId)).toMatchObject({ state: "open", ended: null, actions: [] });
});

test("a night is in one open incident at most, and a night that keeps its units opens none", () => {
  const { world } = flooded();
  world.when(units(0, 29, 4)).recorded("ari.changed");
  world.when(updateAri(TREE, { inventory: [outOfOrder(1)] })).recorded("ari.changed");
});

function outOfOrder(out_of_order: number) {
  const [from, to] = [dateOf(dayIn(30)), dateOf(dayIn(31))];
  return { room_type_id: ROOM, from, to, out_of_order };
}

test("nights that others lie between are incidents of their own", () => {
  const { world } = booked();
  world.when(placeHold(frozenQuote(TREE, { stay: stayIn(34, 1) })));
  const came = world.when(units(0, 28, 10)).recorded("ari.changed", DETECTED, DETECTED);
  expect(came.data).toMatchObject({ incidents: 2, oversold_nights: 3 });
  const opened = came.decision.events.slice(1).map(({ data }) => data);
  expect(opened).toMatchObject([
    { from: dateOf(dayIn(30)), until: dateOf(dayIn(32)) },
    { from: dateOf(dayIn(34)), until: dateOf(dayIn(35)), nights: [{ held: 1, excess: 1 }] },
  ]);
  expect(world.state.incidents.size).toBe(2);
});

test("a new tree opens incidents, and one with enough rooms ends them", () => {
  const { world } = booked();
  world.when(placeHold(frozenQuote(TREE)));
  const cut = propertyTree({ room_types: [roomType({ default_inventory: 1 }), SUITE] });
  const came = world
    .when(replaceProperty(cut, { base_version: 2 }))
    .recorded("property.replaced", DETECTED);
  expect(came.event(DETECTED).cause).toBe("property_change");
  const back = propertyTree({ room_types: [roomType({ default_inventory: 2 }), SUITE] });
  const { reason } = world
    .when(replaceProperty(back, { base_version: 3 }))
    .recorded("property.replaced", RESOLVED)
    .event(RESOLVED);
  expect(reason).toBe("capacity");
  expect(world.state.incidents.size).toBe(0);
});

test("what frees the last unit ends the incident in its own row, and says why", () => {
  const ends: Readonly<Record<string, (world: Scenario, bookingId: string) => string[]>> = {
    capacity: (world) => world.when(units(1)).types,
    cancellation: (world, id) => world.when(cancelBooking(id)).types,
    modification: (world, id) => {
      const { quote } = world.records.booking(id)!;
      const stay = stayIn(40, 2);
      return world.when(modifyBooking(id, frozenQuote(TREE, { ...quote, stay }))).types;
    },
    no_show: (world, id) => {
      world.at(NOON + 30 * DAY_MS + 4 * 3_600_000);
      return world.when(atDesk("RecordNoShow", id)).types;
    },
    departure: (world, id) => {
      world.at(NOON + 30 * DAY_MS);
      world.when(atDesk("CheckInGuest", id));
      return world.when(atDesk("CompleteStay", id)).types;
    },
  };
  for (const [reason, end] of Object.entries(ends)) {
    const { world, bookingId, incidentId } = flooded();
    expect(end(world, bookingId)).toContain(RESOLVED);
    expect(incident(world, incidentId)).toMatchObject({ state: "resolved", ended: { reason } });
    expect(world.state.incidents.size).toBe(0);
    expect(world.state.property(world.rows[1]!, TREE.id)!.rooms.get(ROOM)!.incidents).toBeNull();
  }
});

test("a hold that is released or expires ends the incident that it was the excess of", () => {
  for (const isReleased of [true, false]) {
    const world = booked().world;
    const hold = world.when(placeHold(frozenQuote(TREE, {}))).text("hold_id");
    const came = world.when(units(1)).recorded("ari.changed", DETECTED);
    const ended = isReleased
      ? world.when(releaseHold(hold))
      : world.at(world.stamp + HOLD_TTL_MS).due()!;
    expect(ended.types).toEqual([isReleased ? "hold.released" : "hold.expired", RESOLVED]);
    const { incident_id } = came.event(DETECTED);
    expect(incident(world, incident_id).ended).toMatchObject({ reason: "hold_ended" });
  }
});

test("an incident stays open while one of its nights is oversold", () => {
  const { world, bookingId, incidentId } = flooded();
  world.when(units(1, 30, 1)).recorded("ari.changed");
  expect(incident(world, incidentId).state).toBe("open");
  world.when(cancelAtDesk(bookingId, { waives_fee: true }));
  expect(incident(world, incidentId).state).toBe("resolved");
});

test("a scan opens an incident for the oversold nights around a date that have none", () => {
  const { world, incidentId } = flooded();
  const at = { property_id: TREE.slug, room_type_id: ROOM, date: dateOf(dayIn(31)) };
  const known = world.when(scanOversell(at)).recorded();
  expect(known.data).toMatchObject({ incident_id: incidentId, seq: null });
  world.when(resolveIncident(incidentId, { action: "accept" }));
  const anew = world.when(scanOversell(at)).recorded(DETECTED);
  expect(anew.event(DETECTED)).toMatchObject({ cause: "scan", from: dateOf(dayIn(30)) });
  const free = { ...at, date: dateOf(dayIn(33)) };
  const none = { capacity: 2, sold: 0, held: 0 };
  world.when(scanOversell(free)).refused("oversell_not_detected", none);
  world.when(scanOversell({ ...at, room_type_id: "x" })).refused("room_type_not_found");
  world.when(scanOversell({ ...at, property_id: "x" })).refused("property_not_found");
});

test("an incident is acknowledged once, and found only in its own tenant", () => {
  const { world, incidentId } = flooded();
  const came = world.when(acknowledgeIncident(incidentId));
  expect(came.data).toMatchObject({ state: "acknowledged", oversold_nights: 2 });
  expect(world.when(acknowledgeIncident(incidentId)).recorded().data).toMatchObject({ seq: null });
  world.when(acknowledgeIncident("osi_x")).refused("oversell_incident_not_found");
  const foreign = { ...acknowledgeIncident(incidentId), tenant_id: OTHER_TENANT };
  world.when(foreign).refused("oversell_incident_not_found");
});

test("a guest is moved to another room type at the former price, with goodwill on top", () => {
  const { world, quote, bookingId, incidentId } = flooded();
  const move = moveTo(quote, SUITE.id, "plan-suite");
  const relocate = { action: "relocate", booking_id: bookingId, move, compensation: 500 } as const;
  const came = world.when(resolveIncident(incidentId, relocate));
  came.recorded("booking.modified", "refund.requested", TAKEN, RESOLVED);
  expect(came.decision.phase).toBe("sealed");
  expect(came.data).toMatchObject({
    ...{ state: "resolved", action: "relocate", booking_id: bookingId, oversold_nights: 0 },
    refund: { amount: 500, state: "pending" },
  });
  expect(world.cell(TREE.id, SUITE.id, dayIn(30))).toEqual({ held: 0, sold: 1 });
  expect(incident(world, incidentId)).toMatchObject({
    actions: [{ action: "relocate", booking_id: bookingId, by: { id: "agt_ops" } }],
    ended: { reason: "relocate" },
  });
});

test("a move that the other room refuses changes nothing", () => {
  const { world, quote, bookingId, incidentId } = flooded();
  world.when(placeHold(frozenQuote(TREE, inSuite(quote))));
  const move = moveTo(quote, SUITE.id, "plan-suite");
  const upgrade = { action: "upgrade", booking_id: bookingId, move } as const;
  world.when(resolveIncident(incidentId, upgrade)).refused("allocation_failed");
  const paidOut = { ...upgrade, compensation: 9_000 };
  world.when(resolveIncident(incidentId, paidOut)).refused("allocation_failed");
  expect(incident(world, incidentId)).toMatchObject({ state: "open", actions: [] });
});

function inSuite(quote: FrozenQuote): Partial<FrozenQuote> {
  return { ...quote, room_type_id: SUITE.id, rate_plan_id: "plan-suite" };
}

test("a guest is sent home with everything refunded, and the answer does not wait for it", () => {
  const { world, bookingId, incidentId } = flooded();
  const cancel = { action: "cancel_with_refund", booking_id: bookingId } as const;
  const came = world.when(resolveIncident(incidentId, cancel));
  came.recorded("booking.cancelled", "refund.requested", TAKEN, RESOLVED);
  expect(came.data).toMatchObject({ refund: { amount: 8_001, state: "pending" } });
  expect(world.state.awaitingRefund.size).toBe(0);
});

test("rooms that come back end it; what changes nothing is refused", () => {
  const { world, incidentId } = flooded();
  const ari = { inventory: [outOfOrder(0)] };
  const restore = (of: object) => {
    return world.when(resolveIncident(incidentId, { action: "restore_capacity", ari: of }));
  };
  restore(ari).refused("conflict", { reason: "nothing_changed" });
  const [from, to] = [dateOf(dayIn(30)), dateOf(dayIn(31))];
  const range = { room_type_id: ROOM, from, to, capacity: 1 };
  restore({ inventory: [{ ...range, room_type_id: "x" }] }).refused("validation_failed");
  restore({ inventory: [{ ...range, to: from }] }).recorded("ari.changed", TAKEN);
  expect(incident(world, incidentId).state).toBe("open");
  restore({ inventory: [range] }).recorded("ari.changed", TAKEN, RESOLVED);
});

test("accepted nights raise no limit and open no incident again until units go", () => {
  const { world, incidentId } = flooded();
  world.when(resolveIncident(incidentId, { action: "accept" }));
  expect(incident(world, incidentId)).toMatchObject({ state: "dismissed" });
  world.when(placeHold(frozenQuote(TREE))).refused("allocation_failed");
  world.when(units(0, 29, 4)).recorded("ari.changed");
  world.when(updateAri(TREE, { inventory: [outOfOrder(2)] })).recorded("ari.changed", DETECTED);
  world.when(acknowledgeIncident(incidentId)).refused("conflict", { state: "dismissed" });
});

test("only a booking on an oversold night helps", () => {
  const { world, quote, incidentId } = flooded();
  const other = bookAgain(world, frozenQuote(TREE, { ...quote, stay: stayIn(40, 1) }));
  const cancel = { action: "cancel_with_refund", booking_id: other } as const;
  const refused = world.when(resolveIncident(incidentId, cancel));
  refused.refused("conflict", { reason: "booking_not_affected", booking_id: other });
  const unknown = { ...cancel, booking_id: "bkg_x" };
  world.when(resolveIncident(incidentId, unknown)).refused("booking_not_found");
});

/** Another booking of a quote. */
function bookAgain(world: Scenario, quote: FrozenQuote): string {
  const hold_id = world.when(placeHold(quote)).text("hold_id");
  const begun = world.when(beginBooking({ hold_id, quote_id: quote.quote_id }));
  return world.when(paymentResult(begun.text("payment_id"), "captured")).text("booking_id");
}

test("an incident ends when its last night has passed at the property", () => {
  const { world, incidentId } = flooded();
  // Madrid's is two hours before that of UTC.
  const midnight = dayIn(32) * DAY_MS - 2 * 3_600_000;
  while (world.stamp + DAY_MS < midnight) world.live(1);
  expect(world.at(midnight - 1).due()?.types ?? []).not.toContain(RESOLVED);
  while (world.due());
  expect(world.at(midnight).due()!.types).toEqual([RESOLVED]);
  expect(incident(world, incidentId).ended).toMatchObject({ reason: "passed", at: midnight });
  expect(world.due()).toBeNull();
});

test("a call on an incident whose nights have just passed ends it", () => {
  const { world, incidentId } = flooded();
  world.at(world.stamp + 32 * DAY_MS);
  const came = world.when(resolveIncident(incidentId, { action: "accept" }));
  expect(came.outcome).toMatchObject({ ok: false, code: "oversell_not_detected" });
  came.recorded(RESOLVED);
  expect(incident(world, incidentId).ended).toMatchObject({ reason: "passed" });
});

test("a channel that has no units left leaves an oversold night as it is; units left end it", () => {
  const { world, incidentId } = flooded();
  const range = { from: dateOf(dayIn(29)), to: dateOf(dayIn(31)) };
  const left = (units: number) => {
    return updateAri(TREE, { units_left: [{ room_type_id: ROOM, ...range, left: units }] });
  };
  world.when(left(0)).recorded("ari.changed");
  const room = world.state.property(world.rows[1]!, TREE.id)!.rooms.get(ROOM)!;
  expect([29, 30, 31].map((day) => room.capacity.get(dayIn(day)))).toEqual([0, 0, 0]);
  expect(incident(world, incidentId).state).toBe("open");
  world.when(left(1)).recorded("ari.changed", RESOLVED);
  expect([29, 30, 31].map((day) => room.capacity.get(dayIn(day)))).toEqual([1, 2, 2]);
});

test("an archived property keeps its incidents", () => {
  const { world, bookingId, incidentId } = flooded();
  world.when(archiveProperty(TREE));
  world.when(cancelAtDesk(bookingId, { waives_fee: true }));
  expect(incident(world, incidentId).state).toBe("resolved");
});

test("a snapshot keeps the open incidents, in memory and at their rooms", () => {
  const { world, bookingId, incidentId } = flooded();
  const chunks = [...encodeState(world.state)];
  const restored = decodeState(chunks, { tracksExpiry: true });
  expect([...restored.incidents.keys()]).toEqual([incidentId]);
  expect([...encodeState(restored)]).toEqual(chunks);
  world.state = restored;
  world.when(cancelAtDesk(bookingId, { waives_fee: true }));
  expect(incident(world, incidentId).state).toBe("resolved");
});

test("one command opens 200 incidents at most; a scan opens the others", () => {
  const { world } = booked();
  for (let day = 40; day < 40 + 2 * 210; day += 2) {
    world.when(placeHold(frozenQuote(TREE, { stay: stayIn(day, 1) })));
  }
  const came = world.when(units(0, 30, 500));
  expect(came.data).toMatchObject({ incidents: 200, oversold_nights: 212 });
  expect(came.data.incident_ids).toHaveLength(20);
  expect(new Set(world.state.incidents.keys()).size).toBe(200);
  const date = dateOf(dayIn(40 + 2 * 209));
  world.when(scanOversell({ property_id: TREE.id, room_type_id: ROOM, date })).recorded(DETECTED);
});

test("a night is oversold exactly while an incident is open on it, or was accepted", () => {
  const FIRST = 28;
  const NIGHTS = 8;
  const cut = fc.record({
    first: fc.integer({ min: FIRST, max: FIRST + NIGHTS - 1 }),
    nights: fc.integer({ min: 1, max: 4 }),
    capacity: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(cut, { minLength: 1, maxLength: 12 }), fc.nat(11), (cuts, at) => {
      const { world, bookingId } = booked();
      world.when(placeHold(frozenQuote(TREE, { stay: stayIn(31, 3) })));
      cuts.forEach(({ first, nights, capacity }, nth) => {
        world.when(units(capacity, first, nights));
        if (nth === at) world.when(cancelAtDesk(bookingId));
        const room = world.state.property(world.rows[1]!, TREE.id)!.rooms.get(ROOM)!;
        const open = room.incidents ?? [];
        for (let day = dayIn(FIRST); day < dayIn(FIRST + NIGHTS); day += 1) {
          const own = room.capacity.get(day);
          const taken = room.sold.get(day) + room.held.get(day);
          if (taken <= (own === 0xffff ? 2 : own)) continue;
          expect(open.filter((each) => each.firstDay <= day && day < each.endDay)).toHaveLength(1);
        }
        for (const { firstDay, endDay } of open) {
          const days = Array.from({ length: endDay - firstDay }, (_, i) => firstDay + i);
          const isOversold = (day: number) => {
            return room.sold.get(day) + room.held.get(day) > room.capacity.get(day);
          };
          expect(days.some(isOversold)).toBe(true);
        }
      });
    }),
  );
});
