/**
 * An index kept through changes equals a rebuilt one, and a search by it equals a check of every
 * offer.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bruteReasons, nearestSearches } from "../../../test/support/brute-reasons.ts";
import { bruteSearch } from "../../../test/support/brute-search.ts";
import {
  AGENT,
  archiveProperty,
  createProperty,
  frozenQuote,
  OTHER_AGENT,
  placeHold,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  releaseHold,
  replaceProperty,
  roomType,
  stayIn,
  suspendProperty,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given, type Scenario } from "../../../test/support/given.ts";
import { keptAndAnew } from "../../../test/support/index-facts.ts";
import { dateOf } from "../calendar.ts";
import type { Discount, PropertyTree, RoomType } from "../supply.ts";
import { KINDS } from "./index/columns.ts";
import type { SearchQuery } from "./query.ts";
import { search } from "./search.ts";
import { indexLargeRealms, indexOf } from "./search-index.ts";

const SCOPE = { ...REALM, actor: { kind: "agent", id: AGENT } } as const;
const NIGHTS_AHEAD = 12;
const IDS = ["a", "b", "c"] as const;

/** By length of stay, by days ahead, by the day of the booking, which passes, or by the night. */
const discounts: readonly Discount[][] = [
  [],
  [
    { code: "LONG", label: "Long", min_nights: 2, bps: -411 },
    { code: "EARLY", label: "Early", min_advance_days: 4, amount: -133 },
  ],
  [
    { code: "NOW", label: "Now", booked_until: dateOf(dayIn(0)), bps: -500 },
    { code: "NIGHT", label: "Night", stay_from: dateOf(dayIn(6)), bps: -900 },
  ],
];
const plan = fc.record({
  base_rate_per_night: fc.constantFrom(5_000, 5_100, 5_200, 5_300),
  extra_adult_per_night: fc.constantFrom(0, 1_900),
  meal_plan: fc.constantFrom("room_only", "breakfast"),
  cancellation_kind: fc.constantFrom("free_until_cutoff", "non_refundable", "fee_from_booking"),
  adjustments: fc.constantFrom([], [{ code: "LOS", label: "LOS", min_nights: 2, bps: -733 }]),
});
/** How a plan that is not its room type's first follows that. */
const follows = fc.constantFrom(
  null,
  { bps: -317, round_to: 50, rounding: "up" as const },
  { amount: 133, round_to: 1, rounding: "half_up" as const },
);
const room: fc.Arbitrary<Partial<RoomType>> = fc
  .record({
    max_occupancy: fc.integer({ min: 1, max: 4 }),
    bed_type: fc.constantFrom(null, "1 king bed", "2 single beds"),
    amenities: fc.constantFrom([], ["balcony"], ["Sea_View", "balcony"]),
    included_occupancy: fc.integer({ min: 1, max: 2 }),
    default_inventory: fc.integer({ min: 1, max: 3 }),
    overbooking_limit: fc.nat({ max: 1 }),
    plans: fc.array(fc.record({ plan, follows, discounts: fc.constantFrom(...discounts) }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ plans, ...rest }) => {
    const rate_plans = plans.map(({ plan: of, follows: rule, discounts: all }) => {
      const less = all.length > 0 && { discounts: all };
      return ratePlan({
        ...of,
        ...less,
        ...(rule && { derived_from: { ...rule, rate_plan_id: "" } }),
      });
    });
    return { ...rest, rate_plans };
  });

/** Room types and plans have ids of their places: an edit keeps, adds and takes out some. */
const tree = fc
  .record({
    rooms: fc.array(room, { minLength: 1, maxLength: 3 }),
    bands: fc.constantFrom(0, 1),
    timezone: fc.constantFrom("Europe/Madrid", "Pacific/Kiritimati"),
    name: fc.constantFrom("Über Ort", "Ort"),
    checkin_time: fc.constantFrom("14:00", "16:00"),
    star_rating: fc.constantFrom(null, 2, 3.5),
    landmarks: fc.constantFrom(
      [],
      [{ name: "The Tower" }],
      [{ name: "The Tower", geo: { lat: 40.41, lng: -3.7 } }],
    ),
    geo: fc.constantFrom({ lat: 40.4, lng: -3.7 }, { lat: 41.4, lng: -3.7 }),
    amenities: fc.constantFrom([], ["wifi"], ["wifi", "sea-view"]),
  })
  .map(({ rooms, bands, ...rest }) => (id: string): PropertyTree => {
    const band = { min_age: 2, max_age: 11, counts_toward_occupancy: true } as const;
    return propertyTree({
      ...rest,
      ...{ id, slug: `slug-${id}` },
      child_bands: bands === 0 ? [] : [{ ...band, pricing: "percent_bps", value: 5_000 }],
      policies: KINDS.map((cancellation_kind) => policyTerms({ cancellation_kind })),
      room_types: rooms.map((each, i) =>
        roomType({
          ...each,
          id: `${id}-${i}`,
          code: `R${i}`,
          rate_plans: each.rate_plans!.map(({ derived_from: rule, ...of }, j) => ({
            ...of,
            id: `${id}-${2 - j}-${i}`,
            code: `P${j}`,
            ...(rule && j > 0 && { derived_from: { ...rule, rate_plan_id: `${id}-2-${i}` } }),
          })),
        }),
      ),
    });
  });

const range = fc.tuple(fc.nat({ max: NIGHTS_AHEAD }), fc.nat({ max: 4 }));
const limit = (max: number) => fc.option(fc.nat({ max }));
const step = fc.record({
  what: fc.constantFrom(
    ...(["ari", "ari", "ari", "hold", "hold", "hold", "release", "time"] as const),
    ...(["replace", "suspend", "promote", "archive"] as const),
  ),
  of: fc.nat({ max: IDS.length - 1 }),
  room: fc.nat({ max: 2 }),
  plan: fc.nat({ max: 2 }),
  range,
  set: fc.record({
    capacity: limit(2),
    out_of_order: limit(1),
    amount: fc.option(fc.integer({ min: 5_000, max: 5_400 })),
    extra_adult: limit(2_000),
    ceiling: limit(2),
    isOfPlan: fc.boolean(),
    isOfAgent: fc.boolean(),
    restriction: fc.constantFrom(
      "stop_sell",
      "cta",
      "ctd",
      "ctd",
      "min_los_arrival",
      ...(["max_stay_through", "min_advance_days", "max_advance_days"] as const),
    ),
    value: fc.constantFrom(null, true, 2),
  }),
  tree,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function ari(of: PropertyTree, { range: [first, length], room, plan, set }: Step) {
  const on = { from: dateOf(dayIn(first)), to: dateOf(dayIn(first + length)) };
  const roomType = of.room_types[room % of.room_types.length]!;
  const { id: rate_plan_id, derived_from } =
    roomType.rate_plans[plan % roomType.rate_plans.length]!;
  const inRoom = { ...on, room_type_id: roomType.id };
  const isFlag = !/_/.test(set.restriction) || set.restriction === "stop_sell";
  const value = set.value === null ? null : isFlag ? true : 2;
  return updateAri(of, {
    inventory: [{ ...inRoom, capacity: set.capacity, out_of_order: set.out_of_order }],
    rates: [
      { ...on, rate_plan_id: derived_from?.rate_plan_id ?? rate_plan_id, amount: set.amount },
      { ...on, rate_plan_id, extra_adult: set.extra_adult },
    ],
    restrictions: [{ ...inRoom, ...(set.isOfPlan && { rate_plan_id }), [set.restriction]: value }],
    ceilings: [
      {
        ...inRoom,
        rate_plan_id: set.isOfPlan ? rate_plan_id : null,
        agent_id: set.isOfAgent ? AGENT : null,
        ceiling: set.ceiling,
      },
    ],
  });
}

/** Does one thing, which may be refused. */
function take(world: Scenario, step: Step, holds: string[]): void {
  const property = world.state.property(REALM, IDS[step.of]!)!;
  const { tree: of, version, supply_version } = property;
  const roomType = of.room_types[step.room % of.room_types.length]!;
  const plan = roomType.rate_plans[step.plan % roomType.rate_plans.length]!;
  const [first, length] = step.range;
  switch (step.what) {
    case "ari":
      return void world.when(ari(of, step));
    case "hold": {
      const agent_id = step.set.isOfAgent ? AGENT : OTHER_AGENT;
      const quote = frozenQuote(of, {
        ...{ supply_version, agent_id, stay: stayIn(first, length + 1) },
        ...{ room_type_id: roomType.id, rate_plan_id: plan.id, created_at: world.stamp },
        expires_at: world.stamp + 60_000,
      });
      const came = world.when(placeHold(quote, { actor: { kind: "agent", id: agent_id } }));
      if (came.outcome.ok) holds.push((came.outcome.data as { hold_id: string }).hold_id);
      return;
    }
    case "release":
      return void (holds.length > 0 && world.when(releaseHold(holds.shift()!)));
    case "time":
      world.at(world.stamp + first * 3_600_000);
      while (world.due()) {}
      return;
    case "replace":
      return void world.when(replaceProperty(step.tree(of.id), { base_version: version }));
    case "suspend":
      return void world.when(suspendProperty(of));
    case "promote":
      return void world.when(promoteProperty(of));
    case "archive":
      return void (step.room === 0 && world.when(archiveProperty(of)));
  }
}

const query: fc.Arbitrary<SearchQuery> = fc
  .record({
    first: fc.nat({ max: NIGHTS_AHEAD }),
    nights: fc.integer({ min: 1, max: 4 }),
    adults: fc.integer({ min: 1, max: 3 }),
    ages: fc.array(fc.constantFrom(1, 5, 15), { maxLength: 2 }),
    destination: fc.constantFrom<SearchQuery["destination"][]>(
      ...([undefined, undefined, undefined] as const),
      { type: "area", value: "MADRID" },
      { type: "area", value: "Atlantis" },
      { type: "area", value: "the tower" },
      { type: "property", value: "SLUG-b" },
      { type: "property", value: "uber ort" },
    ),
    constraints: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      {
        weight: 2,
        arbitrary: fc.record(
          {
            max_price_per_night: fc.constant({ amount: 5_200, currency: "EUR" }),
            meal_plan: fc.constantFrom("Breakfast", "brunch"),
            cancellation: fc.constantFrom("free_cancellation", "non_refundable", "whatever"),
            min_star_rating: fc.constantFrom(0, 2, 3),
            amenities: fc.subarray(["sea view", "WIFI", "balcony", "pool"], { maxLength: 2 }),
            bed_type: fc.constantFrom("King", "single", "2 beds", "water"),
            refundability: fc.constantFrom("Refundable", "non_refundable", "never"),
          },
          { requiredKeys: [] },
        ),
      },
    ),
  })
  .map(({ first, nights, adults, ages, destination, constraints }) => ({
    ...(destination && { destination }),
    constraints,
    stay: stayIn(first, nights),
    guests: { adults, children: ages.map((age) => ({ age })) },
  }));

function found(world: Scenario, asked: SearchQuery) {
  const scope = { ...SCOPE, nowMs: world.stamp };
  const { results } = search(world.state, asked, scope);
  const byIndex = results.map(({ property_id, best_offer: best }) => [
    property_id,
    {
      plan: best.rate_plan_id,
      amount: best.price_per_night.amount,
      total: best.total,
      sellable: best.sellable,
    },
  ]);
  const brute = [...bruteSearch(world.state, asked, scope)].map(([id, { isFree: _, ...rest }]) => [
    id,
    rest,
  ]);
  return { byIndex: Object.fromEntries(byIndex), brute: Object.fromEntries(brute) };
}

/** What a search without results says is true, and each search near it finds something. */
function checkNoResults(world: Scenario, asked: SearchQuery): number {
  const scope = { ...SCOPE, nowMs: world.stamp };
  const { results, noResults } = search(world.state, asked, scope);
  expect(noResults === null).toBe(results.length > 0);
  if (!noResults) return 0;
  const { reasons, nearest, considered, judged } = noResults;
  const counts = Object.fromEntries(reasons.map(({ reason, properties }) => [reason, properties]));
  expect({ asked, counts }).toEqual({ asked, counts: bruteReasons(world.state, asked, scope) });
  expect(reasons.reduce((sum, { properties }) => sum + properties, 0)).toBe(considered);
  expect(judged).toBe(considered);
  const near = nearestSearches(asked, nearest);
  for (const each of near) {
    const isFound = search(world.state, each, scope).results.length > 0;
    expect({ asked, each, isFound }).toEqual({ asked, each, isFound: true });
  }
  return near.length;
}

test("the index equals a rebuilt one after any change, and search finds what a full scan finds", () => {
  let [offered, near] = [0, 0];
  const trees = fc.tuple(tree, tree, tree);
  const steps = fc.array(step, { minLength: 5, maxLength: 25 });
  fc.assert(
    fc.property(
      trees,
      steps,
      fc.array(query, { minLength: 6, maxLength: 6 }),
      (made, todo, asked) => {
        const world = given();
        for (const [i, id] of IDS.entries()) {
          expect(world.when(createProperty(made[i]!(id))).outcome.ok).toBe(true);
          const { outcome } = world.when(promoteProperty(made[i]!(id)));
          expect(outcome).toMatchObject({ ok: true });
        }
        indexOf(world.state, REALM);
        const holds: string[] = [];
        for (const [i, each] of todo.entries()) {
          take(world, each, holds);
          const { kept, anew } = keptAndAnew(world.state, REALM);
          expect(kept).toEqual(anew);
          const { byIndex, brute } = found(world, asked[i % asked.length]!);
          expect(byIndex).toEqual(brute);
        }
        for (const each of asked) {
          const { byIndex, brute } = found(world, each);
          expect(byIndex).toEqual(brute);
          offered += Object.keys(brute).length;
        }
        // Each takes several searches.
        for (const each of asked.slice(0, 3)) near += checkNoResults(world, each);
      },
    ),
    { numRuns: 120 },
  );
  expect(offered).toBeGreaterThan(200);
  expect(near).toBeGreaterThan(40);
});

test("a large realm has its index before the first search, and keeps it while it grows", () => {
  const world = given();
  const kept = () => world.state.tenant(REALM.tenant_id).index[REALM.mode];
  let count = 0;
  const growTo = (size: number) => {
    for (; count < size; count += 1) {
      world.when(createProperty(propertyTree({ id: `p${count}`, slug: `s-${count}` })));
    }
    indexLargeRealms(world.state);
  };
  growTo(99);
  expect(kept()).toBeNull();
  growTo(100);
  const index = indexOf(world.state, REALM);
  expect(kept()).toBe(index);
  growTo(300);
  expect(kept()).toBe(index);
});
