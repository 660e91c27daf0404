/**
 * Goal: an event is complete, without a secret, and has the same bytes for ever. Method: a history
 * with every kind of event is read twice, step by step and at its end, when holds have ended,
 * bookings are cancelled and refunds are settled.
 */
import { expect, test } from "bun:test";
import {
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  ratePlan,
  replaceProperty,
  roomType,
  stayIn,
  TENANT,
  updateAri,
} from "../../test/support/builders.ts";
import { everyEvent, livingIn } from "../../test/support/every-event.ts";
import { dayIn, given, type Scenario } from "../../test/support/given.ts";
import { dateOf } from "./calendar.ts";
import type { Row } from "./events/event.ts";
import {
  EVENT_BYTES_MAX,
  EVENTS_API_VERSION,
  type EventLookups,
  PUBLIC_KINDS,
  publicEvents,
  type UnlistedEvent,
} from "./public-events.ts";
import { RecordDamaged } from "./record-damage.ts";

function tell(world: Scenario, row: Row): readonly UnlistedEvent[] {
  return publicEvents(row, chainOf(row), lookupsOf(world));
}

/** What events are told from, as a replica of the scenario has it. */
function lookupsOf({ state, records }: Scenario): EventLookups {
  return {
    hold: (id) => state.holds.get(id) ?? records.hold(id),
    booking: records.booking,
    payment: (id) => state.payments.get(id) ?? records.payment(id),
    refund: records.refund,
    authorization: records.authorization,
    incident: records.incident,
  };
}

/** Stands for the journal's own chain. */
function chainOf({ row }: Row): string {
  return Bun.SHA256.hash(`row ${row}`, "hex") as string;
}

/** All events, each as it was told when it was new; and the scenario they are of. */
function life() {
  const early: UnlistedEvent[] = [];
  let done = 0;
  const world = given();
  const tellNew = () => {
    for (const row of world.rows.slice(done)) early.push(...tell(world, row));
    done = world.rows.length;
  };
  everyEvent(livingIn(world), tellNew);
  tellNew();
  return { world, early, late: world.rows.flatMap((row) => tell(world, row)) };
}

const { world, early, late } = life();

test("the test history has every kind of event", () => {
  const kinds = new Set<string>(late.map(({ event }) => event.type));
  expect([...kinds].sort()).toEqual([...PUBLIC_KINDS].sort());
});

test("an event has the same bytes whatever has happened since", () => {
  expect(JSON.stringify(late)).toBe(JSON.stringify(early));
});

test("an unfiltered list has every seq and every id once, and ids sort by time", () => {
  const live = late.filter(({ event }) => event.mode === "live");
  expect(live.map(({ event }) => event.seq)).toEqual(live.map((_each, nth) => nth + 1));
  const ids = late.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{28}$/);
  const times = ids.map((id) => id.slice(0, 14));
  expect(times).toEqual([...times].sort());
});

test("an id depends on the chain: the event of another history has another id", () => {
  const row = world.rows.at(-1)!;
  const [one] = publicEvents(row, "a".repeat(64), lookupsOf(world));
  const [other] = publicEvents(row, "b".repeat(64), lookupsOf(world));
  expect(one!.event.id).not.toBe(other!.event.id);
});

test("no event contains a secret or guest data", () => {
  const secrets = world.rows.flatMap(({ events }) => {
    return events.flatMap((event) => ("secret" in event ? [event.secret] : []));
  });
  expect(secrets.length).toBeGreaterThan(2);
  const text = JSON.stringify(late);
  for (const word of ["secret", "encrypted", "sealed", "wrapped", "traveler", "body_hash"]) {
    expect({ word, isTold: text.includes(word) }).toEqual({ word, isTold: false });
  }
});

test("rows without a tenant give no events", () => {
  const own = world.rows.filter(({ tenant_id }) => tenant_id === "");
  expect(own.map(({ events }) => events[0]!.type)).toContain("horizon.advanced");
  expect(own.flatMap((row) => tell(world, row))).toEqual([]);
});

test("a cancelled booking's event has its ids, its money, its stay and its receipt", () => {
  const found = late.find(({ event }) => event.type === "booking.cancelled")!;
  expect(found.property_id).toBe("property-one");
  expect(found.event).toMatchObject({
    ...{ tenant_id: TENANT, mode: "live", api_version: EVENTS_API_VERSION },
    timestamp: "2026-09-01T12:00:00.000Z",
    subject: { type: "booking", version: 2 },
    data: {
      booking_id: found.event.subject.id,
      ...{ state: "cancelled", cancelled_at: "2026-09-01T12:00:00.000Z", agent_id: "agt_ann" },
      ...{ total: 20_000, fee: 0, refund: 20_000, currency: "EUR", omitted: ["guest"] },
      stay: { check_in: "2026-10-07", check_out: "2026-10-09" },
      receipt: { kind: "booking_cancelled" },
    },
  });
});

