import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TENANT } from "../../test/support/builders.ts";
import { manifestAt } from "../../test/support/feed-desk.ts";
import { FeedMetrics } from "./feed-metrics.ts";
import type { FeedRun } from "./run.ts";
import { RunBook } from "./run-book.ts";
import { runNotices } from "./run-notices.ts";
import { openFeeds } from "./schema.ts";
import { FeedStore } from "./store.ts";

const HOUR = 3_600_000;
const T0 = Date.parse("2026-03-01T02:15:00Z");

let folder: string;
let db: Database;
let store: FeedStore;
let book: RunBook;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feeds-"));
  db = openFeeds(join(folder, "feeds.db"), "normal");
  store = new FeedStore(db, folder);
  book = new RunBook(db);
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function run(end: "published" | "failed", nowMs = T0): FeedRun {
  const { run_id } = store.request(TENANT, "google", "operator", { nowMs });
  const attempt = book.begin(run_id, nowMs)!;
  const at = new Date(nowMs).toISOString();
  const manifest = manifestAt(attempt, { journal_id: "j", row: 1, seq: 1, at });
  if (end === "published") book.publish(attempt, manifest, nowMs + 2_000);
  else book.fail(attempt, "shrunken", { detail: "", manifest, nowMs: nowMs + 2_000 });
  return store.run(run_id)!;
}

test("each ended run is reported once with the served feed; an open run is not", () => {
  const told: [string, string | null][] = [];
  const tell = ({ run_id }: FeedRun, served: string | null) => void told.push([run_id, served]);
  const errors: unknown[] = [];
  const look = () => runNotices(db, tell, (error) => void errors.push(error));
  const [first, second] = [run("failed"), run("published", T0 + 1)];
  store.request(TENANT, "google", "operator", { nowMs: T0 + 2 });
  for (let looks = 0; looks < 2; looks += 1) {
    const teller = look();
    teller.start!();
    void teller.stop();
  }
  expect(errors).toEqual([]);
  expect(told).toEqual([
    [first.run_id, second.run_id],
    [second.run_id, second.run_id],
  ]);
});

test("a run that could not be reported is reported at the next pass, before later ones", () => {
  const told: string[] = [];
  let fails = true;
  const errors: unknown[] = [];
  const tell = ({ run_id }: FeedRun) => {
    if (fails) throw new Error("busy");
    told.push(run_id);
  };
  const [first, second] = [run("failed"), run("failed", T0 + 1)];
  for (const isBusy of [true, false]) {
    fails = isBusy;
    const teller = runNotices(db, tell, (error) => void errors.push(error));
    teller.start!();
    void teller.stop();
  }
  expect(errors).toHaveLength(1);
  expect(told).toEqual([first.run_id, second.run_id]);
});

test("a feed is failing after a failed run, old after twenty hours, fresh after a good run", () => {
  let nowMs = T0;
  const alarms: string[] = [];
  const watch = new FeedMetrics({
    ...{ store, now: () => nowMs },
    log: (level, message) => void alarms.push(`${level}: ${message}`),
  });
  const states = () => {
    const [figures] = watch.figures();
    return Object.entries(figures!.feeds).flatMap(([state, count]) => (count === 1 ? state : []));
  };
  store.request(TENANT, "google", "first", { nowMs: T0 - 1 });
  expect(states()).toEqual(["unpublished"]);
  run("failed", T0 - 1);
  expect(states()).toEqual(["failing"]);
  const good = run("published");
  watch.noteEnded(good);
  expect(states()).toEqual(["fresh"]);
  watch.noteEnded(run("failed", T0 + 1));
  expect(states()).toEqual(["failing"]);
  expect(watch.figures()).toMatchObject([
    { partner: "google", runs: { published: 1, failed: 1 }, lastRunS: 2, bytes: 9 },
  ]);
  nowMs = T0 + 20 * HOUR;
  expect(states()).toEqual(["old"]);
  watch.start();
  watch.stop();
  expect(alarms).toEqual(["error: feeds are old"]);
  run("published", nowMs);
  expect(states()).toEqual(["fresh"]);
  expect(watch.figures()[0]?.oldestS).toBe(0);
});
