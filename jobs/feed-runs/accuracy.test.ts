/**
 * Goal: a published feed is compared with quotes each hour and after each publication, and errors
 * raise an alarm. Method: a real journal, a feed built from it, and changes to either.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dateOf } from "../../engine/core/calendar.ts";
import type { Command } from "../../engine/core/commands.ts";
import { Replica } from "../../engine/log/replica.ts";
import { build } from "../../feeds/build.ts";
import { profileOf } from "../../feeds/partners.ts";
import { START_DAY, START_MS } from "../../test/power/commands.ts";
import { World } from "../../test/power/world.ts";
import {
  commandMeta,
  createProperty,
  promoteProperty,
  propertyTree,
  TENANT,
  updateAri,
} from "../../test/support/builders.ts";
import { AccuracyCheck } from "./accuracy.ts";
import { AccuracyBook } from "./accuracy-book.ts";
import { RunBook } from "./run-book.ts";
import { openFeeds } from "./schema.ts";
import { FeedStore, runDirectory } from "./store.ts";

const HOUR_MS = 3_600_000;
const SEED = 5;
const TREE = propertyTree();
const PARTNER = "google";

let folder: string;
let world: World;
let replica: Replica;
let store: FeedStore;
let runs: RunBook;
let book: AccuracyBook;
let check: AccuracyCheck;
let nowMs: number;
let logged: { readonly level: string; readonly message: string; readonly fields: object }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accuracy-"));
  world = new World(join(folder, "0.db"));
  world.tick();
  world.ask(createProperty(TREE), promoteProperty(TREE));
  replica = new Replica(world.path);
  const db = openFeeds(join(folder, "feeds.db"), "normal");
  [store, runs, book] = [new FeedStore(db, folder), new RunBook(db), new AccuracyBook(db)];
  [nowMs, logged] = [START_MS, []];
  check = new AccuracyCheck({
    ...{ store, book, replica },
    now: () => nowMs,
    newSeed: () => SEED,
    log: (level, message, fields = {}) => logged.push({ level, message, fields }),
  });
});

afterEach(async () => {
  await check.stop();
  replica.close();
  world[Symbol.dispose]();
  store.close();
  rmSync(folder, { recursive: true });
});

/** Triggers of the runs that are asked for. */
function open(): string[] {
  return runs.open().map(({ trigger }) => trigger);
}

/** Builds the feed as it stands and publishes it; returns where its prices are. */
function publish(): string {
  replica.catchUp(1_000);
  const asked = store.request(TENANT, PARTNER, "operator", { nowMs });
  const attempt = runs.begin(asked.run_id, nowMs)!;
  const directory = runDirectory(folder, attempt);
  mkdirSync(directory, { recursive: true });
  const order = {
    ...{ profile: profileOf(PARTNER)!, tenantId: TENANT, runId: asked.run_id, directory, nowMs },
    ...{ siteUrl: "https://example.com", language: "en" },
  };
  const { state, head, journalId } = replica;
  const building = build(order, { state, row: head.row, journalId });
  let next = building.next();
  while (!next.done) next = building.next();
  const timings = { open_ms: 0, build_ms: 0, verify_ms: 0, cpu_ms: 0, peak_rss_bytes: 0 };
  runs.publish(attempt, { ...next.value, timings }, nowMs);
  return join(directory, next.value.ari.sets[0]!.file);
}

const notice: Command = {
  ...commandMeta(),
  type: "RecordNotice",
  notice: {
    type: "delegation_issuer.status_changed",
    data: {
      ...{ issuer_id: "iss_1", iss: "https://a.example" },
      ...{ status: "suspended", previous_status: "active" },
    },
  },
};

function rate(amount: number, days: number): Command {
  const [from, to] = [dateOf(START_DAY), dateOf(START_DAY + days)];
  return updateAri(TREE, { rates: [{ rate_plan_id: "plan-flex", from, to, amount }] });
}

const last = () => book.last(TENANT, PARTNER)!;
const errors = () => logged.filter(({ level }) => level === "error");

