/**
 * Cases that a few properties never reach: words of bits that many rooms share, returned lanes,
 * ranges of one kind of cell, days that end a page of nights, and clocks set back. The seed is
 * printed.
 */
import { expect, test } from "bun:test";
import { Random } from "../../../../test/sim/random.ts";
import { bruteSearch } from "../../../../test/support/brute-search.ts";
import {
  AGENT,
  archiveProperty,
  createProperty,
  frozenQuote,
  NOON,
  OTHER_AGENT,
  placeHold,
  policyTerms,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  releaseHold,
  replaceProperty,
  roomType,
  stayIn,
  suspendProperty,
  updateAri,
} from "../../../../test/support/builders.ts";
import { given, type Scenario } from "../../../../test/support/given.ts";
import { keptAndAnew } from "../../../../test/support/index-facts.ts";
import { dateOf, dayOf } from "../../calendar.ts";
import { evolve } from "../../evolve.ts";
import { cancellationNow, policyFor } from "../../price/policy.ts";
import type { RestrictionFields } from "../../rules.ts";
import type { AriUpdate, PropertyTree, TaxRule } from "../../supply.ts";
import type { SearchQuery } from "../query.ts";
import { search } from "../search.ts";
import { indexOf } from "../search-index.ts";
import { KINDS } from "./columns.ts";

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const PROPERTIES = 24;
const STEPS = 160;
const DAY_MS = 86_400_000;
const LAST_DAY_AHEAD = 725;
const AMOUNTS = [0, 254, 255, 256, 5_100, 5_200, 65_534, 65_535, 65_536, 4_000_000_000];

const dayOfStamp = (stamp: number) => Math.floor(stamp / DAY_MS);
const after = (world: Scenario) => dayOfStamp(world.stamp) - dayOfStamp(NOON);

/** Of the few first nights alone, so that a total depends on which night costs what. */
function taxOf(random: Random): TaxRule {
  const share = { rate_bps: random.pick([700, 1_000]), basis: "percent" } as const;
  const rule = { code: "VAT", name: "VAT", kind: "tax", collect: "prepaid" } as const;
  const max_nights = random.pick([1, 2, 30]);
  return { ...rule, ...share, included_in_rate: false, max_nights };
}

/** What there was keeps its ids for the most part; each number of rooms and plans comes by. */
function treeOf(random: Random, id: string, before?: PropertyTree): PropertyTree {
  const fresh = () => `${id}-${random.hex().slice(0, 8)}`;
  const rooms = Array.from({ length: random.between(1, 6) }, (_, i) => {
    const kept = random.chance(70) ? before?.room_types[i] : undefined;
    const max_occupancy = random.between(1, 4);
    return roomType({
      ...{ id: kept?.id ?? fresh(), code: `R${i}`, max_occupancy },
      included_occupancy: random.between(1, max_occupancy),
      default_inventory: random.between(1, 3),
      overbooking_limit: random.below(2),
      rate_plans: Array.from({ length: random.between(1, 4) }, (_, j) =>
        ratePlan({
          id: (random.chance(70) && kept?.rate_plans[j]?.id) || fresh(),
          ...{ code: `P${j}`, base_rate_per_night: 5_000 + 100 * random.below(10) },
          extra_adult_per_night: random.pick([0, 1_900]),
          cancellation_kind: random.pick(KINDS),
        }),
      ),
    });
  });
  const policies = KINDS.map((cancellation_kind) => {
    const cancellation_fee_pct_after_cutoff = random.pick([0, 50, 100]);
    return policyTerms({ cancellation_kind, cancellation_fee_pct_after_cutoff });
  });
  const timezone = random.pick(["Europe/Madrid", "Pacific/Kiritimati", "Pacific/Pago_Pago"]);
  const tax_rules = [taxOf(random)];
  const room_types = random.chance(30) ? rooms.toReversed() : rooms;
  const geo = { lat: 40.4, lng: random.pick([-3.7, -3.5]) };
  return propertyTree({ id, slug: id, geo, timezone, policies, tax_rules, room_types });
}

