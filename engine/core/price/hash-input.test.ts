/** The hash input of random quotes equals the canonical form of the quote as shown. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createProperty,
  NOON,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { makeQuote } from "../availability/quoting.ts";
import { canonicalJson } from "../canonical.ts";
import { findOffer } from "../state/state.ts";
import type { PropertyTree, TaxRule } from "../supply.ts";
import { policySnapshot } from "./policy-snapshot.ts";
import { breakdownOf } from "./price.ts";
import { quoteText, readQuote } from "./quote-codec.ts";

/** Everything that JSON writes in a way of its own is among them. */
const words = fc.string({ unit: "grapheme", maxLength: 12 });
const collect = fc.constantFrom("prepaid" as const, "at_property" as const);
const percent = fc.integer({ min: 0, max: 10_000 }).map((bps) => bps / 100);

const taxRule: fc.Arbitrary<TaxRule> = fc
  .record({
    ...{ code: words, name: words, collect, included_in_rate: fc.boolean() },
    kind: fc.constantFrom("tax" as const, "fee" as const),
    basis: fc.constantFrom(
      ...(["percent", "per_stay", "per_night", "per_person", "per_person_per_night"] as const),
    ),
    amount: fc.integer({ min: 0, max: 100_000 }),
  })
  .map(({ amount, ...rest }) => {
    return rest.basis === "percent" ? { ...rest, rate_bps: amount % 2_000 } : { ...rest, amount };
  });

const tree: fc.Arbitrary<PropertyTree> = fc
  .record({
    tax_rules: fc.array(taxRule, { maxLength: 4 }),
    adjustments: fc.array(
      fc.record({
        ...{ code: words, label: words, min_nights: fc.integer({ min: 1, max: 4 }) },
        bps: fc.integer({ min: -10_000, max: 10_000 }),
      }),
      { maxLength: 3 },
    ),
    cancellation_kind: fc.constantFrom(
      ...(["free_until_cutoff", "fee_from_booking", "non_refundable"] as const),
    ),
    terms: fc.record({
      free_cancellation_hours_before_checkin: fc.integer({ min: 0, max: 800 }).map((h) => h / 4),
      cancellation_fee_pct_after_cutoff: percent,
      no_show_fee_pct: percent,
      child_policy_text: fc.option(words),
    }),
    currency: fc.constantFrom("EUR", "JPY", "KWD"),
    name: words,
    discounts: fc.array(fc.record({ code: words, label: words, bps: fc.constant(-1_234) }), {
      minLength: 1,
      maxLength: 2,
    }),
    rule: fc.constantFrom(
      null,
      { rate_plan_id: "base", bps: -1_000, round_to: 50, rounding: "up" as const },
      { rate_plan_id: "base", amount: 700, round_to: 1, rounding: "half_up" as const },
    ),
    timezone: fc.constantFrom("Europe/Madrid", "Asia/Kathmandu", "America/St_Johns"),
    checkin_time: fc.constantFrom("00:00", "02:30", "23:59"),
  })
  .map(({ adjustments, cancellation_kind, terms, currency, rule, name, discounts, ...own }) => {
    const plan = ratePlan({ id: "rp", adjustments, cancellation_kind, currency });
    const base = ratePlan({ id: "base", code: "BASE", name, cancellation_kind, currency });
    const rate_plans = [base, { ...plan, discounts, ...(rule && { derived_from: rule }) }];
    const room_types = [roomType({ id: "rt", rate_plans })];
    const policies = [policyTerms({ ...terms, cancellation_kind })];
    return propertyTree({ ...own, default_currency: currency, room_types, policies });
  });

const party = fc.record({
  adults: fc.integer({ min: 1, max: 4 }),
  children: fc.array(fc.record({ age: fc.integer({ min: 0, max: 17 }) }), { maxLength: 2 }),
});

/** A quote of one stay in the tree, whose hashes are what they would be taken over. */
function quoteOf(
  of: PropertyTree,
  guests: { adults: number; children: { age: number }[] },
  days: {
    readonly ahead: number;
    readonly nights: number;
  },
) {
  const property = given(createProperty(of), promoteProperty(of)).state.property(REALM, of.id)!;
  const offer = findOffer(property, "rt", "rp");
  if (typeof offer === "string") throw new Error(offer);
  const stay = stayIn(days.ahead, days.nights);
  const ids = { hotel_id: of.id, room_type_id: "rt", rate_plan_id: "rp" };
  const making = { ...REALM, quote_id: "q", agent_id: "a", nowMs: NOON, ttlMs: 1 };
  const made = makeQuote(offer, { ...ids, stay, guests }, { ...making, sha256: (text) => text });
  if (typeof made === "string") throw new Error(made);
  return made;
}

const days = fc.record({
  ahead: fc.integer({ min: 0, max: 300 }),
  nights: fc.integer({ min: 1, max: 6 }),
});

test("the hash input is the canonical JSON of the quote as shown, without the hash", () => {
  fc.assert(
    fc.property(tree, party, days, (of, guests, when) => {
      const { price_breakdown, policy_snapshot } = quoteOf(of, guests, when).unfolded;
      for (const { hash, ...hashed } of [price_breakdown, policy_snapshot]) {
        expect(hash).toBe(`sha256:${canonicalJson(hashed)}`);
      }
    }),
  );
});

test("a stored quote always renders to the bytes that it was made with", () => {
  fc.assert(
    fc.property(tree, party, days, (of, guests, when) => {
      const { quote, unfolded } = quoteOf(of, guests, when);
      const stored = readQuote(quoteText(quote), quote.tenant_id, quote.mode);
      const again = JSON.stringify([breakdownOf(of, stored), policySnapshot(of, stored)]);
      const { price_breakdown, policy_snapshot } = unfolded;
      expect(again).toBe(JSON.stringify([price_breakdown, policy_snapshot]));
    }),
  );
});

test("a text without a canonical form is never hashed", () => {
  const broken = { code: "\ud800", name: "N", kind: "tax", basis: "per_stay", amount: 1 } as const;
  const tax_rules = [{ ...broken, included_in_rate: false, collect: "prepaid" } as const];
  const of = propertyTree({
    tax_rules,
    room_types: [roomType({ id: "rt", rate_plans: [ratePlan({ id: "rp" })] })],
  });
  const days = { ahead: 5, nights: 1 };
  expect(() => quoteOf(of, { adults: 1, children: [] }, days)).toThrow(TypeError);
});
