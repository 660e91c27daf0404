/**
 * The offers of a property equal their quotes in price, terms and units, and search finds the
 * first one. Checked over all offers of a tenant of a thousand properties.
 */
import { expect, test } from "bun:test";
import { Random } from "../../../test/sim/random.ts";
import {
  AGENT,
  createProperty,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given, type Scenario } from "../../../test/support/given.ts";
import { freeUntil } from "../../../test/support/quoted-terms.ts";
import { dateOf, dayOf, todayIn } from "../calendar.ts";
import { policySnapshot } from "../price/policy-snapshot.ts";
import { breakdownOf } from "../price/price.ts";
import type { Party, QuoteRequest, Stay } from "../price/quote.ts";
import type { SearchResult } from "../search/results.ts";
import { search } from "../search/search.ts";
import { findOffer, type Offer, type PropertyEntry } from "../state/state.ts";
import type { DerivedRate, Discount, PropertyTree, TaxRule } from "../supply.ts";
import { type StayOffer, stayOffers } from "./offers.ts";
import { availabilityOf, freezeQuote } from "./quoting.ts";

const PROPERTIES = 1_000;
const SCOPE = { ...REALM, actor: { kind: "agent", id: AGENT } } as const;
const KINDS = ["free_until_cutoff", "fee_from_booking", "non_refundable"] as const;
const MEALS = ["room_only", "breakfast", "half_board"] as const;

const VAT = {
  code: "VAT",
  name: "VAT",
  kind: "tax",
  basis: "percent",
  collect: "prepaid",
} as const;
const TAXES: readonly (readonly TaxRule[])[] = [
  [],
  [{ ...VAT, rate_bps: 733, included_in_rate: true }],
  [
    { ...VAT, rate_bps: 2_100, included_in_rate: false },
    {
      ...{ code: "CITY", name: "City tax", kind: "tax", basis: "per_person_per_night" },
      ...{ amount: 255, included_in_rate: false, collect: "at_property", max_nights: 2 },
    },
    {
      ...VAT,
      code: "CLEAN",
      kind: "fee",
      basis: "per_stay",
      amount: 1_999,
      included_in_rate: false,
    },
  ],
];

function following(random: Random, rate_plan_id: string): DerivedRate {
  const change = random.pick([{ bps: -777 }, { amount: 1_234 }]);
  return { rate_plan_id, ...change, round_to: random.pick([1, 50]), rounding: "up" };
}

const DISCOUNTS: readonly Discount[][] = [
  [
    { code: "E", label: "Early", bps: -1_111, min_advance_days: 9 },
    { code: "L", label: "Late", amount: -250, max_advance_days: 9, days_of_week: ["fri", "sat"] },
  ],
  [{ code: "LONG", label: "Long", bps: -333, min_nights: 2 }],
];

function treeOf(random: Random, n: number): PropertyTree {
  const id = `property-${n}`;
  const currency = random.chance(10) ? "JPY" : "EUR";
  const rooms = Array.from({ length: random.between(1, 3) }, (_, i) =>
    roomType({
      ...{ id: `${id}-${i}`, code: `R${i}`, name: `Room ${i}` },
      max_occupancy: random.between(1, 4),
      included_occupancy: random.between(1, 2),
      default_inventory: random.between(1, 12),
      rate_plans: Array.from({ length: random.between(1, 3) }, (_, j) =>
        ratePlan({
          ...(j > 0 && random.chance(40) && { derived_from: following(random, `${id}-${i}-2`) }),
          ...(random.chance(40) && { discounts: random.pick(DISCOUNTS) }),
          ...{ id: `${id}-${i}-${2 - j}`, code: `P${j}`, name: `Plan ${j}` },
          currency,
          base_rate_per_night: random.between(5_000, 5_020),
          extra_adult_per_night: random.pick([0, 1_750]),
          meal_plan: random.pick(MEALS),
          cancellation_kind: random.pick(KINDS),
          adjustments: random.pick([[], [{ code: "L", label: "L", min_nights: 2, bps: -733 }]]),
        }),
      ),
    }),
  );
  return propertyTree({
    ...{ id, slug: `hotel-${n}`, room_types: rooms },
    default_currency: currency,
    timezone: random.pick(["Europe/Madrid", "Pacific/Kiritimati", "America/Los_Angeles"]),
    checkin_time: random.pick(["14:00", "16:30"]),
    policies: KINDS.map((cancellation_kind) =>
      policyTerms({
        cancellation_kind,
        cancellation_fee_pct_after_cutoff: random.pick([0, 50, 100]),
        no_show_fee_pct: random.pick([0, 100]),
      }),
    ),
    tax_rules: random.pick(TAXES),
    child_bands: random.chance(50)
      ? [
          {
            ...{ min_age: 0, max_age: 11, counts_toward_occupancy: true },
            ...{ pricing: "percent_bps", value: 5_000 },
          },
        ]
      : [],
  });
}

