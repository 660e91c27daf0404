/**
 * Goal: each due feed is built exactly once, also after a loss of state. Method: the planner reads
 * a real journal and real rows at times chosen by the test.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { dateOf, dayStart, todayIn } from "../../engine/core/calendar.ts";
import type { AriUpdate } from "../../engine/core/supply.ts";
import {
  createProperty,
  frozenQuote,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
  replaceProperty,
  TENANT,
  updateAri,
} from "../../test/support/builders.ts";
import { FeedDesk } from "../../test/support/feed-desk.ts";
import { nextNight } from "./nightly-times.ts";
import type { FeedPlanner } from "./planner.ts";
import type { FeedRun } from "./run.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TREE = propertyTree({ timezone: "Europe/Madrid" });

let desk: FeedDesk;
let planner: FeedPlanner;

/** A night that is half a day away, so that no test runs into it. */
function farNight(): string {
  return localTimeIn(12 * HOUR);
}

function localTimeIn(aheadMs: number): string {
  const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: TREE.timezone });
  return format.format(desk.lone.now() + aheadMs);
}

beforeEach(() => {
  desk = new FeedDesk();
  desk.decide(createProperty(TREE), promoteProperty(TREE));
  planner = desk.planner(farNight());
});

afterEach(() => {
  expect(desk.errors).toEqual([]);
  desk.close();
});

function first(tenant = TENANT): FeedRun {
  const nowMs = Math.floor(desk.lone.now());
  return desk.publish(desk.store.request(tenant, "google", "first", { nowMs }));
}

/** What a look asks for; at most one run of the feed. */
function asked(): FeedRun["trigger"] | null {
  const before = desk.book.open().length;
  planner.look();
  const open = desk.book.open();
  expect(open.length).toBeLessThanOrEqual(before + 1);
  return open[0]?.trigger ?? null;
}

function changeRates(from = 30): void {
  const day = Math.floor(desk.lone.now() / DAY) + from;
  const range = { from: dateOf(day), to: dateOf(day + 1) };
  const { id } = TREE.room_types[0]!.rate_plans[0]!;
  desk.decide(updateAri(TREE, { rates: [{ ...range, rate_plan_id: id, amount: 12_345 }] }));
}

test("a feed is built again when it is six hours old, and not before", () => {
  first();
  desk.lone.advance(6 * HOUR - MINUTE);
  expect(asked()).toBeNull();
  desk.lone.advance(MINUTE);
  expect(asked()).toBe("age");
  expect(asked()).toBe("age");
  expect(desk.book.open()).toHaveLength(1);
});

test("changes of supply are built after a quiet period, also those before a restart", () => {
  first();
  changeRates();
  expect(asked()).toBeNull();
  desk.lone.advance(MINUTE);
  changeRates(31);
  desk.lone.advance(119_000);
  planner = desk.planner(farNight());
  expect(asked()).toBeNull();
  desk.lone.advance(1_000);
  expect(asked()).toBe("change");
  desk.publish(desk.book.open()[0]!);
  desk.lone.advance(10 * MINUTE);
  expect(asked()).toBeNull();
});

test("continuous changes are built after ten minutes", () => {
  first();
  let minutes = 0;
  for (; asked() === null && minutes < 30; minutes += 1) {
    changeRates(30 + minutes);
    desk.lone.advance(MINUTE);
  }
  expect(minutes).toBe(10);
});

test("changes of other tenants or test data, and notices of feeds, make no feed due", () => {
  first();
  const other = { tenant_id: OTHER_TENANT };
  const testTree = propertyTree({ id: crypto.randomUUID(), slug: "test-hotel" });
  desk.decide(createProperty(TREE, other), createProperty(testTree, { mode: "test" }));
  const data = {
    ...{ partner: "google", run_id: "run_1", trigger: "first", as_of_seq: 1, listings: 1 },
    as_of: "2026-09-01T12:00:00.000Z",
  };
  const { key: _key, body_hash: _hash, ...meta } = createProperty(TREE);
  const { tree: _tree, ...rest } = meta;
  desk.decide({ ...rest, type: "RecordNotice", notice: { type: "feed.generated", data } });
  desk.lone.advance(HOUR + MINUTE);
  expect(asked()).toBeNull();
});

