/** A derived amount is the exact share, rounded once, and follows the other plan from then on. */
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
  updateAri,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { type MadeQuote, makeQuote } from "../availability/quoting.ts";
import { planCells } from "../properties/cells.ts";
import { findOffer, type Offer } from "../state/state.ts";
import type { DerivedRate, Rounding } from "../supply.ts";
import { derivedAmount } from "./derived.ts";
import { breakdownOf, price, priceInputOf } from "./price.ts";
import { AMOUNT_MAX } from "./price-bounds.ts";

const ROUNDINGS: readonly Rounding[] = ["half_up", "up", "down"];

/** The same in whole numbers of any size. */
function exactly(followed: number, { bps, amount = 0, round_to, rounding }: DerivedRate): number {
  const share = bps === undefined ? 10_000n : BigInt(10_000 + bps);
  const more = bps === undefined ? BigInt(amount) * 10_000n : 0n;
  const value = BigInt(followed) * share + more;
  const unit = 10_000n * BigInt(round_to);
  const positive = value < 0n ? 0n : value;
  const add = { half_up: unit / 2n, up: unit - 1n, down: 0n }[rounding];
  const result = Number(((positive + add) / unit) * BigInt(round_to));
  return Math.min(result, AMOUNT_MAX);
}

test("a derived amount equals the exact one, for every rule", () => {
  const change = fc.oneof(
    fc.record({ bps: fc.integer({ min: -10_000, max: 100_000 }) }),
    fc.record({ amount: fc.integer({ min: -AMOUNT_MAX, max: AMOUNT_MAX }) }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: AMOUNT_MAX }),
      change,
      fc.oneof(fc.constantFrom(1, 5, 50, 100, 500), fc.integer({ min: 1, max: 1_000_000 })),
      fc.constantFrom(...ROUNDINGS),
      (followed, changed, round_to, rounding) => {
        const rule = { rate_plan_id: "p", ...changed, round_to, rounding };
        expect(derivedAmount(followed, rule)).toBe(exactly(followed, rule));
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  ["10 % less, whole euros, half up", { bps: -1_000, round_to: 100 }, 12_345, 11_100],
  ["10 % less, whole euros, up", { bps: -1_000, round_to: 100, rounding: "up" }, 12_345, 11_200],
  ["15 euros more", { amount: 1_500, round_to: 1 }, 12_345, 13_845],
  ["more off than it costs", { amount: -20_000, round_to: 1 }, 12_345, 0],
] as const)("%s", (_name, rule, followed, expected) => {
  const whole = { rate_plan_id: "p", rounding: "half_up", ...rule } as const;
  expect(derivedAmount(followed, whole)).toBe(expected);
});

const RULE = { rate_plan_id: "flex", bps: -1_000, round_to: 100, rounding: "half_up" } as const;
const FLEX = ratePlan({ id: "flex", name: "Flexible", base_rate_per_night: 10_000 });
const SAVER = ratePlan({ id: "saver", code: "SAVER", derived_from: RULE });
const ROOM = roomType({ rate_plans: [FLEX, { ...SAVER, base_rate_per_night: 9_000 }] });
const TREE = propertyTree({ room_types: [ROOM], policies: [policyTerms()] });

function offerIn(world: ReturnType<typeof given>): Offer {
  const property = world.state.property(REALM, TREE.id)!;
  return findOffer(property, ROOM.id, "saver") as Offer;
}

test("nights follow the other plan's, also where it has prices by date, with the reason", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const { check_in, check_out } = stayIn(31, 1);
  world.when(
    updateAri(TREE, {
      rates: [{ rate_plan_id: "flex", from: check_in, to: check_out, amount: 12_345 }],
    }),
  );
  const asked = { hotel_id: TREE.id, room_type_id: ROOM.id, rate_plan_id: "saver" };
  const guests = { adults: 2, children: [] };
  const making = { ...REALM, quote_id: "q", agent_id: "a", nowMs: NOON, ttlMs: 1 };
  const { quote, unfolded } = makeQuote(
    offerIn(world),
    { ...asked, stay: stayIn(30, 3), guests },
    { ...making, sha256: (text) => text },
  ) as MadeQuote;
  expect([quote.nightly, quote.sources]).toEqual([[9_000, 11_100, 11_100], "ddd"]);
  const { nights, derived_from } = unfolded.price_breakdown;
  expect(nights.map(({ rate_source }) => rate_source)).toEqual(["derived", "derived", "derived"]);
  expect(derived_from).toEqual({ ...RULE, name: "Flexible" });
  expect(breakdownOf(TREE, quote)).toEqual(unfolded.price_breakdown);
  const cells = planCells(offerIn(world), Date.parse(check_in) / 86_400_000, 1);
  expect(cells).toMatchObject([{ amount: 11_100, rate_source: "derived" }]);
});

test("a quote made before its plan was derived keeps its price and its hash", () => {
  const before = { ...TREE, room_types: [roomType({ rate_plans: [FLEX, ratePlan(OWN)] })] };
  const world = given(createProperty(before), promoteProperty(before));
  const offer = findOffer(world.state.property(REALM, TREE.id)!, ROOM.id, "saver") as Offer;
  const guests = { adults: 2, children: [] };
  const ids = { hotel_id: TREE.id, room_type_id: ROOM.id, rate_plan_id: "saver" };
  const making = { ...REALM, quote_id: "q", agent_id: "a", nowMs: NOON, ttlMs: 1 };
  const made = makeQuote(
    offer,
    { ...ids, stay: stayIn(30, 2), guests },
    { ...making, sha256: (text) => text },
  ) as MadeQuote;
  expect(made.quote.price_hash).not.toContain("derived");
  expect(price(priceInputOf(before, made.quote))).not.toHaveProperty("derived_from");
});

const OWN = { id: "saver", code: "SAVER", base_rate_per_night: 8_000 } as const;

test("an amount for a derived plan is refused by name; one for extra adults is not", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const { check_in: from } = stayIn(30, 1);
  const night = { rate_plan_id: "saver", from, to: from };
  const refused = world.when(updateAri(TREE, { rates: [{ ...night, amount: 1 }] }));
  refused.refused("validation_failed");
  expect(JSON.stringify(refused.outcome)).toContain("/rates/0/amount");
  world.when(updateAri(TREE, { rates: [{ ...night, extra_adult: 1 }] })).recorded("ari.changed");
  world.when(updateAri(TREE, { rates: [{ ...night, amount: null }] })).recorded();
});
