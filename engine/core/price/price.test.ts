/** A complete example, the rules of each charge, then the invariants on random supply. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { propertyTree, ratePlan, roomType } from "../../../test/support/builders.ts";
import { dayOf } from "../calendar.ts";
import type { Adjustment, ChildBand, PropertyTree, TaxRule } from "../supply.ts";
import {
  breakdownOf,
  type PriceInput,
  perNightAverage,
  price,
  priceShares,
  priceTotals,
} from "./price.ts";
import type { FrozenQuote } from "./quote.ts";

const PLAN = ratePlan({
  id: "rp1",
  base_rate_per_night: 12_000,
  extra_adult_per_night: 2_500,
  adjustments: [{ code: "LOS3", label: "3+ nights", min_nights: 3, bps: -500 }],
});

const ROOM = roomType({ id: "rt1", rate_plans: [PLAN] });

const VAT: TaxRule = {
  code: "VAT",
  name: "VAT 7%",
  kind: "tax",
  basis: "percent",
  rate_bps: 700,
  included_in_rate: true,
  collect: "prepaid",
};
const CITY: TaxRule = {
  code: "CITY",
  name: "City tax",
  kind: "tax",
  basis: "per_person_per_night",
  amount: 250,
  included_in_rate: false,
  collect: "at_property",
};
const RESORT: TaxRule = {
  ...CITY,
  code: "RESORT",
  name: "Resort fee",
  kind: "fee",
  basis: "per_night",
  amount: 1_000,
};

const TREE = propertyTree({ id: "p1", tax_rules: [VAT, CITY, RESORT], room_types: [ROOM] });

const INPUT: PriceInput = {
  tree: TREE,
  roomType: ROOM,
  plan: PLAN,
  checkInDay: dayOf("2026-12-20"),
  party: { adults: 2, children: [] },
  nightly: [12_000, 12_000, 12_000],
  extraAdult: 2_500,
  sources: "oob",
  todayDay: null,
};

test("the complete example is priced to the cent", () => {
  const night = {
    base: 12_000,
    occupancy: 0,
    children: 0,
    adjustments: [{ code: "LOS3", label: "3+ nights", amount: -600 }],
    subtotal: 11_400,
  };
  expect(price(INPUT)).toEqual({
    currency: "EUR",
    minor_unit: 2,
    nights: [
      { date: "2026-12-20", ...night, rate_source: "date_override" },
      { date: "2026-12-21", ...night, rate_source: "date_override" },
      { date: "2026-12-22", ...night, rate_source: "base" },
    ],
    room_subtotal: 34_200,
    taxes: [
      {
        code: "VAT",
        name: "VAT 7%",
        basis: "percent",
        rate_bps: 700,
        included_in_rate: true,
        collect: "prepaid",
        amount: 2_237,
      },
      {
        code: "CITY",
        name: "City tax",
        basis: "per_person_per_night",
        unit_amount: 250,
        included_in_rate: false,
        collect: "at_property",
        amount: 1_500,
      },
    ],
    fees: [
      {
        code: "RESORT",
        name: "Resort fee",
        mandatory: true,
        basis: "per_night",
        unit_amount: 1_000,
        included_in_rate: false,
        collect: "at_property",
        amount: 3_000,
      },
    ],
    total: 38_700,
    due_now: 34_200,
    due_later: [],
    due_at_property: 4_500,
    per_night_average: 11_400,
    rounding: "half_up_per_line",
  });
});

test("extra adults and children are charged per night, a child never more than an adult", () => {
  const bands: ChildBand[] = [
    { min_age: 0, max_age: 2, pricing: "free", counts_toward_occupancy: false },
    {
      min_age: 3,
      max_age: 7,
      pricing: "fixed_per_night",
      value: 900,
      counts_toward_occupancy: true,
    },
    {
      min_age: 8,
      max_age: 12,
      pricing: "percent_bps",
      value: 2_550,
      counts_toward_occupancy: true,
    },
  ];
  const { nights } = price({
    ...INPUT,
    tree: { ...TREE, child_bands: bands },
    party: { adults: 3, children: [{ age: 1 }, { age: 5 }, { age: 9 }, { age: 15 }] },
    nightly: [10_001, 20_000],
    extraAdult: [1_000, 1_500],
  });
  const charges = nights.map(({ occupancy, children, subtotal }) => [
    occupancy,
    children,
    subtotal,
  ]);
  expect(charges).toEqual([
    [2_000, 900 + 1_000, 13_901],
    [3_000, 900 + 1_500, 25_400],
  ]);
});

const CHILDREN: ChildBand[] = [
  { min_age: 0, max_age: 12, pricing: "percent_bps", value: 5_000, counts_toward_occupancy: true },
];

test("a child uses an included place before it is charged", () => {
  const tree = { ...TREE, child_bands: CHILDREN };
  const subtotal = (adults: number, ...ages: number[]) =>
    price({ ...INPUT, tree, party: { adults, children: ages.map((age) => ({ age })) } }).nights[0]!
      .children;
  expect(subtotal(1, 5)).toBe(0);
  expect(subtotal(2, 5)).toBe(2_500);
  expect(subtotal(1, 5, 6)).toBe(2_500);
});

test("an adjustment applies from its minimum number of nights, rounded per night", () => {
  const adjusted = (nightly: number[]) =>
    price({ ...INPUT, nightly }).nights.map((night) => night.adjustments.map((a) => a.amount));
  expect(adjusted([12_000, 12_000])).toEqual([[], []]);
  expect(adjusted([10, 9, 30, 0])).toEqual([[-1], [0], [-2], [0]]);
});

test("the sum of the discounts never exceeds the base of a night", () => {
  const half = { code: "H", label: "half", min_nights: 1, bps: -6_000 };
  const plan = { ...PLAN, adjustments: [half, half, half] };
  const priced = price({ ...INPUT, plan, party: { adults: 3, children: [] } });
  expect(priced.nights[0]!.adjustments.map(({ amount }) => amount)).toEqual([-7_200, -4_800, 0]);
  expect(priced.room_subtotal).toBe(3 * 2_500);
});

test("an included tax that the property collects moves from due_now and keeps the total", () => {
  const tree = { ...TREE, tax_rules: [{ ...VAT, collect: "at_property" as const }] };
  expect(priceTotals({ ...INPUT, tree })).toEqual({
    room_subtotal: 34_200,
    total: 34_200,
    due_now: 34_200 - 2_237,
    due_at_property: 2_237,
  });
});

test("the average per night is rounded half up", () => {
  expect(perNightAverage(34_201, 2)).toBe(17_101);
  expect(perNightAverage(100, 3)).toBe(33);
});

const QUOTE: FrozenQuote = {
  quote_id: "q1",
  tenant_id: "t1",
  mode: "test",
  agent_id: "a1",
  property_id: "p1",
  room_type_id: "rt1",
  rate_plan_id: "rp1",
  stay: { check_in: "2026-12-20", check_out: "2026-12-23" },
  guests: INPUT.party,
  supply_version: 1,
  policy_version: "1",
  currency: "EUR",
  nightly: INPUT.nightly,
  extra_adult: 2_500,
  sources: "oob",
  room_subtotal: 34_200,
  total: 38_700,
  due_now: 34_200,
  due_at_property: 4_500,
  fees: { tiers: [], after: 0, no_show: 0, anchor_ms: 0, anchor: "" },
  price_hash: "sha256:00",
  policy_hash: "sha256:11",
  created_at: 0,
  expires_at: 1_800_000,
};

test("a frozen quote renders to the bytes it was priced with, after any copy of its parts", () => {
  const copies = JSON.parse(JSON.stringify({ tree: TREE, quote: QUOTE })) as {
    tree: PropertyTree;
    quote: FrozenQuote;
  };
  const rendered = JSON.stringify(breakdownOf(copies.tree, copies.quote));
  expect(rendered).toBe(JSON.stringify({ ...price(INPUT), hash: "sha256:00" }));
});

test("a quote of an offer that its tree lacks throws", () => {
  expect(() => breakdownOf(TREE, { ...QUOTE, room_type_id: "x" })).toThrow("no plan");
  expect(() => breakdownOf(TREE, { ...QUOTE, rate_plan_id: "x" })).toThrow("no plan");
});

const amount = fc.integer({ min: 0, max: 4_294_967_295 });
const window = fc.option(fc.constantFrom("2026-12-19", "2026-12-21", "2026-12-24"), {
  nil: undefined,
});

const taxRule: fc.Arbitrary<TaxRule> = fc
  .record({
    kind: fc.constantFrom("tax" as const, "fee" as const),
    basis: fc.constantFrom(
      ...(["percent", "per_stay", "per_night", "per_person", "per_person_per_night"] as const),
    ),
    rate: fc.integer({ min: 0, max: 10_000 }),
    amount,
    included_in_rate: fc.boolean(),
    collect: fc.constantFrom("prepaid" as const, "at_property" as const),
    min_age: fc.integer({ min: 0, max: 18 }),
    max_nights: fc.integer({ min: 1, max: 40 }),
    from: window,
    to: window,
    order: fc.integer({ min: 0, max: 3 }),
    compound: fc.boolean(),
  })
  .map(({ rate, amount: unit, from, to, ...rest }) => ({
    code: "T",
    name: "T",
    ...rest,
    ...(rest.basis === "percent" ? { rate_bps: rate } : { amount: unit }),
    ...(from === undefined ? {} : { valid_from: from }),
    ...(to === undefined ? {} : { valid_to: to }),
  }));

const childBand: fc.Arbitrary<ChildBand> = fc.record({
  min_age: fc.integer({ min: 0, max: 9 }),
  max_age: fc.integer({ min: 5, max: 17 }),
  pricing: fc.constantFrom("free" as const, "percent_bps" as const, "fixed_per_night" as const),
  value: fc.integer({ min: 0, max: 10_000 }),
  counts_toward_occupancy: fc.boolean(),
  max_count: fc.integer({ min: 0, max: 2 }),
});

const adjustment: fc.Arbitrary<Adjustment> = fc.record({
  code: fc.constant("A"),
  label: fc.constant("A"),
  min_nights: fc.integer({ min: 1, max: 5 }),
  bps: fc.integer({ min: -10_000, max: 10_000 }),
});

const priceInput: fc.Arbitrary<PriceInput> = fc
  .record({
    tax_rules: fc.array(taxRule, { maxLength: 5 }),
    child_bands: fc.array(childBand, { maxLength: 3 }),
    adjustments: fc.array(adjustment, { maxLength: 3 }),
    adults: fc.integer({ min: 1, max: 6 }),
    children: fc.array(fc.record({ age: fc.integer({ min: 0, max: 17 }) }), { maxLength: 4 }),
    nightly: fc.array(amount, { minLength: 1, maxLength: 30 }),
    extraAdult: amount,
  })
  .map(({ tax_rules, child_bands, adjustments, adults, children, nightly, extraAdult }) => ({
    ...INPUT,
    tree: { ...TREE, tax_rules, child_bands },
    plan: { ...PLAN, adjustments },
    party: { adults, children },
    nightly,
    extraAdult,
    sources: "b".repeat(nightly.length),
  }));

function sum(values: readonly number[]): number {
  return values.reduce((running, value) => running + value, 0);
}

test("the sums hold for every price, in safe integers and never negative", () => {
  fc.assert(
    fc.property(priceInput, (input) => {
      const priced = price(input);
      const lines = [...priced.taxes, ...priced.fees];
      const added = lines.filter((line) => !line.included_in_rate).map((line) => line.amount);
      const included = lines.filter((line) => line.included_in_rate).map((line) => line.amount);
      expect(priced.room_subtotal + sum(added)).toBe(priced.total);
      expect(priced.due_now + sum(priced.due_later) + priced.due_at_property).toBe(priced.total);
      expect(sum(priced.nights.map((night) => night.subtotal))).toBe(priced.room_subtotal);
      for (const night of priced.nights) {
        const adjusted = night.base + sum(night.adjustments.map((each) => each.amount));
        expect(adjusted + night.occupancy + night.children).toBe(night.subtotal);
      }
      expect(sum(included)).toBeLessThanOrEqual(priced.room_subtotal);
      const sums = [priced.total, priced.due_now, priced.due_at_property, priced.room_subtotal];
      for (const value of [...sums, ...added, ...included]) {
        expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
      }
    }),
  );
});

test("one more person never lowers the price, a child in place of an adult never raises it", () => {
  const age = fc.integer({ min: 0, max: 17 });
  const roomFor = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(priceInput, roomFor, age, (input, included_occupancy, one) => {
      const roomType = { ...input.roomType, included_occupancy };
      const { adults, children } = input.party;
      const totalOf = (party: PriceInput["party"]) => {
        const { room_subtotal, total } = price({ ...input, roomType, party });
        return [room_subtotal, total] as const;
      };
      const [room, total] = totalOf(input.party);
      const child = [...children, { age: one }];
      for (const more of [
        { adults: adults + 1, children },
        { adults, children: child },
      ]) {
        const [roomOfMore, totalOfMore] = totalOf(more);
        expect(roomOfMore).toBeGreaterThanOrEqual(room);
        expect(totalOfMore).toBeGreaterThanOrEqual(total);
      }
      if (adults === 1) return;
      const [roomOfChild, totalOfChild] = totalOf({ adults: adults - 1, children: child });
      expect(roomOfChild).toBeLessThanOrEqual(room);
      expect(totalOfChild).toBeLessThanOrEqual(total);
    }),
    { numRuns: 500 },
  );
});

test("totals computed alone equal the totals of the whole breakdown", () => {
  fc.assert(
    fc.property(priceInput, (input) => {
      const { room_subtotal, total, due_now, due_at_property } = price(input);
      expect(priceTotals(input)).toEqual({ room_subtotal, total, due_now, due_at_property });
    }),
  );
});

test("room, taxes and fees are the lines of the whole breakdown and add up to its total", () => {
  fc.assert(
    fc.property(priceInput, (input) => {
      const { room_subtotal, taxes, fees, total } = price(input);
      const lines = [...taxes, ...fees];
      const included = lines.filter((line) => line.included_in_rate).map((line) => line.amount);
      const tax = sum(taxes.map((line) => line.amount));
      const fee = sum(fees.map((line) => line.amount));
      const shares = priceShares(input);
      expect(shares).toEqual({ base: room_subtotal - sum(included), tax, fees: fee });
      expect(shares.base + tax + fee).toBe(total);
      expect(shares.base).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("the shares of the first n nights equal those of a stay of n nights", () => {
  fc.assert(
    fc.property(priceInput, (input) => {
      for (let nights = 1; nights <= input.nightly.length; nights += 1) {
        const { extraAdult, ...rest } = input;
        const cut = {
          ...rest,
          nightly: input.nightly.slice(0, nights),
          extraAdult: typeof extraAdult === "number" ? extraAdult : extraAdult.slice(0, nights),
        };
        expect(priceShares(input, nights)).toEqual(priceShares(cut));
      }
    }),
  );
});

test("a line that is included in the rate changes no total", () => {
  fc.assert(
    fc.property(priceInput, (input) => {
      const rules = input.tree.tax_rules.filter((rule) => !rule.included_in_rate);
      const without = priceTotals({ ...input, tree: { ...input.tree, tax_rules: rules } });
      expect(priceTotals(input).total).toBe(without.total);
      expect(priceTotals(input).room_subtotal).toBe(without.room_subtotal);
    }),
  );
});
