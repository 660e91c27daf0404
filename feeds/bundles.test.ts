/**
 * Goal: a bundle exists if and only if a quote has `sellable` ≥ 1, and has the quote's price.
 * Method: over random supply, bundles are compared with the answers of the quoting path itself.
 */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { availabilityOf, freezeQuote, priceInputOf } from "../engine/core/availability/quoting.ts";
import { dateOf } from "../engine/core/calendar.ts";
import { price } from "../engine/core/price/price.ts";
import { findOffer } from "../engine/core/state/state.ts";
import type { AriUpdate, DerivedRate, PropertyTree } from "../engine/core/supply.ts";
import { NOON, policyTerms, REALM, ratePlan, roomType } from "../test/support/builders.ts";
import { dayIn } from "../test/support/given.ts";
import { onSale, singleRoom, smallHotel } from "../test/support/small-hotel.ts";
import { bundlesOf, bundlesUpTo, totalOf } from "./bundles.ts";

const SMALL = smallHotel();
const TREE: PropertyTree = {
  ...SMALL,
  policies: [...SMALL.policies, policyTerms({ cancellation_kind: "fee_from_booking" })],
  room_types: [
    singleRoom(),
    roomType({
      rate_plans: [
        ratePlan({
          extra_adult_per_night: 2_000,
          adjustments: [{ code: "LOS", label: "3+", min_nights: 3, bps: -777 }],
        }),
        ratePlan({ id: "plan-fix", code: "FIX", cancellation_kind: "non_refundable" }),
        ratePlan({ id: "plan-none", code: "NONE", cancellation_kind: "fee_from_booking" }),
      ],
    }),
  ],
};

const FOLLOWS_FLEX: DerivedRate = {
  rate_plan_id: "plan-flex",
  bps: -777,
  round_to: 50,
  rounding: "up",
};
const DEAL = ratePlan({
  ...{ id: "plan-deal", code: "DEAL", derived_from: FOLLOWS_FLEX },
  discounts: [
    { code: "WEEK", label: "Long", min_nights: 4, bps: -1_000 },
    { code: "SOON", label: "Soon", max_advance_days: 2, amount: -900 },
  ],
});
/** With a plan that follows another and has discounts. */
const DEALS: PropertyTree = {
  ...TREE,
  room_types: TREE.room_types.map((room) => {
    const isFollowed = room.rate_plans.some(({ id }) => id === "plan-flex");
    return isFollowed ? { ...room, rate_plans: [...room.rate_plans, DEAL] } : room;
  }),
};

function supplied(tree: PropertyTree, ...updates: AriUpdate[]) {
  const property = onSale(tree, ...updates);
  // What no promotion lets through, but a journal may hold.
  property.tree = { ...tree, policies: SMALL.policies };
  return property;
}

const stay = (checkInDay: number, nights: number) => ({
  ...{ checkInDay, nights },
  agentId: "google",
  todayDay: dayIn(0),
});

test("bundles are for two adults, or one where two do not fit; a plan without a policy has none", () => {
  const found = bundlesOf(supplied(TREE), stay(dayIn(5), 2));
  expect(
    found.map(({ offer, adults, isRefundable }) => [offer.plan.id, adults, isRefundable]),
  ).toEqual([
    ["plan-single", 1, true],
    ["plan-flex", 2, true],
    ["plan-fix", 2, false],
  ]);
  const [single] = found;
  // 200.00 with 10 % VAT inside; 2.50 city tax a night; 15.00 for cleaning.
  expect(single).toMatchObject({ base: 18_182, tax: 1_818 + 500, fees: 1_500, currency: "EUR" });
});

