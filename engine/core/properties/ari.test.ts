/** Supply commands: all or nothing, every problem at once, commitments are never forgotten. */
import { expect, spyOn, test } from "bun:test";
import {
  AGENT,
  archiveProperty,
  beginBooking,
  cancelBooking,
  commandMeta,
  createProperty,
  frozenQuote,
  NOON,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  suspendProperty,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf, dayOf } from "../calendar.ts";
import { windowEnd } from "../state/nights.ts";
import type { AriUpdate } from "../supply.ts";

const SUITE = roomType({ id: "room-suite", rate_plans: [ratePlan({ id: "plan-suite" })] });
const TREE = propertyTree({ room_types: [roomType({ default_inventory: 9 }), SUITE] });
const ROOM = TREE.room_types[0]!;
const PLAN = ROOM.rate_plans[0]!.id;
const range = { room_type_id: ROOM.id, from: dateOf(dayIn(30)), to: dateOf(dayIn(31)) };

test("a new property is a draft at its first version", () => {
  const created = given().when(createProperty(TREE));
  created.recorded("property.created");
  const facts = { property_id: TREE.id, slug: "one", state: "draft", version: 1, seq: 1 };
  expect(created.data).toMatchObject(facts);
});

test("id and slug are unique within their tenant and mode; the id is checked first", () => {
  const world = given(createProperty(TREE));
  const id_taken = { reason: "id_taken", property_id: TREE.id };
  world.when(createProperty(TREE)).refused("conflict", id_taken);
  for (const other of [{ tenant_id: OTHER_TENANT }, { mode: "test" }] as const) {
    expect(world.when(createProperty(TREE, other)).outcome.ok).toBe(true);
    world.when(createProperty(TREE, other)).refused("conflict", id_taken);
  }
  const twin = { ...TREE, id: "property-two" };
  const slug_taken = { reason: "slug_taken", slug: "one", property_id: TREE.id };
  world.when(createProperty(twin)).refused("conflict", slug_taken);
});

test("promotion makes a draft live once; a dry run only reports what would happen", () => {
  const world = given(createProperty(TREE));
  const dry = world.when(promoteProperty(TREE, { dry_run: true }));
  dry.recorded();
  expect(dry.data).toMatchObject({ state: "draft", dry_run: true, version: 1, warnings: [] });
  const done = world.when(promoteProperty(TREE));
  done.recorded("property.promoted");
  expect(done.data).toMatchObject({ state: "live", version: 2 });
  const again = world.when(promoteProperty(TREE));
  again.recorded();
  expect(again.data).toMatchObject({ state: "live", version: 2 });
});

test("a live property is suspended and promoted again, each once; a draft is not on sale", () => {
  const world = given(createProperty(TREE));
  world.when(suspendProperty(TREE)).refused("conflict", { reason: "not_on_sale", state: "draft" });
  world.when(promoteProperty(TREE));
  const off = world.when(suspendProperty(TREE)).recorded("property.suspended");
  expect(off.data).toMatchObject({ state: "suspended", version: 3, seq: 3 });
  const again = world.when(suspendProperty(TREE)).recorded();
  expect(again.data).toMatchObject({ state: "suspended", version: 3, seq: null });
  const stopped = world.when(placeHold(frozenQuote(TREE)));
  stopped.refused("allocation_failed", { reason: "restriction" });
  world.when(promoteProperty(TREE)).recorded("property.promoted");
  expect(world.when(placeHold(frozenQuote(TREE))).outcome.ok).toBe(true);
});

test("holds and bookings continue at an archived property, which stays archived", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const held = world.when(placeHold(frozenQuote(TREE, { due_now: 0 })));
  const off = world.when(archiveProperty(TREE)).recorded("property.archived");
  expect(off.data).toMatchObject({ state: "archived", version: 3 });
  world.when(archiveProperty(TREE)).recorded();
  world.when(placeHold(frozenQuote(TREE))).refused("allocation_failed", { reason: "restriction" });
  const ids = { hold_id: held.text("hold_id"), quote_id: held.text("quote_id") };
  const booking_id = world.when(beginBooking(ids)).text("booking_id");
  expect(world.when(cancelBooking(booking_id)).outcome.ok).toBe(true);
  for (const command of [promoteProperty(TREE), suspendProperty(TREE)]) {
    world.when(command).refused("conflict", { reason: "property_archived", property_id: TREE.id });
  }
  expect(world.when(archiveProperty(propertyTree({ id: "none" }))).outcome.ok).toBe(false);
});