/** Each kind of cell with nights of its own. */
function ariOf(random: Random, world: Scenario, of: PropertyTree): AriUpdate {
  const room = random.pick(of.room_types);
  const plan = random.pick(room.rate_plans);
  const nights = () => {
    const first = random.chance(70) ? random.below(14) : random.below(LAST_DAY_AHEAD);
    const last = first + (random.chance(80) ? random.below(5) : random.below(300));
    const today = dayOfStamp(world.stamp);
    const to = dateOf(today + Math.min(LAST_DAY_AHEAD, last));
    return { from: dateOf(today + first), to };
  };
  const inRoom = () => ({ room_type_id: room.id, ...nights() });
  const units = (most: number) => (random.chance(30) ? null : random.below(most + 1));
  const rules: readonly RestrictionFields[] = [
    ...[{ stop_sell: true }, { cta: true }, { ctd: true }, { min_los_arrival: 2 }],
    ...[{ max_stay_through: 2 }, { stop_sell: null, cta: null, ctd: null, max_stay_through: null }],
    ...[{ min_advance_days: 3 }, { max_advance_days: 8 }, { los_pattern: "NYN" }],
  ];
  const ofPlan = random.chance(50) && { rate_plan_id: plan.id };
  const inventory = { ...inRoom(), capacity: units(2), out_of_order: units(1) };
  const rates = { ...nights(), rate_plan_id: plan.id, amount: random.pick(AMOUNTS) };
  const restrictions = { ...inRoom(), ...ofPlan, ...random.pick(rules) };
  const agent_id = random.chance(50) ? AGENT : null;
  const ceilings = { ...inRoom(), ...ofPlan, agent_id, ceiling: units(2) };
  const release = { strategy: "rolling", days_before: random.below(20) } as const;
  return {
    ...(random.chance(50) && { inventory: [inventory] }),
    ...(random.chance(50) && { rates: [rates] }),
    ...(random.chance(30) && { restrictions: [restrictions] }),
    ...(random.chance(30) && {
      ceilings: [random.chance(40) ? { ...ceilings, release } : ceilings],
    }),
  };
}

/** The clock is found to be ahead, and set right. */
function setBack(world: Scenario, days: number): void {
  const stamp = world.stamp - days * DAY_MS;
  const [from, to] = [world.stamp, stamp].map((ms) => new Date(ms).toISOString()) as [
    string,
    string,
  ];
  const data = { from, to };
  const secret = { refund_ids: [] };
  const corrected = { type: "clock.corrected", seq: 0, data, secret } as const;
  const row = { ...world.rows.at(-1)!, row: world.state.row + 1, stamp, tenant_id: "" };
  evolve(world.state, { ...row, key: null, phase: null, events: [corrected] }, world.records);
  world.at(stamp);
}

function pass(world: Scenario, hours: number): void {
  world.at(world.stamp + hours * 3_600_000);
  while (world.due()) {}
}

function take(world: Scenario, random: Random, holds: string[]): void {
  const id = `p${random.below(PROPERTIES)}`;
  const { tree, version, supply_version } = world.state.property(REALM, id)!;
  const room = random.pick(tree.room_types);
  const weights = { ari: 3, hold: 3, release: 1, replace: 2, promote: 2, suspend: 1 };
  switch (random.weighted({ ...weights, archive: 0.1, hours: 1, days: 1, back: 0.3 })) {
    case "ari":
      return void world.when(updateAri(tree, ariOf(random, world, tree)));
    case "hold": {
      const agent_id = random.pick([AGENT, OTHER_AGENT]);
      const stay = stayIn(after(world) + random.below(14), random.between(1, 5));
      const ids = { room_type_id: room.id, rate_plan_id: random.pick(room.rate_plans).id };
      const times = { created_at: world.stamp, expires_at: world.stamp + 60_000 };
      const quote = frozenQuote(tree, { supply_version, agent_id, stay, ...ids, ...times });
      const came = world.when(placeHold(quote, { actor: { kind: "agent", id: agent_id } }));
      if (came.outcome.ok) holds.push(came.text("hold_id"));
      return;
    }
    case "release":
      return void (holds.length > 0 && world.when(releaseHold(holds.shift()!)));
    case "replace":
      return void world.when(replaceProperty(treeOf(random, id, tree), { base_version: version }));
    case "promote":
      return void world.when(promoteProperty(tree));
    case "suspend":
      return void world.when(suspendProperty(tree));
    case "archive":
      return void world.when(archiveProperty(tree));
    case "hours":
      return pass(world, random.below(13));
    case "days":
      // No hold lives to see its nights forgotten.
      pass(world, 1);
      return void world.live(random.below(40));
    case "back":
      return setBack(world, random.below(40));
  }
}

