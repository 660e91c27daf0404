/** Trees: replaced as a whole, deleted as drafts; parts in use are never lost. */
import { expect, test } from "bun:test";
import {
  beginBooking,
  cancelBooking,
  createProperty,
  deleteProperty,
  frozenQuote,
  NOON,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  replaceProperty,
  roomType,
  stayIn,
  suspendProperty,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import { decodeState, encodeState } from "../codec/state-codec.ts";
import type { ReplaceProperty } from "../commands.ts";
import type { State } from "../state/state.ts";
import type { PropertyTree, RoomType } from "../supply.ts";

const SUITE = roomType({
  id: "room-suite",
  code: "SUITE",
  rate_plans: [ratePlan({ id: "plan-suite" }), ratePlan({ id: "plan-early", code: "EARLY" })],
});
const TREE = propertyTree({ room_types: [roomType(), SUITE] });
const [DOUBLE] = TREE.room_types;
const WITHOUT_SUITE = { ...TREE, room_types: [DOUBLE!] };
const WITHOUT_EARLY = {
  ...TREE,
  room_types: [DOUBLE!, { ...SUITE, rate_plans: SUITE.rate_plans.slice(0, 1) }],
};
const live = () => given(createProperty(TREE), promoteProperty(TREE));

/** A quote of the suite's second plan. */
function early(over: Parameters<typeof frozenQuote>[1] = {}) {
  const ids = { room_type_id: SUITE.id, rate_plan_id: "plan-early" };
  return frozenQuote(TREE, { ...ids, due_now: 0, ...over });
}

function held(world: ReturnType<typeof live>, quote = early()) {
  const placed = world.when(placeHold(quote));
  return { hold_id: placed.text("hold_id"), quote_id: quote.quote_id };
}

const textOf = (state: State) => [...encodeState(state)].map(({ text }) => text).join("\n");

test("a changed tree is a new version, and earlier quotes keep theirs", () => {
  const world = live();
  const quote = frozenQuote(TREE, { due_now: 0 });
  const renamed = { ...TREE, name: "One by the sea", slug: "by-the-sea" };
  const done = world.when(replaceProperty(renamed)).recorded("property.replaced");
  expect(done.data).toMatchObject({ slug: "by-the-sea", state: "live", version: 3, warnings: [] });
  const property = world.state.property(REALM, TREE.id)!;
  expect([property.supply_version, property.tree.name]).toEqual([2, "One by the sea"]);
  expect(property.versions.map(({ row }) => row)).toEqual([2, 4]);
  expect(world.state.propertyNamed(REALM, "one")).toBeUndefined();
  expect(world.state.propertyNamed(REALM, "by-the-sea")).toBe(property);
  const ids = held(world, quote);
  const booking_id = world.when(beginBooking(ids)).text("booking_id");
  expect(world.records.booking(booking_id)?.quote.supply_version).toBe(1);
  expect(world.when(createProperty(propertyTree({ id: "two" }))).outcome.ok).toBe(true);
});

test("an equal tree makes no event, takes no seq and makes no version", () => {
  const world = live();
  const done = world.when(replaceProperty(JSON.parse(JSON.stringify(TREE)))).recorded();
  expect(done.data).toMatchObject({ version: 2, seq: null });
  expect(done.decision.phase).toBe("sealed");
});

test("a dry run reports its result, leaves no trace and stores no key", () => {
  const world = live();
  const bare = { ...TREE, id: "two", slug: "two", geo: null };
  const draft = world.when(createProperty(bare, { dry_run: true })).recorded();
  expect(draft.data).toMatchObject({
    ...{ slug: "two", state: "draft", version: 1, dry_run: true, seq: null },
    warnings: [{ code: "missing_geo", severity: "error" }],
  });
  const edit = world.when(replaceProperty({ ...TREE, name: "Two" }, { dry_run: true })).recorded();
  expect(edit.data).toMatchObject({ version: 3, changed: true, dry_run: true, seq: null });
  const same = world.when(replaceProperty(TREE, { dry_run: true })).recorded();
  expect(same.data).toMatchObject({ version: 2, changed: false, seq: null });
  for (const { decision } of [draft, edit, same]) expect(decision.phase).toBe("transient");
  expect(world.state.property(REALM, TREE.id)?.version).toBe(2);
});

test("a creation warns of every fault that promotion refuses, in the same words", () => {
  const faulty = propertyTree({
    geo: null,
    phone: "12",
    policies: [],
    default_currency: "USD",
    images: [],
  });
  const world = given();
  const created = world.when(createProperty(faulty, { payments_configured: false }));
  const refused = world.when(promoteProperty(faulty, { payments_configured: false }));
  const { detail } = refused.outcome as { detail: { reasons?: unknown[] } };
  expect(created.data.warnings).toEqual(detail.reasons);
  expect(detail.reasons).toHaveLength(6);
});

test("a version the caller has not seen is a conflict; one the edge has not seen leaves no trace", () => {
  const world = live();
  const seen = world.when(replaceProperty(TREE, { expected_version: 1 }));
  seen.refused("conflict", { reason: "version_mismatch", version: 2, property_id: TREE.id });
  expect(seen.decision.phase).toBe("sealed");
  for (const over of [{ base_version: 1 }, { tree: null, base_version: 0 }]) {
    const made = world.when(replaceProperty(TREE, over));
    made.refused("conflict", { reason: "version_mismatch", version: 2 });
    expect(made.decision.phase).toBe("transient");
  }
  world.when(deleteProperty(TREE, { expected_version: 1 })).refused("conflict", {
    reason: "version_mismatch",
  });
});

test("a tree with fewer units than are taken reports the nights that it oversells", () => {
  const world = live();
  const [room] = TREE.room_types;
  for (const from of [0, 0, 29, 30]) {
    world.when(placeHold(frozenQuote(TREE, { stay: stayIn(from, 2) })));
  }
  const dated = { room_type_id: room!.id, from: dateOf(dayIn(31)), to: dateOf(dayIn(31)) };
  world.when(updateAri(TREE, { inventory: [{ ...dated, capacity: 0 }] }));
  const having = (over: Partial<RoomType>) => ({
    ...TREE,
    room_types: [{ ...room!, ...over }, SUITE],
  });
  const told = (tree: PropertyTree, over: Partial<ReplaceProperty> = {}) => {
    const { oversold, oversold_nights } = world.when(replaceProperty(tree, over)).data;
    return { oversold, oversold_nights };
  };
  const night = (inDays: number) => {
    const date = dateOf(dayIn(inDays));
    return { room_type_id: room!.id, date, sold: 0, held: 2, effective: 1 };
  };
  const none = { oversold: undefined, oversold_nights: undefined };
  // One unit is enough for the 29th night; the units of the 31st are set by date.
  const one = having({ default_inventory: 1 });
  const expected = { oversold: [night(0), night(1), night(30)], oversold_nights: 3 };
  expect(told(one, { dry_run: true })).toEqual(expected);
  expect(told(one)).toEqual(expected);
  // It is so already: whoever sets these units is told it, and nobody else.
  expect(told({ ...one, name: "Renamed" }, { base_version: 3 })).toEqual(none);
  const more = having({ default_inventory: 1, overbooking_limit: 1 });
  expect(told(more, { base_version: 4 })).toEqual(none);
  world.at(NOON + 86_400_000);
  const fewer = { ...night(31), held: 1, effective: 0 };
  const left = { oversold: [night(1), night(30), fewer], oversold_nights: 3 };
  expect(told(one, { base_version: 5 })).toEqual(left);
});

test("a slug of another property is refused with a free one", () => {
  const world = live();
  for (const n of [2, 3]) {
    const refused = world.when(createProperty({ ...TREE, id: `copy-${n}` }));
    refused.refused("conflict", { reason: "slug_taken", property_id: TREE.id });
    const { free_slug } = (refused.outcome as { hints: { free_slug: string } }).hints;
    expect(free_slug).toBe(`one-${n}`);
    world.when(createProperty({ ...TREE, id: `copy-${n}`, slug: free_slug }));
  }
  const taken = world.when(replaceProperty({ ...TREE, slug: "one-2" }));
  taken.refused("conflict", { reason: "slug_taken", property_id: "copy-2" });
});

test("an external code is unique in its realm, is found at once, and is free after its removal", () => {
  const world = given(createProperty({ ...TREE, external_code: "H-1" }));
  const found = (code: string) => world.state.propertyCoded(REALM, code)?.tree.id;
  const other = { ...TREE, id: "copy-2", slug: "two", external_code: "H-1" };
  const taken = { reason: "external_code_taken", external_code: "H-1", property_id: TREE.id };
  world.when(createProperty(other)).refused("conflict", taken);
  world.when(createProperty(other, { mode: "test" })).recorded("property.created");
  expect(found("H-1")).toBe(TREE.id);
  world.when(replaceProperty({ ...TREE, external_code: "H-2" }, { base_version: 1 }));
  expect([found("H-1"), found("H-2")]).toEqual([undefined, TREE.id]);
  world.when(createProperty(other)).recorded("property.created");
  world.when(replaceProperty({ ...TREE, external_code: "H-1" }, { base_version: 2 }));
  expect([found("H-1"), found("H-2")]).toEqual(["copy-2", TREE.id]);
  const restored = decodeState([...encodeState(world.state)], { tracksExpiry: true });
  expect(restored.propertyCoded(REALM, "H-1")?.tree.id).toBe("copy-2");
  world.when(deleteProperty({ ...TREE, id: "copy-2" }, { expected_version: null }));
  expect(found("H-1")).toBeUndefined();
});

test("an edit that adds a promotion fault to a live property is refused; old faults block no edit", () => {
  const world = live();
  const bare = { ...TREE, geo: null };
  world.when(replaceProperty(bare)).refused("property_not_promotable", { state: "live" });
  const nights = { from: dateOf(dayIn(-1)), to: dateOf(dayIn(700)), stop_sell: true };
  const restrictions = TREE.room_types.map(({ id }) => ({ room_type_id: id, ...nights }));
  world.when(updateAri(TREE, { restrictions }));
  const closed = world.when(replaceProperty({ ...TREE, name: "Closed" }));
  expect(closed.data.warnings).toMatchObject([{ code: "no_open_rates_in_horizon" }]);
  world.when(suspendProperty(TREE));
  const edited = world.when(replaceProperty(bare, { base_version: 4 }));
  expect(edited.recorded("property.replaced").data.state).toBe("suspended");
});

test("rooms and plans of open holds and coming bookings stay; unused ones are removed at once", () => {
  const world = live();
  const hold = held(world);
  const changes: readonly (readonly [PropertyTree, rooms: string[]])[] = [
    [WITHOUT_SUITE, [SUITE.id]],
    [WITHOUT_EARLY, []],
    [inDollars(TREE), []],
  ];
  const refusedAll = (named: object) => {
    for (const [tree, room_type_ids] of changes) {
      const refused = world.when(replaceProperty(tree));
      refused.refused("conflict", {
        ...{ reason: "in_use", room_type_ids, rate_plan_ids: ["plan-early"], ...named },
      });
      const { mending } = (refused.outcome as { hints: { mending: { ari: object } } }).hints;
      expect(mending.ari).toMatchObject({ restrictions: [{ rate_plan_id: "plan-early" }] });
    }
  };
  refusedAll({ hold_ids: [hold.hold_id], booking_ids: [], hold_count: 1, booking_count: 0 });
  const booking_id = world.when(beginBooking(hold)).text("booking_id");
  refusedAll({ hold_ids: [], booking_ids: [booking_id], booking_count: 1 });
  world.when(cancelBooking(booking_id));
  world.when(replaceProperty(WITHOUT_EARLY)).recorded("property.replaced");
  world.when(replaceProperty(WITHOUT_SUITE, { base_version: 3 })).recorded("property.replaced");
});

/** The suite's second plan in another currency. */
function inDollars(tree: PropertyTree): PropertyTree {
  const [flex, other] = SUITE.rate_plans;
  const suite = { ...SUITE, rate_plans: [flex!, { ...other!, currency: "USD" }] };
  return { ...tree, room_types: [DOUBLE!, suite] };
}

test("a past booking blocks no removal, and can be cancelled after its room is removed", () => {
  const world = live();
  const quote = early({ stay: stayIn(1, 2) });
  const booking_id = world.when(beginBooking(held(world, quote))).text("booking_id");
  world.live(2).when(replaceProperty(WITHOUT_SUITE)).refused("conflict", { reason: "in_use" });
  world.live(1).when(replaceProperty(WITHOUT_SUITE)).recorded("property.replaced");
  const property = world.state.property(REALM, TREE.id)!;
  expect(property.retired.get(SUITE.id)?.sold.get(dayIn(1))).toBe(1);
  expect(world.when(cancelBooking(booking_id)).outcome.ok).toBe(true);
  expect(property.retired.get(SUITE.id)?.sold.get(dayIn(1))).toBe(0);
});

test("a booking beyond the window after the clock was set back by years blocks a removal too", () => {
  const world = live();
  const booking_id = world.when(beginBooking(held(world))).text("booking_id");
  world.correctClock(NOON - 3 * 365 * 86_400_000);
  const named = { reason: "in_use", booking_ids: [booking_id] };
  world.when(replaceProperty(WITHOUT_SUITE)).refused("conflict", named);
});

test("a booking whose forgotten nights return blocks a removal too", () => {
  const world = live();
  const booking_id = world.when(beginBooking(held(world))).text("booking_id");
  world.live(300);
  world.correctClock(NOON);
  const named = { reason: "in_use", booking_ids: [booking_id] };
  world.when(replaceProperty(WITHOUT_SUITE)).refused("conflict", named);
});

test("an overdue hold blocks no removal, and expires after its room is removed", () => {
  const world = live();
  held(world);
  world.at(world.stamp + 900_000);
  world.when(replaceProperty(WITHOUT_SUITE)).recorded("property.replaced");
  world.due()?.recorded("hold.expired");
  const property = world.state.property(REALM, TREE.id)!;
  expect(property.retired.get(SUITE.id)?.held.get(dayIn(30))).toBe(0);
});

test("kept room types keep their nights, and so does one that returns under its id", () => {
  const world = live();
  const range = { from: dateOf(dayIn(30)), to: dateOf(dayIn(30)) };
  world.when(
    updateAri(TREE, {
      inventory: [{ room_type_id: SUITE.id, ...range, capacity: 7 }],
      rates: [
        { rate_plan_id: "plan-suite", ...range, amount: 1 },
        { rate_plan_id: "plan-early", ...range, amount: 2 },
      ],
    }),
  );
  world.when(replaceProperty(WITHOUT_EARLY));
  world.when(replaceProperty(WITHOUT_SUITE, { base_version: 3 }));
  const gone = world.when(placeHold(early()));
  gone.refused("room_type_not_found");
  world
    .when(updateAri(TREE, { inventory: [{ room_type_id: SUITE.id, ...range, capacity: 1 }] }))
    .refused("validation_failed");
  world.when(replaceProperty(TREE, { base_version: 4 }));
  const suite = world.state.property(REALM, TREE.id)!.rooms.get(SUITE.id)!;
  expect(suite.capacity.get(dayIn(30))).toBe(7);
  const amounts = [...suite.plans.values()].map((plan) => plan.amount.entries());
  // A plan that was taken out of its room type comes back as a new one.
  expect(amounts).toEqual([[[dayIn(30), 1]], []]);
});

test("a deleted draft frees its id and slug; a property that was on sale cannot be deleted", () => {
  const world = given(createProperty(TREE));
  const gone = world.when(deleteProperty(TREE)).recorded("property.deleted");
  expect(gone.data).toMatchObject({ slug: "one", state: "deleted", version: 2, seq: 2 });
  world.when(promoteProperty(TREE)).refused("property_not_found");
  world.when(createProperty({ ...TREE, id: "another" })).recorded("property.created");
  world.when(deleteProperty({ ...TREE, id: "another" })).recorded("property.deleted");
  world.when(createProperty(TREE)).recorded("property.created");
  world.when(promoteProperty(TREE));
  world.when(deleteProperty(TREE)).refused("conflict", { reason: "not_a_draft", state: "live" });
  world.when(suspendProperty(TREE));
  world.when(deleteProperty(TREE)).refused("conflict", { reason: "not_a_draft" });
});

test("a snapshot equals the fold: trees, their versions and removed rooms", () => {
  const world = live();
  const quote = early({ stay: stayIn(1, 1) });
  world.when(beginBooking(held(world, quote)));
  world.live(2);
  world.when(replaceProperty(WITHOUT_EARLY));
  world.when(replaceProperty({ ...WITHOUT_SUITE, slug: "x" }, { base_version: 3 }));
  world.when(createProperty(propertyTree({ id: "draft", slug: "draft" })));
  world.when(deleteProperty(propertyTree({ id: "draft", slug: "draft" })));
  const restored = decodeState(encodeState(world.state), { tracksExpiry: true });
  expect(textOf(restored)).toBe(textOf(world.state));
  const { versions, retired, rooms } = restored.property(REALM, TREE.id)!;
  expect(versions).toEqual(world.state.property(REALM, TREE.id)!.versions);
  expect([versions.length, ...rooms.keys(), ...retired.keys()]).toEqual([3, DOUBLE!.id, SUITE.id]);
});

/** A tree that subscribers are not told whole, of other text throughout. */
function largeTree(n: number, chars = 250_000): PropertyTree {
  return { ...TREE, name: `No. ${n}`, description: `${n} `.repeat(chars / `${n} `.length) };
}

test("of three hundred entirely different versions memory keeps one", () => {
  const world = given(createProperty(largeTree(1)));
  const one = textOf(world.state).length;
  for (let n = 2; n <= 300; n += 1) {
    world
      .when(replaceProperty(largeTree(n), { base_version: n - 1 }))
      .recorded("property.replaced");
  }
  const property = world.state.property(REALM, TREE.id)!;
  expect([property.tree.name, property.versions.length]).toEqual(["No. 300", 300]);
  expect(textOf(world.state).length).toBeLessThan(one + 300 * 40);
});

test("a version of a large tree is journaled as its differences, and whole from time to time", () => {
  const world = given(createProperty(largeTree(1)));
  const sizes: number[] = [];
  let tree = largeTree(1);
  for (let n = 2; n <= 130; n += 1) {
    tree = { ...tree, star_rating: (n % 10) / 2, slug: `no-${n}` };
    const done = world.when(replaceProperty(tree, { base_version: n - 1 }));
    sizes.push(JSON.stringify(done.event("property.replaced")).length);
    expect(world.state.property(REALM, TREE.id)!.tree).toEqual(tree);
  }
  const whole = sizes.flatMap((size, i) => (size > 1_000 ? [i + 2] : []));
  expect(whole).toEqual([64, 128]);
  expect(world.state.propertyNamed(REALM, "no-130")?.tree).toEqual(tree);
  const other = world.when(replaceProperty(largeTree(9), { base_version: 130 }));
  expect(other.event("property.replaced").tree).toEqual(largeTree(9));
});