test("a property that is not ready is refused with every reason", () => {
  const bare = propertyTree({ geo: null, checkin_time: null });
  const refused = given(createProperty(bare)).when(
    promoteProperty(bare, { payments_configured: false }),
  );
  refused.refused("property_not_promotable", { property_id: bare.id, state: "draft" });
  const { detail } = refused.outcome as { detail: { reasons?: { code: string }[] } };
  expect(detail.reasons?.map(({ code }) => code)).toEqual([
    "missing_geo",
    "missing_checkin_time",
    "payment_provider_not_configured",
  ]);
});

test("a property of another tenant or mode is unknown", () => {
  const world = given(createProperty(TREE));
  const ari = { inventory: [{ ...range, capacity: 1 }] };
  for (const over of [{ tenant_id: OTHER_TENANT }, { mode: "test" as const }]) {
    world.when(promoteProperty(TREE, over)).refused("property_not_found");
    world.when(updateAri(TREE, ari, over)).refused("property_not_found");
  }
});

test("a refused update lists every foreign id and every date out of range, and applies nothing", () => {
  const world = given(createProperty(TREE));
  const tooFar = dateOf(windowEnd(dayIn(-2)));
  const refused = world.when(
    updateAri(TREE, {
      inventory: [
        { ...range, capacity: 1 },
        { ...range, to: tooFar, capacity: 1 },
      ],
      rates: [{ rate_plan_id: "plan-x", from: range.from, to: range.to, amount: 1 }],
      restrictions: [{ ...range, rate_plan_id: "plan-suite", stop_sell: true }],
      ceilings: [{ ...range, room_type_id: "room-x", ceiling: 1 }],
    }),
  );
  refused.refused("validation_failed");
  expect(refused.decision.phase).toBe("transient");
  const { detail } = refused.outcome as { detail: { field_errors?: { path: string }[] } };
  expect(detail.field_errors?.map(({ path }) => path)).toEqual([
    "/inventory/1/to",
    "/rates/0/rate_plan_id",
    "/restrictions/0/rate_plan_id",
    "/ceilings/0/room_type_id",
  ]);
  const stored = world.state.property(REALM, TREE.id)?.rooms.get(ROOM.id);
  expect(stored?.capacity.entries()).toEqual([]);
});

test("an update accepts codes of rooms and plans, and is journaled with ids only", () => {
  const flex = (id: string) => ratePlan({ id, code: "FLEX" });
  const rooms = [
    roomType({ id: "room-dbl", code: "DBL", rate_plans: [flex("dbl-flex")] }),
    roomType({ id: "room-sgl", code: "SGL", rate_plans: [flex("sgl-flex")] }),
  ];
  const tree = propertyTree({ room_types: rooms });
  const world = given(createProperty(tree));
  const { from, to } = range;
  const byCode = {
    inventory: [{ room_type_id: "dbl", from, to, capacity: 1 }],
    rates: [{ rate_plan_id: "Flex", room_type_id: "SGL", from, to, amount: 1 }],
    restrictions: [{ room_type_id: "SGL", rate_plan_id: "FLEX", from, to, cta: true }],
    ceilings: [{ room_type_id: "DBL", rate_plan_id: null, from, to, ceiling: 1 }],
  };
  const done = world.when(updateAri(tree, byCode));
  done.recorded("ari.changed");
  const [event] = done.decision.events;
  expect(event?.type === "ari.changed" && event.data.ari).toEqual({
    inventory: [{ room_type_id: "room-dbl", from, to, capacity: 1 }],
    rates: [{ rate_plan_id: "sgl-flex", from, to, amount: 1 }],
    restrictions: [{ room_type_id: "room-sgl", rate_plan_id: "sgl-flex", from, to, cta: true }],
    ceilings: [{ room_type_id: "room-dbl", rate_plan_id: null, from, to, ceiling: 1 }],
  });
  const rates = [{ rate_plan_id: "FLEX", from, to, amount: 1 }];
  const unclear = world.when(updateAri(tree, { rates }));
  unclear.refused("validation_failed", {
    field_errors: [
      {
        path: "/rates/0/rate_plan_id",
        message: "is ambiguous: several have this code",
        expected:
          "an id, or a code with its room_type_id: FLEX of DBL (dbl-flex), FLEX of SGL (sgl-flex)",
      },
    ],
  });
});