test("a page may ask for other adults, which too small rooms do not take", () => {
  const prices = (adults: number) =>
    bundlesOf(supplied(TREE), { ...stay(dayIn(5), 1), adults }).map((bundle) => [
      ...[bundle.offer.plan.id, bundle.adults, totalOf(bundle)],
    ]);
  expect(prices(3)).toEqual([
    ["plan-single", 1, 11_750],
    ["plan-flex", 3, 10_000 + 2_000 + 750 + 1_500],
    ["plan-fix", 3, 12_250],
  ]);
  expect(prices(5).map(([plan]) => plan)).toEqual(["plan-single"]);
});

test("an invalid amount is left out, as it would make the whole document unreadable", () => {
  const taxes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...({ code: `T${n}`, name: "Tax on taxes", kind: "tax", basis: "percent" } as const),
      ...({
        rate_bps: 100_000,
        compound: true,
        included_in_rate: false,
        collect: "prepaid",
      } as const),
    }));
  const told = (count: number) => {
    const property = supplied(TREE);
    // What no promotion lets through, but a journal may hold.
    property.tree = { ...property.tree, tax_rules: taxes(count) };
    return bundlesOf(property, stay(dayIn(5), 1));
  };
  expect(told(9)).toHaveLength(3);
  expect(told(9).map(totalOf).every(Number.isSafeInteger)).toBe(true);
  expect(told(100)).toEqual([]);
});

test("only dates that a quote accepts have bundles", () => {
  const property = supplied(TREE);
  const count = (checkInDay: number, nights: number) =>
    bundlesOf(property, stay(checkInDay, nights)).length;
  expect([count(dayIn(-1), 2), count(dayIn(0), 1), count(dayIn(0), 90)]).toEqual([0, 3, 3]);
  expect([count(dayIn(0), 91), count(dayIn(0), 0), count(dayIn(0), Number.NaN)]).toEqual([0, 0, 0]);
  expect([count(dayIn(730), 1), count(dayIn(731), 1)]).toEqual([3, 0]);
});

test("ceilings of the partner and of all agents count, those of other agents do not", () => {
  const closed = (agent_id: string | null) => ({
    ceilings: [
      {
        room_type_id: "room-double",
        ...{ rate_plan_id: null, agent_id, ceiling: 0 },
        from: dateOf(dayIn(0)),
        to: dateOf(dayIn(9)),
      },
    ],
  });
  const plans = (agent_id: string | null) =>
    bundlesOf(supplied(TREE, closed(agent_id)), stay(dayIn(5), 2)).map(
      ({ offer }) => offer.plan.id,
    );
  expect(plans("google")).toEqual(["plan-single"]);
  expect(plans(null)).toEqual(["plan-single"]);
  expect(plans("bing")).toEqual(["plan-single", "plan-flex", "plan-fix"]);
});

const inDays = fc.integer({ min: 0, max: 12 });
const range = fc.tuple(inDays, inDays).map(([a, b]) => ({
  from: dateOf(dayIn(Math.min(a, b))),
  to: dateOf(dayIn(Math.max(a, b))),
}));
const room_type_id = fc.constantFrom("room-single", "room-double");
const plan_id = fc.constantFrom("plan-single", "plan-flex", "plan-fix");
const los = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined });
const flag = fc.option(fc.boolean(), { nil: undefined });
const joined = <T extends object>(fields: Parameters<typeof fc.record>[0]) =>
  fc.tuple(range, fc.record(fields)).map(([dates, rest]) => ({ ...dates, ...rest }) as T);
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 });

const ari: fc.Arbitrary<AriUpdate> = fc.record({
  inventory: some(
    joined<NonNullable<AriUpdate["inventory"]>[number]>({
      room_type_id,
      capacity: fc.integer({ min: 0, max: 2 }),
      out_of_order: fc.integer({ min: 0, max: 1 }),
    }),
  ),
  rates: some(
    joined<NonNullable<AriUpdate["rates"]>[number]>({
      rate_plan_id: plan_id,
      amount: fc.integer({ min: 0, max: 99_999 }),
    }),
  ),
  restrictions: some(
    joined<NonNullable<AriUpdate["restrictions"]>[number]>({
      room_type_id: fc.constant("room-double"),
      rate_plan_id: fc.constantFrom(null, "plan-flex", "plan-fix"),
      ...{ stop_sell: flag, cta: flag, ctd: flag },
      ...{ min_los_arrival: los, max_stay_through: los, min_advance_days: los },
      max_advance_days: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
      los_pattern: fc.option(fc.stringMatching(/^[YN]{1,5}$/), { nil: undefined }),
    }),
  ),
});

