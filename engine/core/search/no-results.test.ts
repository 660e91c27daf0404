/**
 * A search without results gives the reasons and nearby searches with results. Random tests of the
 * counts and of those searches are in `search-index.test.ts`.
 */
import { expect, test } from "bun:test";
import {
  AGENT,
  createProperty,
  NOON,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import type { PropertyTree } from "../supply.ts";
import type { SearchQuery } from "./query.ts";
import { search } from "./search.ts";

const at = (city: string) => ({ line1: "1", city, country: "ES" });

/** A hotel with a double room, and a family room that has a balcony and costs more. */
const TOLEDO = propertyTree({
  ...{ id: "toledo", slug: "toledo", name: "Toledo Palace", star_rating: 3 },
  ...{ address: at("Toledo"), geo: { lat: 39.86, lng: -4.02 } },
  room_types: [
    roomType({ id: "double", bed_type: "1 queen bed", amenities: [] }),
    roomType({
      ...{ id: "family", code: "FAM", max_occupancy: 4, bed_type: "1 king bed" },
      amenities: ["balcony"],
      rate_plans: [ratePlan({ id: "family-flex", base_rate_per_night: 20_000 })],
    }),
  ],
});
const MADRID = propertyTree({ id: "madrid", slug: "madrid", address: at("Madrid") });

function worldOf(...trees: readonly PropertyTree[]) {
  return given(...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]));
}

function asked(over: Partial<SearchQuery> = {}): SearchQuery {
  const destination = { type: "area", value: "Toledo" } as const;
  return { destination, stay: stayIn(30, 2), guests: { adults: 2, children: [] }, ...over };
}

function whyNot(
  world: ReturnType<typeof worldOf>,
  query: SearchQuery,
  property_ids: readonly string[] | null = null,
) {
  const scope = { ...REALM, actor: { kind: "agent", id: AGENT } as const, nowMs: NOON };
  return search(world.state, query, { ...scope, property_ids }).noResults;
}

test("a search with results gives no reason", () => {
  expect(whyNot(worldOf(TOLEDO), asked())).toBeNull();
});

test("a party too large for every room gets the largest party that fits and the nearest place", () => {
  const suite = roomType({ id: "suite", code: "S", max_occupancy: 6 });
  const found = whyNot(
    worldOf(TOLEDO, { ...MADRID, room_types: [suite] }),
    asked({ guests: { adults: 4, children: [{ age: 15 }, { age: 16 }] } }),
  );
  expect(found).toMatchObject({
    considered: 1,
    reasons: [{ kind: "party", reason: "party_too_large", properties: 1 }],
    nearest: {
      ...{ stays: [], guests: { adults: 4, children: [] }, constraints: null },
      place: { value: "Madrid, Spain", kind: "city", properties: 1, distance_m: 65_921 },
    },
  });
});

test("a sold-out hotel gives the nearest dates, later ones before earlier ones", () => {
  const world = worldOf(TOLEDO);
  const { check_in, check_out } = stayIn(30, 1);
  const inventory = ["double", "family"].map((room_type_id) => {
    return { room_type_id, from: check_in, to: check_out, capacity: 0 };
  });
  world.when(updateAri(TOLEDO, { inventory }));
  expect(whyNot(world, asked())).toMatchObject({
    reasons: [{ kind: "units", reason: "sold_out", properties: 1 }],
    nearest: { stays: [stayIn(32, 2), stayIn(28, 2)], place: null },
  });
});

test("a too short stay gets the length that is accepted", () => {
  const world = worldOf({ ...TOLEDO, room_types: TOLEDO.room_types.slice(0, 1) });
  const on = { from: stayIn(20, 1).check_in, to: stayIn(50, 1).check_in };
  const restrictions = [{ room_type_id: "double", ...on, min_los_arrival: 4 }];
  world.when(updateAri(TOLEDO, { restrictions }));
  expect(whyNot(world, asked())).toMatchObject({
    reasons: [{ kind: "restriction", reason: "min_los", properties: 1 }],
    nearest: { stays: [stayIn(30, 4), stayIn(19, 2)] },
  });
});

test("dates beyond the horizon get the last dates on sale", () => {
  expect(whyNot(worldOf(TOLEDO), asked({ stay: stayIn(800, 2) }))).toMatchObject({
    reasons: [{ kind: "dates", reason: "beyond_horizon", properties: 1 }],
    nearest: { stays: [stayIn(729, 2), stayIn(728, 2)] },
  });
});

const EUR_100 = { amount: 10_000, currency: "EUR" };
test.each([
  [{ min_star_rating: 4 }, "min_star_rating", { min_star_rating: 3 }],
  [{ amenities: ["Balcony", "pool", "WIFI"] }, "amenities", { amenities: ["Balcony", "WIFI"] }],
  [{ bed_type: "water bed" }, "bed_type", { bed_type: ["1 king bed", "1 queen bed"] }],
  [{ meal_plan: "brunch" }, "meal_plan", { meal_plan: ["breakfast"] }],
  [{ cancellation: "whatever" }, "cancellation", { cancellation: ["free_until_cutoff"] }],
  [{ refundability: "non_refundable" }, "refundability", { refundability: ["refundable"] }],
  [
    { amenities: ["balcony"], max_price_per_night: EUR_100 },
    // The double room costs that much and has none; the family room misses the price alone.
    "amenities",
    { max_price_per_night: { amount: 20_000, currency: "EUR" } },
  ],
] as const)("with %j the reason is %s, and %j is suggested", (constraints, reason, near) => {
  const found = whyNot(worldOf(TOLEDO), asked({ constraints: constraints as never }));
  expect(found?.reasons).toEqual([{ kind: "constraint", reason, properties: 1 }]);
  const told = Object.entries(found?.nearest.constraints ?? {}).filter(([, value]) => value);
  expect(Object.fromEntries(told)).toEqual(near as never);
});

test("a place without offers is recognized; hidden properties count for nothing", () => {
  const world = worldOf(TOLEDO, MADRID);
  const reasons = [{ kind: "place", reason: "not_on_sale", properties: 0 }] as const;
  const nowhere = asked({ destination: { type: "area", value: "Atlantis" } });
  expect(whyNot(world, nowhere)).toMatchObject({
    considered: 0,
    reasons,
    nearest: { place: null },
  });
  const many = { guests: { adults: 9, children: [] } };
  expect(whyNot(world, { ...asked(many), destination: undefined! })).toMatchObject({
    considered: 2,
  });
  const limited = whyNot(world, { ...nowhere, ...many }, ["madrid"]);
  expect(limited).toMatchObject({ considered: 0, reasons });
  const point = asked({ destination: { type: "area", value: "geo:39.86,-4.02;u=10" } });
  expect(whyNot(world, point, ["madrid"])).toMatchObject({
    ...{ considered: 0, reasons },
    nearest: { place: { value: "Madrid, Spain" } },
  });
});