test("an update counts what it applied", () => {
  const world = given(createProperty(TREE));
  const rates = [{ rate_plan_id: PLAN, from: range.from, to: range.to, amount: 1 }];
  const done = world.when(updateAri(TREE, { inventory: [{ ...range, capacity: 1 }], rates }));
  done.recorded("ari.changed");
  const applied = { inventory: 1, rates: 1, restrictions: 0, ceilings: 0 };
  expect(done.data).toMatchObject({ applied, seq: 2 });
});

test("a capacity below the units taken is accepted and stops sales", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  world.when(placeHold(frozenQuote(TREE)));
  world.when(placeHold(frozenQuote(TREE)));
  const cut = world.when(updateAri(TREE, { inventory: [{ ...range, capacity: 1 }] }));
  expect(cut.data).toMatchObject({ oversold_nights: 2 });
  cut.recorded("ari.changed", "inventory.oversell_detected");
  expect(cut.event("ari.changed")).toMatchObject({ oversold_nights: 2 });
  expect(world.cell(TREE.id, ROOM.id, dayIn(30)).held).toBe(2);
  world.when(placeHold(frozenQuote(TREE))).refused("allocation_failed", { reason: "no_units" });
});

test("an update reports the nights that it oversells, whichever of its ranges caused it", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  for (const from of [30, 31, 31]) {
    world.when(placeHold(frozenQuote(TREE, { stay: stayIn(from, from === 30 ? 120 : 2) })));
  }
  const told = (inventory: NonNullable<AriUpdate["inventory"]>, over = {}) => {
    const { oversold, oversold_nights } = world.when(updateAri(TREE, { inventory }, over)).data;
    return { oversold, oversold_nights };
  };
  const none = { oversold: undefined, oversold_nights: undefined };
  const night = (inDays: number, held: number, effective: number, range: number) => {
    const date = dateOf(dayIn(inDays));
    return { room_type_id: ROOM.id, date, sold: 0, held, effective, range };
  };
  const all = { ...range, to: dateOf(dayIn(200)) };
  // What the last range says goes, and what is enough is told nobody.
  expect(
    told([
      { ...range, capacity: 0 },
      { ...range, capacity: null },
    ]),
  ).toEqual(none);
  expect(told([{ ...range, capacity: 3 }])).toEqual(none);
  const both = [
    { ...range, out_of_order: 1 },
    { ...all, from: range.to, overbooking_limit: 0 },
  ];
  const expected = { oversold: [night(31, 3, 2, 1)], oversold_nights: 1 };
  expect(told(both, { dry_run: true })).toEqual(expected);
  expect(told(both)).toEqual(expected);
  // It is so already, and what is set now leaves it so.
  expect(told([{ ...range, overbooking_limit: null }])).toMatchObject({ oversold_nights: 1 });
  expect(told([{ ...range, out_of_order: null, overbooking_limit: 1 }])).toEqual(none);
  const none_left = told([{ ...all, capacity: 0, overbooking_limit: 0 }]);
  expect(none_left).toMatchObject({ oversold_nights: 120 });
  expect(none_left.oversold).toHaveLength(100);
  expect(told([{ room_type_id: SUITE.id, from: range.from, to: range.to, capacity: 0 }])).toEqual(
    none,
  );
});

