/** Reasons by night: the nights each restriction checks, and how two levels combine. */
import { expect, test } from "bun:test";
import {
  AGENT,
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  stayIn,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import type { RestrictionFields } from "../rules.ts";
import { findOffer } from "../state/state.ts";
import type { AriUpdate, CeilingRange } from "../supply.ts";
import { blockingReasons, type StayQuery, sellable, unitsLeft } from "./availability.ts";

const PLANS = [ratePlan(), ratePlan({ id: "plan-other", code: "OTHER" })];
const TREE = propertyTree({ room_types: [roomType({ default_inventory: 5, rate_plans: PLANS })] });
const ROOM = TREE.room_types[0]!.id;
const PLAN = PLANS[0]!.id;

function on(inDays: number) {
  const date = dateOf(dayIn(inDays));
  return { room_type_id: ROOM, from: date, to: date };
}

function offerWith(...updates: readonly AriUpdate[]) {
  const commands = updates.map((ari) => updateAri(TREE, ari));
  const world = given(createProperty(TREE), promoteProperty(TREE), ...commands);
  const offer = findOffer(world.state.property(REALM, TREE.id)!, ROOM, PLAN);
  if (typeof offer === "string") throw new Error(offer);
  return { world, offer };
}

/** Three nights from day 30; check-out is day 33. */
const STAY: StayQuery = {
  checkInDay: dayIn(30),
  nights: 3,
  party: { adults: 2, children: [] },
  agentId: AGENT,
  todayDay: dayIn(0),
};

function reasons(fields: RestrictionFields, inDays: number, query = STAY): string[] {
  const { offer } = offerWith({ restrictions: [{ ...on(inDays), ...fields }] });
  return blockingReasons(offer, query).map(({ date, reason }) => `${date} ${reason}`);
}

function said(inDays: number, reason: string): string[] {
  return [`${dateOf(dayIn(inDays))} ${reason}`];
}

test("stop-sell and stay-through look at every night, check-out excluded", () => {
  for (const day of [30, 31, 32]) {
    expect(reasons({ stop_sell: true }, day)).toEqual(said(day, "stop_sell"));
    expect(reasons({ min_stay_through: 4 }, day)).toEqual(said(day, "min_stay_through"));
    expect(reasons({ max_stay_through: 2 }, day)).toEqual(said(day, "max_stay_through"));
  }
  expect(reasons({ stop_sell: true, min_stay_through: 4, max_stay_through: 2 }, 33)).toEqual([]);
});

test("a maximum stay of 0 nights is no limit", () => {
  expect(reasons({ max_stay_through: 0, max_los_arrival: 0 }, 30)).toEqual([]);
});

test("arrival rules look at the check-in date only", () => {
  expect(reasons({ cta: true }, 30)).toEqual(said(30, "cta"));
  expect(reasons({ min_los_arrival: 4 }, 30)).toEqual(said(30, "min_los"));
  expect(reasons({ max_los_arrival: 2 }, 30)).toEqual(said(30, "max_los"));
  expect(reasons({ cta: true, min_los_arrival: 4, max_los_arrival: 2 }, 31)).toEqual([]);
});

test("days ahead are counted from today at the property to the check-in", () => {
  const ahead = (days: number) => ({ ...STAY, todayDay: STAY.checkInDay - days });
  expect(reasons({ min_advance_days: 3 }, 30, ahead(2))).toEqual(said(30, "min_advance"));
  expect(reasons({ min_advance_days: 3 }, 30, ahead(3))).toEqual([]);
  expect(reasons({ max_advance_days: 3 }, 30, ahead(4))).toEqual(said(30, "max_advance"));
  expect(reasons({ max_advance_days: 3 }, 30, ahead(3))).toEqual([]);
  // Only for that day: other than a length, 0 days are a limit.
  expect(reasons({ max_advance_days: 0 }, 30, ahead(1))).toEqual(said(30, "max_advance"));
  expect(reasons({ min_advance_days: 0, max_advance_days: 0 }, 30, ahead(0))).toEqual([]);
  expect(reasons({ min_advance_days: 99, max_advance_days: 1 }, 31)).toEqual([]);
});

test("a pattern allows lengths one by one, and its last letter every longer stay", () => {
  const refused = (los_pattern: string) =>
    [1, 2, 3, 4, 9].filter((nights) => {
      const found = reasons({ los_pattern }, 30, { ...STAY, nights });
      expect(found).toEqual(found.length > 0 ? said(30, "stay_pattern") : []);
      return found.length > 0;
    });
  expect(refused("YNYN")).toEqual([2, 4, 9]);
  expect(refused("NNY")).toEqual([1, 2]);
  expect(refused("Y")).toEqual([]);
  expect(refused("N")).toEqual([1, 2, 3, 4, 9]);
  expect(reasons({ los_pattern: "N" }, 31)).toEqual([]);
  const { offer } = offerWith({ restrictions: [{ ...on(30), los_pattern: "NNN" }] });
  const [blocking] = blockingReasons(offer, STAY);
  expect(blocking).toEqual({ date: dateOf(dayIn(30)), reason: "stay_pattern", pattern: "NNN" });
});

test("closed to departure looks at the check-out date only", () => {
  expect(reasons({ ctd: true }, 33)).toEqual(said(33, "ctd"));
  expect(reasons({ ctd: true }, 32)).toEqual([]);
});

test("a length that equals a limit is allowed", () => {
  const exact = {
    min_los_arrival: 3,
    max_los_arrival: 3,
    min_stay_through: 3,
    max_stay_through: 3,
  };
  expect(reasons(exact, 30)).toEqual([]);
});

test("each restriction field of the plan takes precedence over the room type's", () => {
  const { offer } = offerWith(
    { restrictions: [{ ...on(30), cta: true, min_los_arrival: 5 }] },
    { restrictions: [{ ...on(30), rate_plan_id: PLAN, cta: false }] },
    { restrictions: [{ ...on(30), rate_plan_id: "plan-other", stop_sell: true }] },
  );
  expect(blockingReasons(offer, STAY)).toEqual([
    { date: dateOf(dayIn(30)), reason: "min_los", limit: 5 },
  ]);
});

test("a party above the room's occupancy is refused with the limit", () => {
  const { offer } = offerWith();
  const party = { adults: 5, children: [] };
  expect(blockingReasons(offer, { ...STAY, party })).toEqual([
    { date: dateOf(dayIn(30)), reason: "occupancy_exceeded", limit: 4 },
  ]);
});

test("capacity is the night's own or the default, less out of order, plus overbooking", () => {
  const { offer } = offerWith({
    inventory: [
      { ...on(30), out_of_order: 2 },
      { ...on(31), capacity: 1, overbooking_limit: 1 },
      { ...on(32), capacity: 9, out_of_order: 1 },
    ],
  });
  const leftOn = (day: number) => unitsLeft(offer, { ...STAY, checkInDay: dayIn(day), nights: 1 });
  expect([29, 30, 31, 32].map(leftOn)).toEqual([5, 3, 2, 8]);
  expect(sellable(offer, STAY)).toBe(2);
});

test("more units out of order than exist leave zero units, never fewer", () => {
  const { offer } = offerWith({ inventory: [{ ...on(31), capacity: 1, out_of_order: 3 }] });
  expect(unitsLeft(offer, STAY)).toBe(0);
});

test("a ceiling binds its own plan and agent, and counts only their units", () => {
  const { world, offer } = offerWith({
    ceilings: [
      { ...on(30), rate_plan_id: PLAN, agent_id: AGENT, ceiling: 2 },
      { ...on(30), rate_plan_id: "plan-other", ceiling: 0 },
      { ...on(30), agent_id: "agt_else", ceiling: 0 },
    ],
  });
  expect(sellable(offer, STAY)).toBe(2);
  world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 1) })));
  expect(sellable(offer, STAY)).toBe(1);
  world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 1), rate_plan_id: "plan-other" })));
  expect(sellable(offer, STAY)).toBe(1);
  expect(sellable(offer, { ...STAY, agentId: "agt_free" })).toBe(4);
  expect(sellable(offer, { ...STAY, agentId: "agt_else" })).toBe(0);
});