function queryOf(random: Random, world: Scenario): SearchQuery {
  const ahead = random.chance(80) ? random.below(14) : random.below(LAST_DAY_AHEAD);
  const nights = random.chance(80) ? random.between(1, 4) : random.between(1, 40);
  const destinations: readonly NonNullable<SearchQuery["destination"]>[] = [
    { type: "area", value: "geo:40.4,-3.7;u=100" },
    { type: "property", value: `P${random.below(PROPERTIES)}` },
  ];
  const destination = random.chance(60) ? null : random.pick(destinations);
  const stay = stayIn(after(world) + ahead, nights);
  const guests = { adults: random.between(1, 3), children: [] };
  return { ...(destination && { destination }), stay, guests };
}

/** What is found, and what asking every property finds; of a circle by where each lies. */
function bothWays(world: Scenario, query: SearchQuery) {
  const { state, stamp: nowMs } = world;
  const scope = { ...REALM, actor: { kind: "agent", id: AGENT }, nowMs } as const;
  const { destination, ...anywhere } = query;
  const isCircle = destination?.type === "area";
  const found = search(state, query, scope).results.map(({ property_id, best_offer }) => {
    const { rate_plan_id, price_per_night, total, sellable, cancellation } = best_offer;
    const { amount } = price_per_night;
    return [property_id, { plan: rate_plan_id, amount, total, sellable, cancellation }] as const;
  });
  const all = [...bruteSearch(state, isCircle ? anywhere : query, scope)];
  const expected = all.flatMap(([id, { isFree: _, ...offer }]) => {
    const { tree } = state.property(REALM, id)!;
    if (isCircle && tree.geo?.lng !== -3.7) return [];
    const plans = tree.room_types.flatMap(({ rate_plans }) => rate_plans);
    const terms = policyFor(tree, plans.find((plan) => plan.id === offer.plan)!)!;
    const checkInDay = dayOf(query.stay.check_in);
    const { refundability, free_until } = cancellationNow(tree, terms, { checkInDay, nowMs });
    return [[id, { ...offer, cancellation: { refundability, free_until } }] as const];
  });
  return { found: Object.fromEntries(found), expected: Object.fromEntries(expected) };
}

test("the index of a large realm equals asking each room, after any changes", () => {
  console.log(`large realm: SEED=${SEED}`);
  const random = new Random(SEED);
  const world = given();
  for (let i = 0; i < PROPERTIES; i += 1) {
    const tree = treeOf(random, `p${i}`);
    for (const command of [createProperty(tree), promoteProperty(tree)]) {
      expect(world.when(command).outcome).toMatchObject({ ok: true });
    }
  }
  expect(indexOf(world.state, REALM).rooms.length).toBeGreaterThan(32);
  const holds: string[] = [];
  let offers = 0;
  for (let step = 0; step < STEPS; step += 1) {
    take(world, random, holds);
    const { found, expected } = bothWays(world, queryOf(random, world));
    expect(found).toEqual(expected);
    offers += Object.keys(expected).length;
    if (step % 8 > 0) continue;
    const { kept, anew } = keptAndAnew(world.state, REALM);
    expect(kept).toEqual(anew);
  }
  expect(offers).toBeGreaterThan(STEPS);
  // Before the page of nights that the window began with.
  setBack(world, 130);
  const { kept, anew } = keptAndAnew(world.state, REALM);
  expect(kept).toEqual(anew);
});

test("unused ordinals are reused, and too many of them rebuild the index", () => {
  const rooms = (length: number, plans: number) =>
    Array.from({ length }, (_, i) => {
      const rate_plans = Array.from({ length: plans }, (_, j) =>
        ratePlan({ id: `${plans}-${i}-${j}`, code: `P${j}` }),
      );
      return roomType({ id: `${plans}-${i}`, code: `R${i}`, rate_plans });
    });
  const tree = propertyTree({ room_types: rooms(50, 1) });
  const world = given(createProperty(tree), promoteProperty(tree));
  const first = indexOf(world.state, REALM);
  const replaceBy = (plans: number) => {
    const { version } = world.state.property(REALM, tree.id)!;
    const next = { ...tree, room_types: rooms(50, plans) };
    expect(world.when(replaceProperty(next, { base_version: version })).outcome.ok).toBe(true);
    return indexOf(world.state, REALM);
  };
  for (let i = 0; i < 60; i += 1) expect(replaceBy(1 + (i % 2))).toBe(first);
  expect(first.rooms).toHaveLength(100);
  for (let plans = 3; plans < 26; plans += 1) replaceBy(plans);
  const anew = indexOf(world.state, REALM);
  expect(anew).not.toBe(first);
  expect(anew.rooms.length).toBeLessThan(1_200);
});
