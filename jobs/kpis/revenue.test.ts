/** Goal: room revenue is net of included taxes and fees and loses no cent. Method: by hand. */
import { expect, test } from "bun:test";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { TaxRule } from "../../engine/core/supply.ts";
import { propertyTree, ratePlan, roomType } from "../../test/support/builders.ts";
import { nightlyRevenue } from "./revenue.ts";

const VAT: TaxRule = {
  ...{ code: "VAT", name: "VAT 7%", kind: "tax", basis: "percent", rate_bps: 700 },
  ...{ included_in_rate: true, collect: "prepaid" },
};
const CLEANING: TaxRule = {
  ...{ code: "CLEAN", name: "Cleaning", kind: "fee", basis: "per_stay", amount: 1_000 },
  ...{ included_in_rate: true, collect: "prepaid" },
};
const CITY: TaxRule = { ...VAT, code: "CITY", included_in_rate: false };

function revenueWith(tax_rules: readonly TaxRule[], nightly: readonly number[]): readonly number[] {
  const plan = ratePlan({ id: "rp1", adjustments: [] });
  const room = roomType({ id: "rt1", rate_plans: [plan] });
  const quote = {
    ...{ room_type_id: "rt1", rate_plan_id: "rp1", nightly, extra_adult: 0 },
    stay: { check_in: "2027-01-31", check_out: "2027-02-03" },
    ...{ guests: { adults: 1, children: [] }, sources: "b".repeat(nightly.length) },
  };
  const tree = propertyTree({ tax_rules: [...tax_rules], room_types: [room] });
  return nightlyRevenue(tree, quote as unknown as FrozenQuote);
}

test("a rate without included taxes is entirely room revenue, whatever is added to it", () => {
  expect(revenueWith([CITY], [10_000, 12_000, 9_999])).toEqual([10_000, 12_000, 9_999]);
});

test("included tax and fees are not room revenue; the nights sum exactly to the rest", () => {
  // 7 % of 107.00 is 7.00.
  expect(revenueWith([VAT], [10_700])).toEqual([10_000]);
  const nights = revenueWith([VAT], [3_333, 3_333, 3_334]);
  expect(nights.reduce((sum, night) => sum + night, 0)).toBe(10_000 - 654);
  expect(Math.max(...nights) - Math.min(...nights)).toBeLessThanOrEqual(2);
  expect(revenueWith([CLEANING], [5_000, 5_000])).toEqual([4_500, 4_500]);
});

test("amounts whose products exceed safe integers are divided exactly", () => {
  const nights = revenueWith([VAT], [9_000_000_000_007, 1_000_000_000_000]);
  expect(nights.reduce((sum, night) => sum + night, 0)).toBe(
    10_000_000_000_007 - Math.round((10_000_000_000_007 * 700) / 10_700),
  );
});

test("a free stay has no room revenue", () => {
  expect(revenueWith([VAT], [0, 0])).toEqual([0, 0]);
});
