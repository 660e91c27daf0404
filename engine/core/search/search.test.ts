/** A quote prices and a hold takes every offer of search; explanations are readable. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  AGENT,
  createProperty,
  NOON,
  placeHold,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { freezeQuote } from "../availability/quoting.ts";
import { dateOf, dayOf } from "../calendar.ts";
import { findOffer, type State } from "../state/state.ts";
import type { AriUpdate, PropertyTree } from "../supply.ts";
import { placesBegun } from "./destinations.ts";
import type { SearchQuery } from "./query.ts";
import { search } from "./search.ts";

const HOUR_MS = 3_600_000;
const TWO = { adults: 2, children: [] };
const SCOPE = { ...REALM, actor: { kind: "agent", id: AGENT } } as const;

function hotel(id: string, over: Partial<PropertyTree> = {}): PropertyTree {
  return propertyTree({ id, slug: id, name: id, ...over });
}

/** The stays that a person at the property would find on a calendar to book from. */
function isOnCalendar(query: SearchQuery, zone: string, nowMs: number): boolean {
  const today = dayOf(new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(nowMs));
  const { check_in, check_out } = query.stay;
  return dayOf(check_in) >= today && dayOf(check_out) - 1 <= today + 730;
}

function quoteOf(state: State, query: SearchQuery, found: ReturnType<typeof search>["results"][0]) {
  const { room_type_id, rate_plan_id } = found.best_offer;
  const property = state.property(REALM, found.property_id)!;
  const offer = findOffer(property, room_type_id, rate_plan_id);
  if (typeof offer === "string") throw new Error(offer);
  const { stay, guests } = query;
  const request = { hotel_id: found.property_id, room_type_id, rate_plan_id, stay, guests };
  const quote = freezeQuote(offer, request, {
    ...{ ...REALM, agent_id: AGENT, quote_id: "qt_1", nowMs: NOON, ttlMs: HOUR_MS },
    sha256: () => "0".repeat(64),
  });
  if (typeof quote === "string") throw new Error(quote);
  return quote;
}

const ZONES = ["Pacific/Kiritimati", "Europe/Madrid", "Pacific/Pago_Pago"];
const day = fc.oneof(fc.integer({ min: -2, max: 6 }), fc.integer({ min: 724, max: 733 }));
const range = fc
  .tuple(day, fc.nat({ max: 4 }))
  .map(([from, length]) => ({ from: dateOf(dayIn(from)), to: dateOf(dayIn(from + length)) }));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const ari: fc.Arbitrary<AriUpdate> = fc.record({
  inventory: fc.array(
    fc
      .tuple(range, fc.nat({ max: 2 }))
      .map(([on, capacity]) => ({ room_type_id: "room-double", ...on, capacity })),
    { maxLength: 2 },
  ),
  restrictions: fc.array(
    fc
      .record({
        on: range,
        stop_sell: optional(fc.boolean()),
        cta: optional(fc.boolean()),
        ctd: optional(fc.boolean()),
        min_los_arrival: optional(fc.integer({ min: 1, max: 4 })),
        max_stay_through: optional(fc.integer({ min: 1, max: 4 })),
        min_advance_days: optional(fc.nat({ max: 4 })),
        max_advance_days: optional(fc.nat({ max: 729 })),
        los_pattern: optional(fc.stringMatching(/^[YN]{1,4}$/)),
      })
      .map(({ on, ...rest }) => ({ room_type_id: "room-double", ...on, ...rest })),
    { maxLength: 3 },
  ),
  ceilings: fc.array(
    fc
      .tuple(range, fc.nat({ max: 2 }), fc.constantFrom(null, "plan-flex"))
      .map(([on, ceiling, rate_plan_id]) => ({
        ...{ room_type_id: "room-double", rate_plan_id, agent_id: null },
        ...on,
        ceiling,
        ...(ceiling === 1 && { release: { strategy: "rolling", days_before: 2 } as const }),
      })),
    { maxLength: 2 },
  ),
});