/** A tenant's properties, some of whose nights are closed, dearer or sold out. */
function tenant(random: Random): Scenario {
  const world = given();
  for (let n = 0; n < PROPERTIES; n += 1) {
    const tree = treeOf(random, n);
    world.when(createProperty(tree));
    expect(world.when(promoteProperty(tree)).outcome).toMatchObject({ ok: true });
    if (random.chance(40)) continue;
    const room = random.pick(tree.room_types);
    const first = dayIn(random.between(8, 12));
    const nights = { from: dateOf(first), to: dateOf(first + random.below(4)) };
    const inRoom = { room_type_id: room.id, ...nights };
    const { id: rate_plan_id, derived_from } = random.pick(room.rate_plans);
    const restriction = random.pick([
      ...[{ min_los_arrival: 4 }, { min_advance_days: 10 }, { max_advance_days: 9 }],
      { los_pattern: "YNNY" },
    ]);
    world.when(
      updateAri(tree, {
        inventory: random.chance(40) ? [{ ...inRoom, capacity: random.below(3) }] : [],
        rates: [
          {
            rate_plan_id: derived_from?.rate_plan_id ?? rate_plan_id,
            ...nights,
            amount: random.between(4_000, 9_000),
          },
        ],
        restrictions: random.chance(30) ? [{ ...inRoom, rate_plan_id, ...restriction }] : [],
      }),
    );
  }
  return world;
}

function quoteOf(world: Scenario, offer: Offer, request: QuoteRequest) {
  const making = { quote_id: "qt_1", ...REALM, agent_id: AGENT, nowMs: world.stamp, ttlMs: 1 };
  const quote = freezeQuote(offer, request, { ...making, sha256: () => "0".repeat(64) });
  if (typeof quote === "string") throw new Error(quote);
  return quote;
}

function holdsAsQuoted(world: Scenario, listed: StayOffer, stay: Stay, guests: Party): void {
  const { offer, totals, amount, cancellation, sellable, blocking } = listed;
  const { property, roomType, plan } = offer;
  const { tree } = property;
  const ids = { hotel_id: tree.id, room_type_id: roomType.id, rate_plan_id: plan.id };
  const quote = quoteOf(world, offer, { ...ids, stay, guests });
  const { total, due_now, due_at_property, per_night_average } = breakdownOf(tree, quote);
  const terms = policySnapshot(tree, quote);
  const { refundability, description } = terms;
  const checkInDay = dayOf(stay.check_in);
  const nights = dayOf(stay.check_out) - checkInDay;
  const todayDay = todayIn(tree.timezone, world.stamp);
  const asked = { checkInDay, nights, party: guests, agentId: AGENT, todayDay };
  const available = availabilityOf(offer, asked);
  expect({ ...totals, amount, sellable, blocking, ...cancellation }).toMatchObject({
    ...{ total, due_now, due_at_property, amount: per_night_average },
    ...{ refundability, description, free_until: freeUntil(terms) },
    ...{ sellable: available.sellable, blocking: available.blocking as never },
  });
}

/** The first offer is what search finds of the property; where it finds none, none can be held. */
function isFoundFirst(offers: readonly StayOffer[], result: SearchResult | undefined): void {
  const [first] = offers;
  expect(result !== undefined).toBe(first !== undefined && first.sellable > 0);
  if (!result || !first) return;
  const { offer, amount, totals, cancellation, sellable } = first;
  const { refundability, free_until } = cancellation;
  const { currency } = offer.plan;
  const { total, due_now, due_at_property } = totals;
  expect(result.best_offer).toEqual({
    ...{ room_type_id: offer.roomType.id, room_type_name: offer.roomType.name },
    ...{ rate_plan_id: offer.plan.id, rate_plan_name: offer.plan.name },
    ...{ meal_plan: offer.plan.meal_plan, bed_type: offer.roomType.bed_type },
    max_occupancy: offer.roomType.max_occupancy,
    price_per_night: { amount, currency },
    ...{ currency, total, due_now, due_at_property, sellable: Math.min(9, sellable) },
    cancellation: { refundability, free_until },
  });
}