test("a past night is never reported as oversold", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  world.when(placeHold(frozenQuote(TREE, { stay: stayIn(0, 2) })));
  const nights = { from: dateOf(dayIn(-1)), to: dateOf(dayIn(1)) };
  const inventory = [{ room_type_id: ROOM.id, ...nights, capacity: 0 }];
  expect(world.when(updateAri(TREE, { inventory })).data).toMatchObject({ oversold_nights: 2 });
  world.at(NOON + 86_400_000);
  expect(world.when(updateAri(TREE, { inventory })).data).toMatchObject({
    oversold: [{ date: dateOf(dayIn(1)) }],
    oversold_nights: 1,
  });
});

test("a new ceiling for one agent and plan counts their existing holds and bookings", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const place = (over: Parameters<typeof frozenQuote>[1] = {}) =>
    world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 2), due_now: 0, ...over })));
  place();
  const placed = place();
  const ids = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  const booking = world.when(beginBooking(ids)).text("booking_id");
  const scope = { rate_plan_id: PLAN, agent_id: AGENT };
  const set = updateAri(TREE, { ceilings: [{ ...range, ...scope, ceiling: 3 }] });
  world.when(set).recorded("ari.changed");
  const ceiling = world.state.property(REALM, TREE.id)?.rooms.get(ROOM.id)?.ceilings[0];
  expect([30, 31, 32].map((day) => ceiling?.used?.get(dayIn(day)))).toEqual([2, 2, 0]);
  expect(place().outcome.ok).toBe(true);
  place().refused("allotment_exhausted", { ceiling: 3, used: 3 });
  world.when(cancelBooking(booking));
  expect(place().outcome.ok).toBe(true);
});

test("a new ceiling counts nothing of another tenant's property with the same ids", () => {
  const theirs = { tenant_id: OTHER_TENANT };
  const world = given(createProperty(TREE), promoteProperty(TREE), createProperty(TREE, theirs));
  const held = () => world.when(placeHold(frozenQuote(TREE, { due_now: 0 })));
  held();
  const booked = held();
  const ids = { hold_id: booked.text("hold_id"), quote_id: booked.text("quote_id") };
  world.when(beginBooking(ids)).text("booking_id");
  const ceilings = [{ ...range, agent_id: AGENT, ceiling: 1 }];
  world.when(updateAri(TREE, { ceilings }, theirs)).recorded("ari.changed");
  const theirRealm = { ...REALM, ...theirs };
  const ceiling = world.state.property(theirRealm, TREE.id)?.rooms.get(ROOM.id)?.ceilings[0];
  expect(ceiling?.used?.entries()).toEqual([]);
});

test("forgotten past nights are not counted into a new ceiling", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const placed = world.when(placeHold(frozenQuote(TREE, { stay: stayIn(1, 2), due_now: 0 })));
  const ids = { hold_id: placed.text("hold_id"), quote_id: placed.text("quote_id") };
  world.when(beginBooking(ids));
  world.live(300);
  const from = dateOf(dayIn(300));
  const ceilings = [{ ...range, from, to: from, agent_id: AGENT, ceiling: 1 }];
  world.when(updateAri(TREE, { ceilings }));
  const ceiling = world.state.property(REALM, TREE.id)?.rooms.get(ROOM.id)?.ceilings[0];
  expect(ceiling?.used?.entries()).toEqual([]);
});

test("new scopes of the agent, the plan and both in one update count each claim alike", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const held = () => world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 2), due_now: 0 })));
  const booked = held();
  const ids = { hold_id: booked.text("hold_id"), quote_id: booked.text("quote_id") };
  world.when(beginBooking(ids)).text("booking_id");
  held();
  const scopes = [
    { agent_id: AGENT },
    { rate_plan_id: PLAN },
    { rate_plan_id: PLAN, agent_id: AGENT },
    { agent_id: "another" },
    { agent_id: null },
  ];
  const ceilings = [...scopes, ...scopes].map((scope) => ({ ...range, ...scope, ceiling: 7 }));
  world.when(updateAri(TREE, { ceilings })).recorded("ari.changed");
  const room = world.state.property(REALM, TREE.id)?.rooms.get(ROOM.id);
  const counts = room?.ceilings.map(({ used }) => used?.get(dayIn(31)));
  expect(counts).toEqual([2, 2, 2, 0, undefined]);
});