test("a quote prices and a hold takes every offer of search, from today to the horizon", () => {
  let offered = 0;
  fc.assert(
    fc.property(ari, day, fc.integer({ min: 1, max: 5 }), (update, from, nights) => {
      const trees = ZONES.map((timezone, i) => hotel(`h${i}`, { timezone }));
      const world = given(
        ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
      );
      for (const tree of trees) world.when(updateAri(tree, update));
      const query = { stay: stayIn(from, nights), guests: TWO };
      const { results } = search(world.state, query, { ...SCOPE, nowMs: world.stamp });
      for (const found of results) {
        const { timezone } = trees.find(({ id }) => id === found.property_id)!;
        expect(isOnCalendar(query, timezone, NOON)).toBe(true);
        expect(world.when(placeHold(quoteOf(world.state, query, found))).outcome.ok).toBe(true);
        offered += 1;
      }
    }),
  );
  expect(offered).toBeGreaterThan(20);
});

test("the last night in search is 730 days ahead of the property's date", () => {
  const tree = hotel("far");
  const { state } = given(createProperty(tree), promoteProperty(tree));
  const found = (from: number, nights: number) => {
    const query = { stay: stayIn(from, nights), guests: TWO };
    return search(state, query, { ...SCOPE, nowMs: NOON }).results.length;
  };
  expect([found(730, 1), found(729, 2)]).toEqual([1, 1]);
  expect([found(731, 1), found(730, 2), found(-1, 3)]).toEqual([0, 0, 0]);
});

test("an explanation is in plain sentences", () => {
  const trees = [
    hotel("a", { star_rating: 4 }),
    hotel("b", {
      room_types: [
        roomType({
          rate_plans: [ratePlan({ meal_plan: "room_only", base_rate_per_night: 9_000 })],
        }),
      ],
    }),
    hotel("c", {
      star_rating: 1,
      policies: [policyTerms({ cancellation_kind: "fee_from_booking" })],
      room_types: [
        roomType({
          rate_plans: [
            ratePlan({ cancellation_kind: "fee_from_booking", base_rate_per_night: 20_000 }),
          ],
        }),
      ],
    }),
  ];
  const { state } = given(
    ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
  );
  const query = { stay: stayIn(30, 2), guests: TWO };
  const { results } = search(state, query, { ...SCOPE, nowMs: NOON });
  const said = Object.fromEntries(results.map((each) => [each.property_id, each.explanation]));
  const free = "Free cancellation until 29 Sep 2026, 15:00 (Madrid time)";
  expect(said).toEqual({
    a: ["2nd cheapest of 3", "4 stars", free, "Breakfast included"],
    b: ["Cheapest of 3", "No star rating", free, "Room only"],
    c: ["3rd cheapest of 3", "1 star", "Cancellation costs 50 % from now", "Breakfast included"],
  });
});

test("a requested property names its room that could take the party", () => {
  const rooms = [1, 3, 2].map((max_occupancy) =>
    roomType({ id: `for-${max_occupancy}`, max_occupancy, included_occupancy: 1 }),
  );
  const tree = hotel("one", { room_types: rooms });
  const world = given(createProperty(tree), promoteProperty(tree));
  const miss = (adults: number) => {
    const destination = { type: "property", value: "one" } as const;
    const query = { destination, stay: stayIn(30, 1), guests: { adults, children: [] } };
    return search(world.state, query, { ...SCOPE, nowMs: NOON }).misses[0]!.blocking;
  };
  expect(miss(4)).toMatchObject([{ reason: "occupancy_exceeded", limit: 3 }]);
  const on = { from: stayIn(30, 1).check_in, to: stayIn(30, 1).check_in };
  world.when(updateAri(tree, { restrictions: [{ room_type_id: "for-3", ...on, cta: true }] }));
  expect(miss(3)).toMatchObject([{ reason: "cta" }]);
});