test("an event shows the state that it made, not the current one", () => {
  const states = late.flatMap(({ event: { type, data } }) => {
    return type.startsWith("hold.") ? [`${type} ${data.state}`] : [];
  });
  const expected = ["created held", "extended held", "released released", "expired expired"];
  expect([...new Set(states)]).toEqual(expected.map((each) => `hold.${each}`));
});

test("events of large trees and updates give their counts, and no event is too large", () => {
  const plans = Array.from({ length: 200 }, (_, nth) => ratePlan({ id: `plan-${nth}` }));
  const tree = propertyTree({ room_types: [roomType({ rate_plans: plans })] });
  const large = given(createProperty(tree));
  const rates = plans.map(({ id }, nth) => ({
    ...{ from: "2026-10-01", to: `2026-12-${10 + (nth % 20)}` },
    ...{ rate_plan_id: id, amount: 9_000 + nth },
  }));
  large.when(updateAri(tree, { rates }));
  const [created, changed] = large.rows.flatMap((row) => tell(large, row));
  expect(created!.event.data).toEqual({
    ...{ property_id: "property-one", state: "draft", slug: "one", name: "One" },
    ...{ room_type_count: 1, rate_plan_count: 200 },
    ...{ truncated: true, read: "/v1/admin/properties/property-one" },
  });
  expect(changed!.event.data).toEqual({
    ...{ property_id: "property-one", from: "2026-10-01", to: "2026-12-29" },
    counts: { inventory: 0, rates: 200, restrictions: 0, ceilings: 0 },
    ...{ truncated: true, read: null },
  });
  // Journaled as a difference, and told like the same tree as a row of before has it whole.
  const edited = { ...tree, name: "Two" };
  const came = large.when(replaceProperty(edited, { base_version: 1 }));
  expect(came.event("property.replaced").difference).toBeDefined();
  const row = large.rows.at(-1)!;
  const data = { property_id: tree.id, tree: edited, version: 2, supply_version: 2 };
  const whole = [{ ...row.events[0]!, type: "property.replaced" as const, data }];
  expect(tell(large, row)).toEqual(tell(large, { ...row, events: whole }));
  expect(tell(large, row)[0]!.event.data).toMatchObject({
    name: "Two",
    truncated: true,
    version: 2,
  });
  for (const { event } of late) {
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(EVENT_BYTES_MAX);
  }
});

test("an event whose record is lost is refused by the record's name, never sent in part", () => {
  const row = world.rows.find(({ events }) => events[0]?.type === "hold.released")!;
  const lost = { ...lookupsOf(world), hold: () => null };
  expect(() => publicEvents(row, chainOf(row), lost)).toThrow(RecordDamaged);
});

test("the events of a notice have the content of the notice", () => {
  const iss = "https://id.example";
  const { data } = late.find(
    ({ event }) => event.type === "delegation_issuer.status_changed",
  )!.event;
  expect(data).toEqual({ issuer_id: "iss_1", iss, status: "active", previous_status: "suspended" });
});

test("a change that oversells reports how many nights, and others report none", () => {
  const tree = propertyTree();
  const [room] = tree.room_types;
  const world = given(createProperty(tree), promoteProperty(tree));
  for (const _ of [1, 2]) world.when(placeHold(frozenQuote(tree, { stay: stayIn(30, 2) })));
  const having = (default_inventory: number) => ({
    ...tree,
    room_types: [{ ...room!, default_inventory }, ...tree.room_types.slice(1)],
  });
  const told = (command: Parameters<typeof world.when>[0]) => {
    world.when(command);
    return tell(world, world.rows.at(-1)!)[0]!.event.data.oversold_nights;
  };
  const at = { room_type_id: room!.id, from: dateOf(dayIn(30)), to: dateOf(dayIn(30)) };
  const update = (capacity: number | null) => updateAri(tree, { inventory: [{ ...at, capacity }] });
  expect(told(update(0))).toBe(1);
  expect(told(update(null))).toBeUndefined();
  expect(told(replaceProperty(having(1)))).toBe(2);
  expect(told(replaceProperty(having(2), { base_version: 3 }))).toBeUndefined();
});
