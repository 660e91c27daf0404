/**
 * Goal: every feed is built when it is due, exactly once, whatever was lost meanwhile. Method: the
 * planner looks at a real journal, real rows and a real Redis, at times that the test chooses.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { dateOf } from "../../engine/core/calendar.ts";
import {
  createProperty,
  frozenQuote,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
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

beforeEach(async () => {
  desk = await FeedDesk.open();
  desk.decide(createProperty(TREE), promoteProperty(TREE));
  planner = desk.planner(farNight());
});

afterEach(async () => {
  expect(desk.errors).toEqual([]);
  await desk.close();
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

test("changes of supply are taken in when they were quiet for a while, also those before a restart", () => {
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

test("changes that never cease are taken in after ten minutes", () => {
  first();
  let minutes = 0;
  for (; asked() === null && minutes < 30; minutes += 1) {
    changeRates(30 + minutes);
    desk.lone.advance(MINUTE);
  }
  expect(minutes).toBe(10);
});

test("what others change, or test data, makes no feed of ours due; nor does what it tells itself", () => {
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

test("units that were sold are taken in after an hour", () => {
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

test("a night that nobody was there for is made up once, and its schedule finds nothing to do", async () => {
  planner = desk.planner(localTimeIn(5 * HOUR));
  first();
  desk.lone.advance(5 * HOUR + 6 * MINUTE);
  expect(asked()).toBe("made_up");
  const [run] = desk.book.open();
  await planner.nightly(TENANT);
  expect(desk.book.open()).toHaveLength(1);
  desk.publish(run!);
  await planner.nightly(TENANT);
  expect(asked()).toBeNull();
});

test("what the schedule triggers asks for every feed of the tenant that somebody fetches", async () => {
  first();
  const nowMs = Math.floor(desk.lone.now());
  desk.publish(desk.store.request(TENANT, "bing", "first", { nowMs }));
  first(OTHER_TENANT);
  desk.lone.advance(13 * DAY);
  desk.store.noteAsked(TENANT, "google", Math.floor(desk.lone.now()));
  desk.lone.advance(2 * DAY);
  await planner.nightly(TENANT);
  expect(desk.book.open().map(({ trigger, partner }) => [trigger, partner])).toEqual([
    ["nightly", "google"],
  ]);
});

test("a run whose job Redis has lost is enqueued again, and one that has a job is not twice", async () => {
  const nowMs = Math.floor(desk.lone.now());
  const { run_id } = desk.store.request(TENANT, "google", "first", { nowMs });
  const jobs = async () => {
    planner.look();
    // Commands of one connection are answered in their order.
    const found = await desk.queue.queue.getJobs(["waiting"]);
    return found.map(({ id }) => id);
  };
  await jobs();
  expect(await jobs()).toEqual([run_id]);
  await desk.queue.queue.obliterate({ force: true });
  await jobs();
  expect(await jobs()).toEqual([run_id]);
});

test("a run that somebody waits for goes before those that nobody does, also after a loss", async () => {
  const nowMs = Math.floor(desk.lone.now());
  const ask = (partner: string, trigger: FeedRun["trigger"]) =>
    desk.store.request(TENANT, partner, trigger, { nowMs }).run_id;
  const [age, first] = [ask("google", "age"), ask("bing", "first")];
  planner.look();
  const operator = ask("yandex", "operator");
  await desk.queue.enqueue(operator);
  const jobs = await desk.queue.queue.getJobs(["waiting"], 0, -1, true);
  expect(jobs.map(({ id }) => id)).toEqual([operator, first, age]);
});

async function schedulers() {
  const found = await desk.queue.queue.getJobSchedulers();
  return found.map(({ key, pattern, tz, next, template }) => ({
    ...{ key, pattern, tz, next },
    data: template?.data,
  }));
}

async function scheduled(isSo: (found: Awaited<ReturnType<typeof schedulers>>) => boolean) {
  for (let looks = 0; looks < 100; looks += 1) {
    planner.look();
    const found = await schedulers();
    if (isSo(found)) return found;
  }
  throw new Error(`not scheduled: ${JSON.stringify(await schedulers())}`);
}

test("every tenant with a feed has its nightly schedule, in its zone, at the time that is set", async () => {
  planner = desk.planner("04:10");
  first();
  const [found] = await scheduled(({ length }) => length === 1);
  expect(found).toMatchObject({
    ...{ key: `nightly-${TENANT}`, pattern: "0 10 4 * * *", tz: "Europe/Madrid" },
    data: desk.queue.messages.write({ kind: "nightly", tenant_id: TENANT }),
  });
  const next = nextNight("04:10", "Europe/Madrid", desk.lone.now());
  expect(Math.abs(found!.next! - next)).toBeLessThan(1_000);
  expect(desk.store.feedsOf(TENANT)[0]?.next_nightly_at).toBe(next);
});

test("a schedule that others have made or altered is made again", async () => {
  planner = desk.planner("04:10");
  first();
  const [found] = await scheduled(({ length }) => length === 1);
  const { queue, messages } = desk.queue;
  const stranger = messages.write({ kind: "nightly", tenant_id: OTHER_TENANT });
  for (const data of ["by hand", stranger]) {
    await queue.upsertJobScheduler(
      found!.key!,
      { pattern: found!.pattern!, tz: found!.tz! },
      { data },
    );
    planner = desk.planner("04:10");
    await scheduled(([again]) => again?.data === found!.data);
  }
});

test("a schedule follows the time that is set, Redis that has lost it, and feeds that end", async () => {
  planner = desk.planner("04:10");
  first();
  await scheduled(({ length }) => length === 1);
  planner = desk.planner("05:30");
  await scheduled(([found]) => found?.pattern === "0 30 5 * * *");
  await desk.queue.queue.obliterate({ force: true });
  expect(await schedulers()).toEqual([]);
  planner = desk.planner("05:30");
  await scheduled(([found]) => found?.pattern === "0 30 5 * * *");
  desk.db.run("DELETE FROM feed");
  await scheduled(({ length }) => length === 0);
});