test("a point without hotels around it is answered with the nearest visible cities", () => {
  const cities = { a: [40, 0], a2: [40.05, 0], b: [41, 0], c: [-41, 179] } as const;
  const trees = Object.entries(cities).map(([id, [lat, lng]]) =>
    hotel(id, {
      address: { line1: "1", city: `City ${id[0]}`, country: "ES" },
      geo: { lat, lng },
    }),
  );
  const { state } = given(
    ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
  );
  const nearest = (value: string, property_ids: readonly string[] | null = null) => {
    const destination = { type: "area", value } as const;
    const scope = { ...SCOPE, property_ids, nowMs: NOON };
    const { results, suggestions } = search(
      state,
      { stay: stayIn(1, 1), guests: TWO, destination },
      scope,
    );
    expect(results.length > 0).toBe(suggestions === null);
    return suggestions?.map((each) => [each.name, each.properties, each.distance_m]);
  };
  expect(nearest("geo:40.5,0;u=100")).toEqual([
    ["City a", 2, 50_038],
    ["City b", 1, 55_598],
    ["City c", 1, expect.any(Number)],
  ]);
  expect(nearest("geo:40.5,0;u=100", ["a"])).toEqual([["City a", 1, 55_598]]);
  expect(nearest("geo:40,0;u=100", ["b"])).toEqual([["City b", 1, expect.any(Number)]]);
  expect(nearest("geo:40,0;u=100")).toBeUndefined();
  expect(nearest("geo:40,0;u=100", [])).toEqual([]);
});

test("a search by point sorts by distance by default, a search by place by rank", () => {
  const trees = [
    { id: "far", lat: 40.03, rate: 8_000, stars: 5 },
    { id: "near", lat: 40.01, rate: 9_000, stars: null },
    { id: "middle", lat: 40.02, rate: 7_900, stars: null },
  ].map(({ id, lat, rate, stars }) =>
    hotel(id, {
      ...{ geo: { lat, lng: 0 }, star_rating: stars },
      room_types: [roomType({ rate_plans: [ratePlan({ base_rate_per_night: rate })] })],
    }),
  );
  const { state } = given(
    ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
  );
  const found = (value: string, sort?: SearchQuery["sort"]) => {
    const destination = { type: "area", value } as const;
    const query = { stay: stayIn(1, 1), guests: TWO, destination, ...(sort && { sort }) };
    const { results } = search(state, query, { ...SCOPE, nowMs: NOON });
    expect(results.every(({ distance_m }) => (distance_m === null) === (value === "Madrid"))).toBe(
      true,
    );
    return results.map(({ property_id }) => property_id);
  };
  expect(found("geo:40,0")).toEqual(["near", "middle", "far"]);
  expect(found("geo:40,0", "price")).toEqual(["middle", "far", "near"]);
  expect(found("geo:40,0", "rank")).toEqual(["far", "middle", "near"]);
  expect(found("Madrid")).toEqual(["far", "middle", "near"]);
  expect(found("Madrid", "distance")).toEqual(["far", "middle", "near"]);
});

