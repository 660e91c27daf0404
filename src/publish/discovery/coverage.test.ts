/** What coverage counts, and between which nights it reports availability. */
import { expect, test } from "bun:test";
import { dateOf } from "../../../engine/core/calendar.ts";
import type { AriUpdate, PropertyTree } from "../../../engine/core/supply.ts";
import {
  createProperty,
  NOON,
  OTHER_TENANT,
  promoteProperty,
  propertyTree,
  ratePlan,
  roomType,
  TENANT,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given, type Scenario } from "../../../test/support/given.ts";
import { makeCoverages } from "./coverage.ts";

const HORIZON_DAYS = 730;
const dateIn = (days: number) => dateOf(dayIn(days));
const LAST = dateIn(HORIZON_DAYS);
const ALL = { from: dateIn(0), to: LAST };

/** A property of its own; `city` alone tells it from others. */
function hotel(id: string, over: Partial<PropertyTree> = {}): PropertyTree {
  return propertyTree({ id, slug: id, ...over });
}

function at(city: string, country = "ES") {
  return { address: { line1: "1", city, country } };
}

/** Live properties; `ari` is applied to the last of them. */
function selling(trees: readonly PropertyTree[], ari?: AriUpdate): Scenario {
  return given(
    ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
    ...(ari ? [updateAri(trees.at(-1)!, ari)] : []),
  );
}

const coverageOf = async ({ state }: Scenario) => (await makeCoverages(state, NOON)).ofAll;
const nightsOf = async (world: Scenario) => (await coverageOf(world)).nights;

test("without properties on sale the coverage is empty", async () => {
  const { properties, cities, countries, currencies, nights } = await coverageOf(given());
  expect({ properties, cities, countries, currencies, nights }).toEqual({
    properties: 0,
    cities: [],
    countries: [],
    currencies: [],
    nights: null,
  });
});

test("properties are counted by city and country, over all tenants", async () => {
  const yen = roomType({ rate_plans: [ratePlan({ currency: "JPY" })] });
  const foreign = hotel("foreign", at("madrid"));
  const other = { tenant_id: OTHER_TENANT };
  const world = selling([
    hotel("a", at("Madrid")),
    hotel("b", at("Málaga")),
    hotel("c", at("MALAGA")),
    hotel("d", { ...at("Tokyo", "JP"), default_currency: "JPY", room_types: [yen] }),
  ]);
  world.when(createProperty(foreign, other));
  world.when(promoteProperty(foreign, other));
  const coverage = await coverageOf(world);
  expect(coverage.properties).toBe(5);
  expect(coverage.cities).toEqual([
    { city: "Madrid", country: "ES", properties: 2, currencies: ["EUR"] },
    { city: "Málaga", country: "ES", properties: 2, currencies: ["EUR"] },
    { city: "Tokyo", country: "JP", properties: 1, currencies: ["JPY"] },
  ]);
  expect(coverage.countries).toEqual([
    { country: "ES", properties: 4 },
    { country: "JP", properties: 1 },
  ]);
  expect(coverage.currencies).toEqual(["EUR", "JPY"]);
});

test("a tenant's coverage has only its own properties and nights, and names the tenant", async () => {
  const other = { tenant_id: OTHER_TENANT };
  const theirs = hotel("theirs", at("Tokyo", "JP"));
  const world = selling([hotel("ours", at("Madrid"))]);
  world.when(createProperty(theirs, other));
  world.when(promoteProperty(theirs, other));
  const closed = [{ room_type_id: "room-double", from: dateIn(0), to: dateIn(9), capacity: 0 }];
  world.when(updateAri(theirs, { inventory: closed }, other));
  const { ofAll, ofTenants } = await makeCoverages(world.state, NOON);
  expect(ofAll.supply_of).toEqual({ tenant_id: null, mode: "live" });
  expect(ofAll.nights).toEqual({ first: dateIn(0), last: LAST });
  expect(ofTenants.get(OTHER_TENANT)).toMatchObject({
    supply_of: { tenant_id: OTHER_TENANT, mode: "live" },
    properties: 1,
    cities: [{ city: "Tokyo", properties: 1 }],
    nights: { first: dateIn(10), last: LAST },
  });
  expect([...ofTenants.keys()].sort()).toEqual([OTHER_TENANT, TENANT].sort());
});

test("drafts, withdrawn and test properties are not counted", async () => {
  const tested = hotel("tested");
  const world = given(
    createProperty(hotel("draft")),
    createProperty(tested, { mode: "test" }),
    promoteProperty(tested, { mode: "test" }),
  );
  expect((await coverageOf(world)).properties).toBe(0);
});

test("by default every night of the horizon can be sold", async () => {
  const nights = { first: dateIn(0), last: LAST };
  expect(await nightsOf(selling([hotel("a")]))).toEqual(nights);
});

test("closed, sold out and out-of-order nights at the edges are not covered", async () => {
  const plan = { rate_plan_id: "plan-flex" };
  const room = { room_type_id: "room-double" };
  const world = selling([hotel("a")], {
    inventory: [
      { ...room, from: dateIn(0), to: dateIn(2), capacity: 0 },
      { ...room, from: dateIn(3), to: dateIn(3), out_of_order: 2 },
      { ...room, from: dateIn(500), to: LAST, capacity: 0 },
    ],
    restrictions: [
      { ...room, from: dateIn(4), to: dateIn(4), stop_sell: true },
      { ...room, ...plan, from: dateIn(499), to: dateIn(499), stop_sell: true },
    ],
  });
  expect(await nightsOf(world)).toEqual({ first: dateIn(5), last: dateIn(498) });
});

test("a plan that is open on a closed room type's night is on sale", async () => {
  const room = { room_type_id: "room-double" };
  const open = { rate_plan_id: "plan-flex", from: dateIn(9), to: dateIn(9), stop_sell: false };
  const world = selling([hotel("a")], {
    restrictions: [
      { ...room, ...ALL, stop_sell: true },
      { ...room, ...open },
    ],
  });
  expect(await nightsOf(world)).toEqual({ first: dateIn(9), last: dateIn(9) });
});

test("one open property widens the coverage of the others", async () => {
  const shut = { room_type_id: "room-double", capacity: 0 };
  const rooms = { room_types: [roomType()] };
  const ari = { inventory: [{ ...shut, from: dateIn(10), to: LAST }] };
  expect(await nightsOf(selling([hotel("a", rooms)], ari))).toEqual({
    first: dateIn(0),
    last: dateIn(9),
  });
  expect(await nightsOf(selling([hotel("b"), hotel("a", rooms)], ari))).toEqual({
    first: dateIn(0),
    last: LAST,
  });
});