test("a bundle exists if and only if a quote can be held, and has the quote's price", () => {
  let told = 0;
  fc.assert(
    fc.property(ari, inDays, fc.integer({ min: 1, max: 6 }), (update, first, nights) => {
      const property = supplied(DEALS, update);
      const checkInDay = dayIn(first);
      const found = bundlesOf(property, stay(checkInDay, nights));
      for (const { id, rate_plans, max_occupancy } of DEALS.room_types) {
        for (const plan of rate_plans) {
          const offer = findOffer(property, id, plan.id);
          if (typeof offer === "string") throw new Error(offer);
          const party = { adults: max_occupancy === 1 ? 1 : 2, children: [] };
          const who = { party, agentId: "google", todayDay: dayIn(0) };
          const query = { checkInDay, nights, ...who };
          const dates = { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) };
          const quote = freezeQuote(
            offer,
            {
              hotel_id: DEALS.id,
              room_type_id: id,
              rate_plan_id: plan.id,
              stay: dates,
              guests: party,
            },
            {
              ...{ quote_id: "qt_1", ...REALM, agent_id: "google", nowMs: NOON, ttlMs: 1 },
              sha256: (text) => createHash("sha256").update(text).digest("hex"),
            },
          );
          const bundle = found.find((each) => each.offer.plan.id === plan.id);
          const isSold = typeof quote !== "string" && availabilityOf(offer, query).sellable >= 1;
          expect(bundle !== undefined).toBe(isSold);
          if (!bundle || typeof quote === "string") continue;
          told += 1;
          const { taxes, fees } = price(priceInputOf(offer, dates, party, NOON));
          const sum = (lines: readonly { readonly amount: number }[]) =>
            lines.reduce((all, { amount }) => all + amount, 0);
          expect(bundle.base + bundle.tax + bundle.fees).toBe(quote.total);
          expect([bundle.tax, bundle.fees]).toEqual([sum(taxes), sum(fees)]);
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(told).toBeGreaterThan(100);
});

test("a query for stays of every length gives the bundles of each length alone", () => {
  const lengths = new Set<number>();
  fc.assert(
    fc.property(ari, inDays, (update, first) => {
      const property = supplied(TREE, update);
      const checkInDay = dayIn(first);
      const upTo = bundlesUpTo(property, stay(checkInDay, 6));
      const alone = Array.from({ length: 6 }, (_, i) =>
        bundlesOf(property, stay(checkInDay, i + 1)),
      );
      expect(upTo).toEqual(alone);
      for (const bundles of alone) lengths.add(bundles.length);
    }),
    { numRuns: 50 },
  );
  expect(lengths.size).toBeGreaterThan(2);
});

test("a changed tree is written in its current version", () => {
  const property = supplied(TREE);
  expect(bundlesOf(property, stay(dayIn(5), 1))).toHaveLength(3);
  const [single, double] = property.tree.room_types;
  const cheaper = { ...single!.rate_plans[0]!, base_rate_per_night: 1_100 };
  property.tree = {
    ...property.tree,
    room_types: [
      { ...single!, rate_plans: [cheaper] },
      { ...double!, rate_plans: [] },
    ],
  };
  const found = bundlesOf(property, stay(dayIn(5), 1));
  expect(found.map((bundle) => [bundle.offer.plan.id, bundle.base])).toEqual([
    ["plan-single", 1_000],
  ]);
});
