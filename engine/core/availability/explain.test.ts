/** A stay is explained as sellable exactly when a quote is sellable and a hold succeeds. */
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
  suspendProperty,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf, todayIn } from "../calendar.ts";
import { findOffer } from "../state/state.ts";
import type { Release } from "../supply.ts";
import { explain } from "./explain.ts";
import { isWithinHorizon } from "./horizon.ts";
import { availabilityOf, freezeQuote } from "./quoting.ts";

const PLANS = [ratePlan(), ratePlan({ id: "plan-2", cancellation_kind: "non_refundable" })];
const TREE = propertyTree({
  policies: [policyTerms(), policyTerms({ cancellation_kind: "non_refundable" })],
  room_types: [roomType({ default_inventory: 1, max_occupancy: 3, rate_plans: PLANS })],
});
const ROOM = TREE.room_types[0]!;

const day = fc.integer({ min: 28, max: 34 });
const range = fc
  .tuple(day, fc.nat({ max: 3 }))
  .map(([from, length]) => ({ from: dateOf(dayIn(from)), to: dateOf(dayIn(from + length)) }));
const flag = fc.constantFrom(true, null);
const release = fc.constantFrom(
  ...[null, { strategy: "rolling", days_before: 30 }, { strategy: "fixed", at: dateOf(dayIn(1)) }],
) as fc.Arbitrary<Release | null>;
const update = fc.record({
  inventory: fc.array(
    fc.record(
      { range, capacity: fc.constantFrom(0, 1, 2) },
      { requiredKeys: ["range", "capacity"] },
    ),
    { maxLength: 2 },
  ),
  restrictions: fc.array(
    fc.record({
      ...{ range, stop_sell: flag, cta: flag, min_los_arrival: fc.constantFrom(null, 2, 4) },
      ...{
        min_advance_days: fc.constantFrom(null, 30),
        max_advance_days: fc.constantFrom(null, 31),
      },
      los_pattern: fc.constantFrom(null, "YNY"),
    }),
    { maxLength: 2 },
  ),
  ceilings: fc.array(fc.record({ range, ceiling: fc.constantFrom(0, 1, null), release }), {
    maxLength: 2,
  }),
});
const stay = fc.record({
  inDays: fc.oneof(day, fc.constantFrom(-1, 0, 728, 730, 731)),
  nights: fc.integer({ min: 1, max: 4 }),
  adults: fc.integer({ min: 1, max: 4 }),
  plan: fc.constantFrom(...PLANS.map(({ id }) => id)),
});
const world = fc.record({ update, isSuspended: fc.boolean(), stay });

/** Ranges with their dates beside what they set, of the room type. */
function flat<T extends { range: { from: string; to: string } }>(items: readonly T[]) {
  return items.map(({ range: dates, ...rest }) => ({ room_type_id: ROOM.id, ...dates, ...rest }));
}

function supplied({ update: { inventory, restrictions, ceilings }, isSuspended }: Drawn) {
  const ari = {
    inventory: flat(inventory),
    restrictions: flat(restrictions),
    ceilings: flat(ceilings),
  };
  const scenario = given(createProperty(TREE), promoteProperty(TREE), updateAri(TREE, ari));
  if (isSuspended) scenario.when(suspendProperty(TREE));
  return scenario;
}

type Drawn = typeof world extends fc.Arbitrary<infer T> ? T : never;

test("a stay is explained as sellable exactly when a quote of it is sellable", () => {
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(world, (drawn) => {
      const scenario = supplied(drawn);
      const { inDays, nights, adults, plan } = drawn.stay;
      const property = scenario.state.property(REALM, TREE.id)!;
      const offer = findOffer(property, ROOM.id, plan);
      if (typeof offer === "string") throw new Error(offer);
      const checkInDay = dayIn(inDays);
      const guests = { adults, children: [] };
      const today = todayIn(TREE.timezone, NOON);
      const query = { checkInDay, nights, party: guests, agentId: AGENT, todayDay: today };
      const ids = { hotel_id: TREE.id, room_type_id: ROOM.id, rate_plan_id: plan };
      const dates = { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) };
      const quote = freezeQuote(
        offer,
        { ...ids, stay: dates, guests },
        {
          ...{ ...REALM, agent_id: AGENT, quote_id: "qt_1", nowMs: NOON, ttlMs: 3_600_000 },
          sha256: () => "0".repeat(64),
        },
      );
      const isQuoted = typeof quote !== "string" && isWithinHorizon(checkInDay, nights, today);
      // What is held may be the last that there was.
      for (let held = 0; held < 2; held += 1) {
        const units = isQuoted ? availabilityOf(offer, query).sellable : 0;
        const explained = explain(offer, query);
        expect(explained.sellable).toBe(units);
        expect(explained.checks.every(({ passed }) => passed)).toBe(units > 0);
        if (isQuoted) expect(scenario.when(placeHold(quote)).outcome.ok).toBe(units > 0);
        seen.add(units > 0);
      }
    }),
    { numRuns: 300 },
  );
  expect(seen.size).toBe(2);
});

test("every check is listed in its order of evaluation, with the nights that fail it", () => {
  const at = { room_type_id: ROOM.id, from: dateOf(dayIn(30)), to: dateOf(dayIn(30)) };
  const update = {
    inventory: [{ ...at, capacity: 0 }],
    restrictions: [{ ...at, cta: true }],
    ceilings: [{ ...at, ceiling: 0 }],
  };
  const draft = propertyTree({ ...TREE, policies: [] });
  const scenario = given(createProperty(draft), updateAri(draft, update));
  const offer = findOffer(scenario.state.property(REALM, TREE.id)!, ROOM.id, PLANS[0]!.id);
  if (typeof offer === "string") throw new Error(offer);
  const party = { adults: 4, children: [] };
  const stayed = { checkInDay: dayIn(30), nights: 1, party, agentId: AGENT };
  const { checks, totals, alternatives } = explain(offer, { ...stayed, todayDay: dayIn(31) });
  const said = checks.map(({ check, passed, blocking }) => {
    return `${check} ${passed ? "passed" : "failed"} ${blocking.length}`;
  });
  expect(said).toEqual([
    ...["state failed 1", "dates failed 0", "policy failed 0", "price passed 0"],
    ...["occupancy failed 1", "restrictions failed 1", "ceilings failed 1", "units failed 1"],
  ]);
  expect(totals?.total).toBeGreaterThan(0);
  expect(alternatives).toEqual([]);
});
