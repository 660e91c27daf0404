/** The lists of a day, each stay by the date of its own property, and the rooms of tonight. */
import { expect, test } from "bun:test";
import { dateOf } from "../../../engine/core/calendar.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { AriUpdate } from "../../../engine/core/supply.ts";
import type { DeskStay } from "../../../engine/log/desk-index.ts";
import {
  createProperty,
  frozenQuote,
  NOON,
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
import { dayLists, daysOf, LATE_DAYS_MAX, todaysAt, tonightAt } from "./today.ts";

/** A property that is only asked for its place. */
function there(id: string, timezone: string): PropertyEntry {
  return { tree: { id, timezone } } as PropertyEntry;
}

/** 23:30 in London, half past midnight of the next day in Madrid. */
const LATE_MS = Date.parse("2026-12-01T23:30:00Z");
const PLACES = [
  there("b", "Europe/London"),
  there("a", "Europe/Madrid"),
  there("c", "Europe/Rome"),
];
const TODAYS = todaysAt(PLACES, LATE_MS);

let stays = 0;
function stay(property_id: string, check_in: string, check_out: string): DeskStay {
  stays += 1;
  return { booking_id: `bkg_${stays}`, property_id, check_in, check_out };
}

test("days are the dates in each time zone, those of most properties first", () => {
  const properties = [...PLACES, there("d", "Europe/Rome")];
  expect(daysOf(properties, todaysAt(properties, LATE_MS))).toEqual([
    { date: "2026-12-02", timezone: "Europe/Rome", properties: 2 },
    { date: "2026-12-01", timezone: "Europe/London", properties: 1 },
    { date: "2026-12-02", timezone: "Europe/Madrid", properties: 1 },
  ]);
  expect(daysOf([], todaysAt([], LATE_MS))).toEqual([]);
});

test("a guest is expected from the check-in date of the property until the stay ends", () => {
  const at = (property_id: string, check_in: string, check_out: string) => {
    const confirmed = [stay(property_id, check_in, check_out)];
    return dayLists(TODAYS, { confirmed, checkedIn: [] }).arrivals.map(({ is_late }) => is_late);
  };
  expect(at("a", "2026-12-02", "2026-12-03")).toEqual([false]);
  expect(at("b", "2026-12-02", "2026-12-03")).toEqual([]);
  expect(at("a", "2026-12-01", "2026-12-03")).toEqual([true]);
  expect(at("a", "2026-12-01", "2026-12-02")).toEqual([true]);
  expect(at("a", "2026-11-30", "2026-12-01")).toEqual([]);
  expect(at("b", "2026-11-30", "2026-12-01")).toEqual([true]);
  const first = dateOf(TODAYS.get("a")!.day - LATE_DAYS_MAX);
  const before = dateOf(TODAYS.get("a")!.day - LATE_DAYS_MAX - 1);
  expect([at("a", first, "2027-01-01"), at("a", before, "2027-01-01")]).toEqual([[true], []]);
});

test("a guest in the house leaves on the check-out date of the property, however long ago", () => {
  const at = (property_id: string, check_out: string) => {
    const checkedIn = [stay(property_id, "2026-01-01", check_out)];
    const { arrivals, ...lists } = dayLists(TODAYS, { confirmed: [], checkedIn });
    expect(arrivals).toEqual([]);
    return [lists.in_house.length, ...lists.departures.map(({ is_late }) => is_late)];
  };
  expect(at("a", "2026-12-03")).toEqual([1]);
  expect(at("a", "2026-12-02")).toEqual([0, false]);
  expect(at("b", "2026-12-02")).toEqual([1]);
  expect(at("a", "2026-12-01")).toEqual([0, true]);
  expect(at("a", "2026-02-01")).toEqual([0, true]);
});

test("lists are in the order of properties and bookings, without other properties", () => {
  const one = (property_id: string) => stay(property_id, "2026-12-01", "2026-12-09");
  const confirmed = [one("c"), one("a"), one("x"), one("c"), one("b")];
  const { arrivals } = dayLists(TODAYS, { confirmed: confirmed.toReversed(), checkedIn: [] });
  const order = [confirmed[1]!, confirmed[4]!, confirmed[0]!, confirmed[3]!];
  expect(arrivals.map(({ booking_id }) => booking_id)).toEqual(order.map((s) => s.booking_id));
});

const PLANS = [ratePlan(), ratePlan({ id: "plan-other", code: "OTHER" })];
const TREE = propertyTree({
  room_types: [
    roomType({ id: "a", code: "A", default_inventory: 5, rate_plans: PLANS }),
    roomType({ id: "b", code: "B", default_inventory: 2, rate_plans: [ratePlan({ id: "b-1" })] }),
  ],
});

/** Tonight at a property with one room held, after an update. */
async function tonight(ari: AriUpdate, isLive = true) {
  const night = { room_type_id: "a", rate_plan_id: PLANS[0]!.id, stay: stayIn(0, 1) };
  const world = given(createProperty(TREE), promoteProperty(TREE));
  world.when(placeHold(frozenQuote(TREE, night)));
  world.when(updateAri(TREE, ari));
  const property = world.state.property(REALM, TREE.id)!;
  if (!isLive) property.state = "suspended";
  return tonightAt([property], todaysAt([property], NOON));
}

const TONIGHT = { room_type_id: "a", from: dateOf(dayIn(0)), to: dateOf(dayIn(0)) };

test("free rooms are those that the plan with the most could sell tonight, by no restriction", async () => {
  const restrictions = [{ ...TONIGHT, stop_sell: true }];
  expect(await tonight({})).toEqual({ free_tonight: 4 + 2, oversold_tonight: 0 });
  expect(await tonight({ restrictions })).toEqual({ free_tonight: 4 + 2, oversold_tonight: 0 });
  const ofOne = [{ ...TONIGHT, rate_plan_id: PLANS[0]!.id, ceiling: 1 }];
  expect((await tonight({ ceilings: ofOne })).free_tonight).toBe(4 + 2);
  const ofAll = [{ ...TONIGHT, ceiling: 3 }];
  expect((await tonight({ ceilings: ofAll })).free_tonight).toBe(2 + 2);
});

test("oversold rooms take nothing from what is free, and count at every property", async () => {
  const inventory = [{ ...TONIGHT, capacity: 0 }];
  expect(await tonight({ inventory })).toEqual({ free_tonight: 2, oversold_tonight: 1 });
  expect(await tonight({ inventory }, false)).toEqual({ free_tonight: null, oversold_tonight: 1 });
});
