/** An accepted tree has exact prices only, whatever the rates of its nights. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createProperty,
  NOON,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { freezeQuote } from "../availability/quoting.ts";
import { search } from "../search/search.ts";
import { findOffer } from "../state/state.ts";
import type { PropertyTree, TaxRule } from "../supply.ts";
import { isExact, price } from "./price.ts";
import { ADULTS_MAX, AMOUNT_MAX, CHILDREN_MAX, inexactTaxes } from "./price-bounds.ts";
import { STAY_NIGHTS_MAX } from "./quote.ts";

const TAX = {
  ...({ kind: "tax", basis: "percent", rate_bps: 10_000 } as const),
  ...({ included_in_rate: false, collect: "prepaid", compound: true } as const),
};

function taxes(count: number, over: Partial<TaxRule> = {}): TaxRule[] {
  return Array.from({ length: count }, (_, n) => {
    return { ...TAX, code: `T${n}`, name: "Tax on taxes", ...over };
  });
}

/** What the dearest stay of the last room comes to. */
function dearestOf(tree: PropertyTree): number {
  const room = tree.room_types.at(-1)!;
  const all = (amount: number) => new Array<number>(STAY_NIGHTS_MAX).fill(amount);
  const priced = price({
    ...{ edition: 2, tree, roomType: room, plan: room.rate_plans[0]!, checkInDay: dayIn(1) },
    party: {
      adults: ADULTS_MAX,
      children: new Array<{ age: number }>(CHILDREN_MAX).fill({ age: 17 }),
    },
    ...{ nightly: all(AMOUNT_MAX), extraAdult: AMOUNT_MAX, sources: "", todayDay: null },
  });
  return priced.total;
}

const rule: fc.Arbitrary<TaxRule> = fc.record({
  code: fc.constant("T"),
  name: fc.constant("T"),
  kind: fc.constantFrom("tax", "fee"),
  basis: fc.constantFrom(
    ...(["percent", "percent", "percent", "per_stay", "per_night"] as const),
    ...(["per_person", "per_person_per_night"] as const),
  ),
  rate_bps: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 100_000 })),
  amount: fc.oneof(fc.nat({ max: 5_000 }), fc.integer({ min: 0, max: AMOUNT_MAX })),
  included_in_rate: fc.boolean(),
  collect: fc.constantFrom("prepaid", "at_property"),
  order: fc.nat({ max: 3 }),
  compound: fc.boolean(),
});
const tree = fc
  .record({
    tax_rules: fc.array(rule, { maxLength: 60, size: "max" }),
    bps: fc.array(fc.integer({ min: -10_000, max: 100_000 }), { maxLength: 5 }),
  })
  .map(({ tax_rules, bps }) => {
    const adjustments = bps.map((each, n) => {
      return { code: `A${n}`, label: "A", min_nights: 1, bps: each };
    });
    const rate_plans = [ratePlan({ adjustments })];
    const room = roomType({ max_occupancy: 40, included_occupancy: 1, rate_plans });
    return propertyTree({ tax_rules, room_types: [room] });
  });

test("an accepted tree has an exact price for the dearest stay, most refused ones have none", () => {
  const seen = { accepted: 0, refused: 0, needless: 0 };
  fc.assert(
    fc.property(tree, (each) => {
      const isAccepted = inexactTaxes(each).length === 0;
      const hasPrice = isExact(dearestOf(each));
      seen[isAccepted ? "accepted" : "refused"] += 1;
      if (hasPrice && !isAccepted) seen.needless += 1;
      return hasPrice || !isAccepted;
    }),
    { numRuns: 400 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(40);
  expect(seen.needless).toBeLessThan(20);
});

test("the taxes that exceed the exact range are named, whatever their order", () => {
  const of = (tax_rules: TaxRule[]) => inexactTaxes(propertyTree({ tax_rules }));
  // Each doubles what is there, and the dearest room of a stay has room for nine of them.
  expect(of(taxes(9))).toEqual([]);
  expect(of(taxes(11))).toEqual([9, 10]);
  const [first, ...rest] = taxes(10);
  expect(of([{ ...first!, order: 1 }, ...rest])).toEqual([0]);
  const included = { ...first!, code: "IN", included_in_rate: true };
  expect(of([...taxes(10), included, { ...first!, code: "NONE", rate_bps: 0 }])).toEqual([9]);
});

test("realistic taxes and fees are far from the limit", () => {
  const usual = taxes(30, { rate_bps: 2_000 });
  const fees = taxes(70, { kind: "fee", basis: "per_person_per_night", amount: AMOUNT_MAX });
  expect(inexactTaxes(propertyTree({ tax_rules: [...usual, ...fees] }))).toEqual([]);
});

test("in old supply offers without an exact price are neither found nor quoted; others are", () => {
  const old = propertyTree({ tax_rules: taxes(39) });
  const plain = propertyTree({ tax_rules: [] });
  const { state } = given(createProperty(plain), promoteProperty(plain));
  const property = state.property(REALM, plain.id)!;
  // As a journal has it that was written before: it is on sale.
  property.tree = old;
  const outcomes = [1, 2].map((nights) => {
    const stay = stayIn(5, nights);
    const guests = { adults: 2, children: [] };
    const scope = { ...REALM, actor: { kind: "agent", id: "a" }, nowMs: NOON } as const;
    const { results } = search(state, { stay, guests }, scope);
    const [room] = old.room_types;
    const offer = findOffer(property, room!.id, room!.rate_plans[0]!.id);
    if (typeof offer === "string") throw new Error(offer);
    const ids = { hotel_id: old.id, room_type_id: room!.id, rate_plan_id: offer.plan.id };
    const quote = freezeQuote(
      offer,
      { ...ids, stay, guests },
      {
        ...{ ...REALM, quote_id: "q", agent_id: "a", nowMs: NOON, ttlMs: 1 },
        sha256: () => "0".repeat(64),
      },
    );
    return [results.length, typeof quote === "string" ? quote : quote.total];
  });
  const night = old.room_types[0]!.rate_plans[0]!.base_rate_per_night;
  expect(outcomes).toEqual([
    [1, night * 2 ** 39],
    [0, "price_not_exact"],
  ]);
});
