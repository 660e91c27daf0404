/** Goal: the price of a stay is one that partners may show, and availability is exact. */
import { expect, test } from "bun:test";
import type { PropertyTree, RatePlan } from "../engine/core/supply.ts";
import {
  createProperty,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
} from "../test/support/builders.ts";
import { dayIn, given } from "../test/support/given.ts";
import { bundlesOf } from "./bundles.ts";
import { profileOf } from "./partners.ts";
import { ResultWriter } from "./transaction.ts";

/** Two rooms: one for a single guest, one for two, without taxes. */
function hotelWith(single: readonly Partial<RatePlan>[], double: readonly Partial<RatePlan>[]) {
  const room = (id: string, persons: number, plans: readonly Partial<RatePlan>[]) => {
    const rate_plans = plans.map((plan, i) =>
      ratePlan({ id: `${id}-${i}`, code: `${i}`, ...plan }),
    );
    const occupancy = { max_occupancy: persons, included_occupancy: persons };
    return roomType({ id, code: id, ...occupancy, rate_plans });
  };
  const rooms = [room("single", 1, single), room("double", 2, double)];
  const room_types = rooms.filter(({ rate_plans }) => rate_plans.length > 0);
  const tree = propertyTree({ tax_rules: [], room_types });
  const { state } = given(createProperty(inEuros(tree)), promoteProperty(tree));
  const property = state.property(REALM, tree.id)!;
  // No promotion lets another currency through, but a journal may hold it.
  property.tree = tree;
  return property;
}

function inEuros(tree: PropertyTree): PropertyTree {
  const room_types = tree.room_types.map((room) => {
    return { ...room, rate_plans: room.rate_plans.map((plan) => ({ ...plan, currency: "EUR" })) };
  });
  return { ...tree, room_types };
}

const costs = (base_rate_per_night: number, currency = "EUR") => ({
  base_rate_per_night,
  currency,
});

/** The result of one night; its own price, and the rooms that are told. */
function told(
  property: ReturnType<typeof hotelWith>,
  { partner = "google", hasBundles = true } = {},
) {
  const itinerary = { checkInDay: dayIn(5), nights: 1, agentId: partner, todayDay: dayIn(0) };
  const bundles = bundlesOf(property, itinerary);
  const writer = new ResultWriter(profileOf(partner)!);
  const xml = writer.result(property.tree, "2026-09-06", 1, { bundles, hasBundles });
  const [own = ""] = xml.split("<RoomBundle>");
  const [, currency, amount] = /<Baserate currency="(\w+)">([^<]+)/.exec(own) ?? [];
  const rooms = [...xml.matchAll(/<PackageID>([^<]+)/g)].map(([, id]) => id);
  return { price: amount === undefined ? null : `${amount} ${currency}`, rooms, xml };
}

test("the price of a stay is the lowest for two guests, never the price for one", () => {
  const hotel = hotelWith([costs(4_000)], [costs(12_000), costs(9_900), costs(10_000)]);
  const { price, rooms } = told(hotel);
  expect(price).toBe("99.00 EUR");
  expect(rooms).toEqual(["single-0", "double-0", "double-1", "double-2"]);
  expect(told(hotel, { hasBundles: false })).toMatchObject({ price: "99.00 EUR", rooms: [] });
});

test("if only a room for one is left, the room is written and the stay has no price", () => {
  const hotel = hotelWith([costs(4_000)], []);
  expect(told(hotel)).toMatchObject({ price: null, rooms: ["single-0"] });
  const { xml } = told(hotel, { hasBundles: false });
  expect(xml).toContain("<Unavailable><NoVacancy/></Unavailable>");
  const minusOne = told(hotel, { partner: "bing", hasBundles: false });
  expect(minusOne).toMatchObject({ price: "-1.00 EUR", rooms: [] });
});

test("amounts of two currencies are not compared: the property's own takes precedence", () => {
  const [yen, euros] = [costs(100, "JPY"), costs(12_000)];
  expect(told(hotelWith([], [yen, euros])).price).toBe("120.00 EUR");
  expect(told(hotelWith([], [euros, yen])).price).toBe("120.00 EUR");
  expect(told(hotelWith([], [yen])).price).toBe("100 JPY");
});