test("a feed is equal when nothing in it has changed, whatever else has happened", async () => {
  publish();
  world.ask(notice);
  await check.look();
  const { outcomes, ...facts } = last();
  expect(facts).toMatchObject({ checked_at: nowMs, seed: SEED, is_unchanged: true, alarm: null });
  expect(outcomes).toEqual({
    ...{ equal: expect.any(Number), price_changed: 0 },
    ...{ no_longer_sellable: 0, now_sellable: 0 },
  });
  expect(outcomes.equal).toBeWithin(90, 101);
  expect(store.feedsOf(TENANT)[0]!.accuracy).toEqual(last());
  expect([logged, open()]).toEqual([[], []]);
  expect(check.figures().wrongShares).toEqual([{ partner: PARTNER, share: 0 }]);
});

test("a feed is compared again after an hour and after each publication", async () => {
  publish();
  await check.look();
  nowMs += HOUR_MS - 1;
  await check.look();
  expect(last().checked_at).toBe(START_MS);
  nowMs += 1;
  await check.look();
  expect(last().checked_at).toBe(nowMs);
  nowMs += 1;
  publish();
  await check.look();
  expect(last()).toMatchObject({
    checked_at: nowMs,
    run_id: store.current(TENANT, PARTNER)?.run_id,
  });
});

/** Publishes a feed in which every tenth itinerary has other amounts, of the same length. */
function publishWrong(): void {
  const path = publish();
  const lines = readFileSync(path, "utf8").split("\n");
  const wrong = lines.map((line, i) => {
    return i % 10 === 0 ? line.replaceAll(/\d<\/Baserate>/g, "x</Baserate>") : line;
  });
  writeFileSync(path, wrong.join("\n"));
}

test("one price that was never true raises an alarm and one rebuild", async () => {
  publishWrong();
  await check.look();
  expect(last().alarm).toBe("wrong");
  expect(last().outcomes.price_changed).toBeWithin(1, 20);
  expect(errors()).toMatchObject([{ fields: { tenant_id: TENANT, partner: PARTNER, seed: SEED } }]);
  expect(open()).toEqual(["change"]);
  nowMs += 60_000;
  publishWrong();
  await check.look();
  expect(last()).toMatchObject({ alarm: "wrong", checked_at: nowMs });
  expect(errors()).toHaveLength(2);
  expect(open()).toEqual([]);
  nowMs += HOUR_MS;
  await check.look();
  expect(open()).toEqual(["change"]);
});

test("many changes raise an alarm and a rebuild; a few changes raise neither", async () => {
  publish();
  world.ask(rate(11_000, 5));
  await check.look();
  expect(last()).toMatchObject({ is_unchanged: false, alarm: null });
  expect(last().outcomes.price_changed).toBeGreaterThan(0);
  expect([errors(), open()]).toEqual([[], []]);
  world.ask(rate(12_000, 60));
  nowMs += HOUR_MS;
  await check.look();
  expect(last().alarm).toBe("stale");
  expect(open()).toEqual(["change"]);
  expect(errors()).toHaveLength(1);
  const { outcomes, wrongShares } = check.figures();
  expect(outcomes.find(({ outcome }) => outcome === "price_changed")?.count).toBeGreaterThan(50);
  expect(wrongShares[0]!.share).toBeWithin(0.5, 1);
});

test("nights sold since and nights opened since are counted apart", async () => {
  const days = { from: dateOf(START_DAY), to: dateOf(START_DAY + 95) };
  const inventory = (capacity: number) =>
    updateAri(TREE, { inventory: [{ room_type_id: "room-double", ...days, capacity }] });
  publish();
  world.ask(inventory(0));
  await check.look();
  expect(last().outcomes).toMatchObject({ equal: 0, no_longer_sellable: expect.any(Number) });
  publish();
  world.ask(inventory(2));
  await check.look();
  expect(last().outcomes).toMatchObject({ equal: 0, no_longer_sellable: 0 });
  expect(last().outcomes.now_sellable).toBeGreaterThan(80);
});

test("past days do not count against a feed", async () => {
  publish();
  nowMs += 10 * 24 * HOUR_MS;
  await check.look();
  const checked = Object.values(last().outcomes).reduce((sum, count) => sum + count, 0);
  expect(checked).toBeWithin(70, 97);
  expect(last().outcomes.equal).toBe(checked);
});

test("a feed of another history, or without its files, is skipped until the next comparison", async () => {
  const path = publish();
  rmSync(path);
  await check.look();
  expect(book.last(TENANT, PARTNER)).toBeNull();
  expect(logged).toMatchObject([{ level: "warn", fields: { tenant_id: TENANT } }]);
});
