/** Each basis, window and flag of a rule on its own; sums of whole prices are in price.test.ts. */
import { expect, test } from "bun:test";
import { dayOf } from "../calendar.ts";
import type { TaxRule } from "../supply.ts";
import {
  chargesOf,
  chargeTaxes,
  type FeeLine,
  noTaxes,
  type TaxLine,
  type TaxLines,
} from "./taxes.ts";

function rule(over: Partial<TaxRule>): TaxRule {
  return {
    code: "T",
    name: "Tax",
    kind: "tax",
    basis: "per_stay",
    included_in_rate: false,
    collect: "prepaid",
    ...over,
  };
}

/** What rules charge for three nights over New Year. */
function charged(rules: readonly TaxRule[], lines?: TaxLines) {
  const charges = chargesOf(rules, {
    checkInDay: dayOf("2026-12-30"),
    nights: 3,
    party: { adults: 2, children: [{ age: 4 }, { age: 16 }] },
  });
  const room = { subtotals: [10_000, 11_000, 13_000], roomSubtotal: 34_000 };
  return chargeTaxes(charges, room, noTaxes(), lines);
}

function amounts(...rules: TaxRule[]): number[] {
  const taxes: TaxLine[] = [];
  charged(rules, { taxes, fees: [] });
  return taxes.map((line) => line.amount);
}

test.each([
  ["percent", rule({ basis: "percent", rate_bps: 725 }), 2_465],
  ["per stay", rule({ amount: 300 }), 300],
  ["per night", rule({ basis: "per_night", amount: 300 }), 900],
  ["per person", rule({ basis: "per_person", amount: 300 }), 1_200],
  ["per person and night", rule({ basis: "per_person_per_night", amount: 300 }), 3_600],
  ["young persons left out", rule({ basis: "per_person", amount: 300, min_age: 5 }), 900],
  ["at the age itself", rule({ basis: "per_person", amount: 300, min_age: 16 }), 900],
  ["adults whatever the age", rule({ basis: "per_person", amount: 300, min_age: 60 }), 600],
  ["at most two nights", rule({ basis: "per_night", amount: 300, max_nights: 2 }), 600],
  ["percent of two nights", rule({ basis: "percent", rate_bps: 1_000, max_nights: 2 }), 2_100],
  ["from a date on", rule({ basis: "percent", rate_bps: 1_000, valid_from: "2026-12-31" }), 2_400],
  ["up to a date", rule({ basis: "per_night", amount: 300, valid_to: "2026-12-30" }), 300],
  ["a window wider than the stay", rule({ amount: 5, valid_from: "2026-01-01" }), 5],
])("a line's amount: %s", (_, one, amount) => {
  expect(amounts(one)).toEqual([amount]);
});

test("a rule that charges no night of the stay gives no line", () => {
  const outside = [{ valid_from: "2027-01-02" }, { valid_to: "2026-12-29" }, { max_nights: 0 }];
  expect(amounts(...outside.map((window) => rule({ amount: 300, ...window })))).toEqual([]);
  expect(charged([rule({ amount: 300, valid_from: "2026-02-30" })]).added).toBe(0);
});

test("rules are charged in order, and compound rules add the earlier lines not included", () => {
  const compound = rule({ basis: "percent", rate_bps: 1_000, compound: true, order: 2 });
  const fixed = rule({ amount: 1_000, order: 1 });
  const included = rule({ amount: 500, included_in_rate: true });
  expect(amounts(compound, fixed, included)).toEqual([500, 1_000, 3_500]);
  expect(amounts({ ...compound, compound: false }, fixed)).toEqual([1_000, 3_400]);
});

test("an included percentage is its share of the rate", () => {
  expect(amounts(rule({ basis: "percent", rate_bps: 700, included_in_rate: true }))).toEqual([
    2_224,
  ]);
});

test("the sum of included lines never exceeds the rate", () => {
  const included = rule({ amount: 20_000, included_in_rate: true, collect: "at_property" });
  const totals = charged([included, included, included]);
  expect(totals).toEqual({ added: 0, included: 34_000, atProperty: 34_000, taxes: 34_000 });
});

test("fees are mandatory lines of their own", () => {
  const fees: FeeLine[] = [];
  const resort = rule({ code: "RESORT", kind: "fee", basis: "per_night", amount: 1_000 });
  const totals = charged([{ ...resort, collect: "at_property" }], { taxes: [], fees });
  expect(totals).toEqual({ added: 3_000, included: 0, atProperty: 3_000, taxes: 0 });
  expect(JSON.stringify(fees)).toBe(
    '[{"code":"RESORT","name":"Tax","mandatory":true,"basis":"per_night","unit_amount":1000,' +
      '"included_in_rate":false,"collect":"at_property","amount":3000}]',
  );
});