test("a landmark named by a hotel finds that hotel and all near it, the nearest first", () => {
  const inCity = (city: string) => ({ address: { line1: "1", city, country: "ES" } });
  const family = { name: "La Sagrada Família", geo: { lat: 41.4036, lng: 2.1744 } };
  const trees = [
    hotel("names", { ...inCity("Barcelona"), geo: { lat: 41.42, lng: 2.17 }, landmarks: [family] }),
    hotel("near", { ...inCity("Badalona"), geo: { lat: 41.404, lng: 2.175 } }),
    hotel("beyond", {
      ...inCity("Barcelona"),
      geo: { lat: 41.5, lng: 2.1 },
      landmarks: [{ name: family.name }],
    }),
    hotel("far", { ...inCity("Barcelona"), geo: { lat: 41.5, lng: 2.17 } }),
    hotel("gate", { ...inCity("Madrid"), landmarks: [{ name: "Toledo Gate" }] }),
    hotel("same", { ...inCity("Madrid"), landmarks: [{ name: "Barcelona" }] }),
  ];
  const { state } = given(
    ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
  );
  const scope = { ...SCOPE, nowMs: NOON };
  const found = (value: string, property_ids: readonly string[] | null = null) => {
    const destination = { type: "area", value } as const;
    const query = { stay: stayIn(1, 1), guests: TWO, destination };
    return search(state, query, { ...scope, property_ids }).results;
  };
  const idsOf = (...asked: Parameters<typeof found>) =>
    found(...asked).map(({ property_id }) => property_id);
  for (const text of [
    "Sagrada Familia",
    "la sagrada família, Barcelona",
    "hotels near Sagrada Familia",
  ]) {
    expect([text, idsOf(text)]).toEqual([text, ["near", "names", "beyond"]]);
  }
  const [near, names] = found("Sagrada Familia");
  expect([near!.distance_m, names!.distance_m]).toEqual([67, 1_860]);
  expect(near!.explanation).toContain("67 m from La Sagrada Família");
  // No city is found by a landmark's name, nor by a part of one.
  expect(idsOf("Barcelona").sort()).toEqual(["beyond", "far", "names"]);
  expect(idsOf("Toledo")).toEqual([]);
  expect(idsOf("Toledo Gate")).toEqual(["gate"]);
  // What a caller does not see names nothing, and says of nothing where it is.
  expect(idsOf("Sagrada Familia", ["near"])).toEqual([]);
  expect(found("Sagrada Familia", ["beyond", "near"]).map(({ distance_m }) => distance_m)).toEqual([
    null,
  ]);
  const caller = { ...REALM, property_ids: null };
  const [place] = placesBegun(state, "sagr", 5, caller);
  expect(place).toMatchObject({ kind: "landmark", value: "La Sagrada Família, Barcelona, Spain" });
  expect(idsOf(place!.value)).toEqual(["near", "names", "beyond"]);
});

test("a slug belongs to a mode: it finds the test hotel although a live one has the same slug", () => {
  const test = { mode: "test" } as const;
  const [live, other] = [hotel("live", { slug: "same" }), hotel("test", { slug: "same" })];
  const { state } = given(
    ...[createProperty(live), promoteProperty(live)],
    ...[createProperty(other, test), promoteProperty(other, test)],
  );
  const destination = { type: "property", value: "Same" } as const;
  const found = (mode: "live" | "test") =>
    search(
      state,
      { stay: stayIn(1, 1), guests: TWO, destination },
      { ...SCOPE, mode, nowMs: NOON },
    );
  expect(found("live").results.map(({ property_id }) => property_id)).toEqual(["live"]);
  expect(found("test").results.map(({ property_id }) => property_id)).toEqual(["test"]);
});

test("a name resolves to what the caller may see, otherwise like an unknown name", () => {
  const at = (city: string) => ({ address: { line1: "1", city, country: "ES" } });
  const trees = [hotel("own", at("Arroyo Seco")), hotel("other", at("Arroyo"))];
  const { state } = given(
    ...trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]),
  );
  const found = (value: string, property_ids: readonly string[] | null) => {
    const query = {
      stay: stayIn(1, 1),
      guests: TWO,
      destination: { type: "area", value },
    } as const;
    const { results, suggestions } = search(state, query, { ...SCOPE, property_ids, nowMs: NOON });
    const ids = results.map(({ property_id }) => property_id);
    return [ids, suggestions?.map((each) => each.value) ?? null];
  };
  expect(found("Arroyo", null)).toEqual([["other"], null]);
  expect(found("Arroyo", ["own"])).toEqual([["own"], null]);
  expect(found("Arroyo", [])).toEqual([[], []]);
  const unknown = found("Atlantis", ["other"]);
  expect(unknown).toEqual([[], ["Arroyo, Spain"]]);
  expect(found("Arroyo Seco", ["other"])).toEqual(unknown);
});