test("holds and bookings are scanned once, however many scopes an update adds", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  for (let i = 0; i < 3; i += 1) world.when(placeHold(frozenQuote(TREE, { due_now: 0 })));
  const holdsLooked = spyOn(world.state.holds, "values");
  const bookingsLooked = spyOn(world.records, "soldBookings");
  const scopesOf = (room: string) => (_: unknown, i: number) => {
    return { ...range, room_type_id: room, agent_id: `agent-${i}`, ceiling: 1 };
  };
  const ceilings = [
    ...Array.from({ length: 500 }, scopesOf(ROOM.id)),
    ...Array.from({ length: 500 }, scopesOf(SUITE.id)),
  ];
  world.when(updateAri(TREE, { ceilings })).recorded("ari.changed");
  expect(holdsLooked).toHaveBeenCalledTimes(1);
  expect(bookingsLooked.mock.calls).toEqual([[ROOM.id], [SUITE.id]]);
});

test("a room type has 1,000 scopes at most, known and new ones together", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const scopes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({
      ...{ ...range, agent_id: `agent-${from + i}`, ceiling: 1 },
    }));
  world.when(updateAri(TREE, { ceilings: scopes(0, 999) })).recorded("ari.changed");
  const tooMany = world.when(updateAri(TREE, { ceilings: scopes(998, 1_002) }));
  const message = "exceeds the limit of scopes of its room type";
  const expected = "≤ 1000 scopes per room type";
  tooMany.refused("validation_failed", {
    field_errors: [2, 3].map((i) => ({ path: `/ceilings/${i}`, message, expected })),
  });
  const elsewhere = { room_type_id: SUITE.id };
  const ceilings = [
    ...scopes(0, 1_000),
    ...scopes(1_000, 1_001).map((each) => ({ ...each, ...elsewhere })),
  ];
  world.when(updateAri(TREE, { ceilings })).recorded("ari.changed");
  expect(world.state.property(REALM, TREE.id)?.rooms.get(ROOM.id)?.ceilings).toHaveLength(1_000);
});

test("exchange rates are dated by the engine", () => {
  const command = {
    ...commandMeta(),
    type: "SetFxRates",
    base: "EUR",
    rates: { USD: "1.08" },
  } as const;
  const world = given();
  world.when(command).recorded("fx.changed");
  expect(world.state.tenant(command.tenant_id).fx).toEqual({
    base: "EUR",
    rates: { USD: "1.08" },
    as_of: new Date(NOON).toISOString(),
  });
});

test("an empty update makes no event and takes no seq, only its key", () => {
  const range = { room_type_id: "room-double", from: "2026-10-01", to: "2026-10-03" };
  const silent = [
    {},
    { inventory: [], ceilings: [] },
    { inventory: [range], restrictions: [{ ...range, days_of_week: ["fri"] }] },
  ] as const;
  for (const ari of silent) {
    const world = given(createProperty(TREE));
    const came = world.when(updateAri(TREE, ari, { key: "k", body_hash: "h" })).recorded();
    expect(came.decision.phase).toBe("sealed");
    expect(came.data.seq).toBeNull();
  }
});