test("sold units are built after an hour", () => {
  first();
  const day = Math.floor(desk.lone.now() / DAY) + 30;
  const stay = { check_in: dateOf(day), check_out: dateOf(day + 2) };
  const created_at = Math.floor(desk.lone.now());
  desk.decide(placeHold(frozenQuote(TREE, { stay, created_at })));
  desk.lone.advance(HOUR - MINUTE);
  expect(asked()).toBeNull();
  desk.lone.advance(MINUTE);
  expect(asked()).toBe("change");
});

test("the midnight of a property is a change where stays depend on the day", () => {
  // The night is at noon of the property, so that no nightly build falls on a midnight.
  planner = desk.planner("12:00");
  const untilMidnight = (days = 1) => {
    const day = todayIn(TREE.timezone, desk.lone.now()) + days;
    return Math.ceil(dayStart(day, TREE.timezone) - desk.lone.now());
  };
  /** Passes a midnight with a feed built an hour before it. */
  const passMidnight = () => {
    desk.lone.advance(untilMidnight(untilMidnight() < HOUR ? 2 : 1) - HOUR);
    first();
    desk.lone.advance(HOUR - 1_000);
    expect(asked()).toBeNull();
    desk.lone.advance(4 * MINUTE);
    return asked();
  };
  expect(passMidnight()).toBeNull();
  const day = Math.floor(desk.lone.now() / DAY) + 30;
  const range = { room_type_id: TREE.room_types[0]!.id, from: dateOf(day), to: dateOf(day) };
  const set = (ari: AriUpdate) => desk.decide(updateAri(TREE, ari));
  set({ restrictions: [{ ...range, min_los_arrival: 2, los_pattern: "NY" }] });
  set({ ceilings: [{ ...range, ceiling: 1 }] });
  expect(passMidnight()).toBeNull();
  set({ restrictions: [{ ...range, min_advance_days: 9 }] });
  expect(passMidnight()).toBe("change");
  desk.publish(desk.book.open()[0]!);
  expect(asked()).toBeNull();
  set({ restrictions: [{ ...range, min_advance_days: null }] });
  expect(passMidnight()).toBeNull();
  set({ ceilings: [{ ...range, ceiling: 1, release: { strategy: "rolling", days_before: 9 } }] });
  expect(passMidnight()).toBe("change");
  desk.publish(desk.book.open()[0]!);
  set({ ceilings: [{ ...range, ceiling: null }] });
  const discounted = (version: number, over: object) => {
    const discounts = [{ code: "D", label: "Deal", bps: -1_000, ...over }];
    const room_types = TREE.room_types.map((room) => {
      return { ...room, rate_plans: room.rate_plans.map((plan) => ({ ...plan, discounts })) };
    });
    desk.decide(replaceProperty({ ...TREE, room_types }, { base_version: version }));
  };
  discounted(2, { min_nights: 2 });
  expect(passMidnight()).toBeNull();
  discounted(3, { booked_until: dateOf(day) });
  expect(passMidnight()).toBe("change");
});

test("a nightly build missed while the worker was down is made up once", () => {
  planner = desk.planner(localTimeIn(5 * HOUR));
  first();
  desk.lone.advance(5 * HOUR + 6 * MINUTE);
  expect(asked()).toBe("made_up");
  expect(asked()).toBe("made_up");
  desk.publish(desk.book.open()[0]!);
  expect(asked()).toBeNull();
});

test("the nightly run builds each fetched feed of the tenant once", () => {
  planner = desk.planner(localTimeIn(12 * HOUR));
  first();
  const nowMs = Math.floor(desk.lone.now());
  desk.publish(desk.store.request(TENANT, "bing", "first", { nowMs }));
  desk.lone.advance(14 * DAY + 11 * HOUR);
  const run = desk.store.request(TENANT, "google", "age", { nowMs: Math.floor(desk.lone.now()) });
  desk.publish(run);
  desk.lone.advance(HOUR + MINUTE);
  planner.look();
  planner.look();
  const open = desk.book.open();
  expect(open.map(({ trigger, partner }) => [trigger, partner])).toEqual([["nightly", "google"]]);
  desk.publish(open[0]!);
  expect(asked()).toBeNull();
});

test("the next nightly build is at the configured time in the tenant's zone", () => {
  first();
  for (const time of ["04:10", "05:30"]) {
    planner = desk.planner(time);
    planner.look();
    const next = nextNight(time, "Europe/Madrid", desk.lone.now());
    expect(desk.store.feedsOf(TENANT)[0]?.next_nightly_at).toBe(next);
  }
});