test("each offer equals its quote, and search finds the first offer of every property", () => {
  const random = new Random(11);
  const world = tenant(random);
  const all = [...world.state.allProperties()] as PropertyEntry[];
  const seen = { offers: 0, open: 0, shut: 0, moved: 0 };
  for (const { nights, adults, ages } of [
    { nights: 1, adults: 2, ages: [] },
    { nights: 3, adults: 1, ages: [4, 15] },
    { nights: 5, adults: 3, ages: [] },
  ]) {
    const stay = stayIn(9, nights);
    const guests = { adults, children: ages.map((age) => ({ age })) };
    const { results } = search(world.state, { stay, guests }, { ...SCOPE, nowMs: world.stamp });
    const byId = new Map(results.map((result) => [result.property_id, result]));
    for (const property of all) {
      const todayDay = todayIn(property.tree.timezone, world.stamp);
      const dates = { checkInDay: dayOf(stay.check_in), nights, todayDay };
      const asked = { ...dates, party: guests, agentId: AGENT };
      const offers = stayOffers(property, asked, { nowMs: world.stamp, fx: null });
      const plans = property.tree.room_types.flatMap(({ rate_plans }) => rate_plans);
      expect(offers.length).toBe(plans.length);
      for (const each of offers) holdsAsQuoted(world, each, stay, guests);
      isFoundFirst(offers, byId.get(property.tree.id));
      seen.offers += offers.length;
      seen.open += offers.filter(({ sellable }) => sellable > 0).length;
      seen.shut += offers.filter(({ blocking }) => blocking.length > 0).length;
      seen.moved += offers.filter(({ alternatives }) => alternatives.length > 0).length;
    }
  }
  expect(seen.open + seen.shut).toBe(seen.offers);
  expect(Math.min(seen.open, seen.shut)).toBeGreaterThan(1_000);
  expect(seen.moved).toBeGreaterThan(100);
});

test("an offer that cannot be held has alternatives that can be quoted and held", () => {
  const tree = propertyTree({ room_types: [roomType()] });
  const night = { from: dateOf(dayIn(10)), to: dateOf(dayIn(10)) };
  const world = given(createProperty(tree), promoteProperty(tree));
  world.when(
    updateAri(tree, { inventory: [{ room_type_id: "room-double", ...night, capacity: 0 }] }),
  );
  const property = world.state.property(REALM, tree.id)!;
  const todayDay = todayIn(tree.timezone, world.stamp);
  const asked = { checkInDay: dayIn(10), nights: 1, party: { adults: 2, children: [] } };
  const at = { nowMs: world.stamp, fx: null };
  const [only] = stayOffers(property, { ...asked, agentId: AGENT, todayDay }, at);
  expect(only).toMatchObject({ sellable: 0, blocking: [{ reason: "no_vacancy" }] });
  expect(only!.alternatives.map(({ quote }) => quote.stay)).toEqual([stayIn(11, 1), stayIn(9, 1)]);
  for (const { quote } of only!.alternatives) {
    const offer = findOffer(property, quote.room_type_id, quote.rate_plan_id) as Offer;
    const checkInDay = dayOf(quote.stay.check_in);
    const moved = { checkInDay, nights: 1, party: quote.guests, agentId: AGENT, todayDay };
    expect(availabilityOf(offer, moved).sellable).toBeGreaterThan(0);
  }
});

test("of hundreds of offers that cannot be held, forty are explained night by night", () => {
  const room_types = Array.from({ length: 60 }, (_, i) =>
    roomType({
      ...{ id: `room-${i}`, code: `R${i}` },
      rate_plans: [ratePlan({ id: `plan-${i}`, code: `P${i}` })],
    }),
  );
  const tree = propertyTree({ room_types });
  const world = given(createProperty(tree), promoteProperty(tree));
  const nights = { from: dateOf(dayIn(10)), to: dateOf(dayIn(12)) };
  const closed = room_types.map(({ id }) => ({ room_type_id: id, ...nights }));
  const inventory = closed.map((each) => ({ ...each, capacity: 0 }));
  const restrictions = closed.map((each) => ({ ...each, stop_sell: true }));
  world.when(updateAri(tree, { inventory, restrictions }));
  const property = world.state.property(REALM, tree.id)!;
  const stay = { checkInDay: dayIn(10), nights: 3, party: { adults: 2, children: [] } };
  const todayDay = todayIn(tree.timezone, world.stamp);
  const at = { nowMs: world.stamp, fx: null };
  const offers = stayOffers(property, { ...stay, agentId: AGENT, todayDay }, at);
  expect(offers.map(({ blocking }) => blocking.length)).toEqual([
    ...Array.from({ length: 40 }, () => 6),
    ...Array.from({ length: 20 }, () => 2),
  ]);
  expect(offers.at(-1)!.blocking).toMatchObject([
    { date: dateOf(dayIn(10)), reason: "stop_sell" },
    { date: dateOf(dayIn(10)), reason: "no_vacancy" },
  ]);
  expect(offers.filter(({ alternatives }) => alternatives.length > 0)).toHaveLength(40);
});

test("a plan without a cancellation policy gives no offer", () => {
  const strict = ratePlan({ id: "plan-strict", cancellation_kind: "non_refundable" });
  const tree = propertyTree({ room_types: [roomType({ rate_plans: [ratePlan(), strict] })] });
  const world = given(createProperty(tree));
  const property = world.state.property(REALM, tree.id)!;
  const asked = { checkInDay: dayIn(10), nights: 1, party: { adults: 2, children: [] } };
  const at = { nowMs: world.stamp, fx: null };
  const offers = stayOffers(property, { ...asked, agentId: AGENT, todayDay: dayIn(0) }, at);
  expect(offers.map(({ offer }) => offer.plan.id)).toEqual(["plan-flex"]);
});