test("an update that repeats stored values makes no event; a difference in one night does", () => {
  const world = given(createProperty(TREE));
  const on = (from: number, to = from) => ({
    ...{ room_type_id: "room-double", from: dateOf(dayIn(from)), to: dateOf(dayIn(to)) },
  });
  const { room_type_id: _room, ...nights } = on(30, 34);
  const limits = { ...on(30, 34), rate_plan_id: PLAN };
  const full = {
    inventory: [{ ...on(30, 34), capacity: 7, out_of_order: 1, overbooking_limit: 2 }],
    rates: [{ ...nights, rate_plan_id: PLAN, amount: 9_900, extra_adult: 100 }],
    restrictions: [
      { ...on(30, 34), cta: true },
      { ...limits, min_los_arrival: 2, stop_sell: false },
    ],
    ceilings: [{ ...limits, agent_id: AGENT, ceiling: 3 }],
  } satisfies AriUpdate;
  const came = (ari: AriUpdate, ...events: "ari.changed"[]) =>
    world.when(updateAri(TREE, ari)).recorded(...events).data;
  expect(came(full, "ari.changed")).toMatchObject({ changed: true });
  expect(came(full)).toMatchObject({ changed: false, seq: null });
  const one = on(34);
  const { room_type_id: _none, ...night } = one;
  const others: AriUpdate[] = [
    { inventory: [{ ...one, capacity: 8 }] },
    { inventory: [{ ...one, out_of_order: null }] },
    { inventory: [{ ...one, overbooking_limit: 0 }] },
    { rates: [{ ...night, rate_plan_id: PLAN, amount: 9_901 }] },
    { rates: [{ ...night, rate_plan_id: PLAN, extra_adult: null }] },
    { restrictions: [{ ...one, cta: null }] },
    { restrictions: [{ ...one, rate_plan_id: PLAN, stop_sell: null }] },
    { ceilings: [{ ...one, rate_plan_id: PLAN, agent_id: AGENT, ceiling: null }] },
    { ceilings: [{ ...one, ceiling: 3 }] },
    { ceilings: [{ ...one, ceiling: 3, release: { strategy: "rolling", days_before: 2 } }] },
    { ceilings: [{ ...one, ceiling: 3, release: { strategy: "fixed", at: dateOf(dayIn(9)) } }] },
    { ceilings: [{ ...one, ceiling: 3, release: { strategy: "none" } }] },
  ];
  for (const other of others) {
    expect(came(other, "ari.changed")).toMatchObject({ changed: true });
    expect(came(other)).toMatchObject({ changed: false, seq: null });
  }
  // What was never set is cleared at no cost, and so are nights that are forgotten.
  came({ ceilings: [{ ...on(40), agent_id: "agt_new", ceiling: null }] });
  came({ inventory: [{ ...on(-400, -390), capacity: 1 }] });
  came({ inventory: [{ ...on(30, 34), days_of_week: [], capacity: 1 }] });
});

test("an update has at most 100,000 nights, and a larger one is refused with advice to split", () => {
  const world = given(createProperty(TREE));
  const range = { room_type_id: "room-double", from: "2026-10-01", to: "2026-10-01" };
  const nights = (count: number) =>
    updateAri(TREE, {
      restrictions: Array.from({ length: count / 500 }, (_, i) => ({
        ...{ ...range, to: dateOf(dayOf(range.from) + 499) },
        min_los_arrival: 1 + (i % 5),
      })),
    });
  world.when(nights(100_000)).recorded("ari.changed");
  const field_errors = [{ path: "", expected: "≤ 100000 nights" }];
  world.when(nights(100_500)).refused("validation_failed", { field_errors });
});

test("nights that share a restriction keep their earlier values", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const range = { room_type_id: "room-double", from: "2026-10-01", to: "2026-10-09" };
  const middle = { ...range, from: "2026-10-04", to: "2026-10-05" };
  const set = (...restrictions: NonNullable<AriUpdate["restrictions"]>) =>
    world.when(updateAri(TREE, { restrictions }));
  set({ ...range, cta: true }, { ...middle, stop_sell: true }, { ...range, ctd: true });
  set({ ...middle, stop_sell: null });
  const { restrictions } = world.state.property(REALM, TREE.id)!.rooms.get("room-double")!;
  for (let day = dayOf(range.from); day <= dayOf(range.to); day += 1) {
    expect(restrictions.get(day)?.values).toEqual({ cta: true, ctd: true });
  }
  set({ ...middle, cta: null, ctd: null });
  expect(restrictions.has(dayOf(middle.from))).toBeFalse();
  expect(restrictions.size).toBe(7);
});