test("a cleared ceiling limits no one", () => {
  const { offer } = offerWith(
    { ceilings: [{ ...on(30), ceiling: 0 }] },
    { ceilings: [{ ...on(30), ceiling: null }] },
  );
  expect(sellable(offer, STAY)).toBe(5);
});

test("from the day of its release a ceiling leaves no unit, sold ones stay", () => {
  const rolling = { strategy: "rolling", days_before: 7 } as const;
  const fixed = { strategy: "fixed", at: dateOf(dayIn(23)) } as const;
  for (const release of [rolling, fixed]) {
    const { world, offer } = offerWith({ ceilings: [{ ...on(30), ceiling: 3, release }] });
    const left = (today: number) => sellable(offer, { ...STAY, todayDay: dayIn(today) });
    expect([left(22), left(23), left(29)]).toEqual([3, 0, 0]);
    world.when(placeHold(frozenQuote(TREE, { stay: stayIn(30, 1) })));
    expect(left(22)).toBe(2);
    expect(blockingReasons(offer, { ...STAY, todayDay: dayIn(23) })).toEqual([
      { date: dateOf(dayIn(30)), reason: "ceiling_reached", ceiling: 3, used: 1, released: true },
    ]);
  }
});

test("a release is kept by an update without one, and removed by none, null or no ceiling", () => {
  const release = { strategy: "rolling", days_before: 30 } as const;
  const set = { ceilings: [{ ...on(30), ceiling: 3, release }] };
  const left = (...updates: CeilingRange[]) => {
    const { offer } = offerWith(set, ...updates.map((each) => ({ ceilings: [each] })));
    return sellable(offer, STAY);
  };
  expect(left()).toBe(0);
  expect(left({ ...on(30), ceiling: 2 })).toBe(0);
  expect(left({ ...on(30), ceiling: 2, release: { strategy: "none" } })).toBe(2);
  expect(left({ ...on(30), ceiling: 2, release: null })).toBe(2);
  expect(left({ ...on(30), ceiling: null }, { ...on(30), ceiling: 2 })).toBe(2);
});

test("all kinds of reasons are reported at once", () => {
  const { offer } = offerWith({
    inventory: [{ ...on(32), capacity: 0 }],
    restrictions: [{ ...on(30), cta: true }],
    ceilings: [{ ...on(31), ceiling: 0 }],
  });
  expect(blockingReasons(offer, STAY)).toEqual([
    { date: dateOf(dayIn(30)), reason: "cta" },
    { date: dateOf(dayIn(31)), reason: "ceiling_reached", ceiling: 0, used: 0 },
    { date: dateOf(dayIn(32)), reason: "no_vacancy", capacity: 0, sold: 0, held: 0 },
  ]);
  expect(sellable(offer, STAY)).toBe(0);
});
