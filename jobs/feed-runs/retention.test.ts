/** Goal: readable files are kept, and all others are removed. Method: real files and rows. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../src/lib/service.ts";
import { TENANT } from "../../test/support/builders.ts";
import { manifestAt } from "../../test/support/feed-desk.ts";
import { FeedRetention } from "./retention.ts";
import type { FeedRun } from "./run.ts";
import { RunBook } from "./run-book.ts";
import { openFeeds } from "./schema.ts";
import { FeedStore, runDirectory } from "./store.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

let folder: string;
let root: string;
let store: FeedStore;
let book: RunBook;
let retention: FeedRetention;
let nowMs = 0;
let logged: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feeds-"));
  root = join(folder, "feeds");
  const db = openFeeds(join(folder, "feeds.db"), "normal");
  store = new FeedStore(db, root);
  book = new RunBook(db);
  nowMs = Date.parse("2026-03-01T02:15:00Z");
  logged = [];
  const log: Log = (_level, message) => void logged.push(message);
  retention = new FeedRetention({ db, directory: root, now: () => nowMs, log });
});

afterEach(() => {
  retention.stop();
  store.close();
  rmSync(folder, { recursive: true });
});

/** A run with its files, which a second attempt of it does not share. */
async function run(end: "published" | "failed" | "running", attempts = 1): Promise<FeedRun> {
  nowMs += 1;
  const { run_id } = store.request(TENANT, "google", "operator", { nowMs });
  for (let nth = 1; nth <= attempts; nth += 1) {
    const attempt = book.begin(run_id, nowMs)!;
    const directory = runDirectory(root, attempt);
    mkdirSync(directory, { recursive: true });
    await Bun.write(join(directory, "manifest.json"), "{}");
    if (nth < attempts) continue;
    const position = { journal_id: "j", row: 1, seq: 1, at: "2026-03-01T02:15:00Z" };
    const manifest = manifestAt(attempt, position);
    if (end === "published") book.publish(attempt, manifest, nowMs);
    if (end === "failed") book.fail(attempt, "shrunken", { detail: "", manifest, nowMs });
  }
  return store.run(run_id)!;
}

const hasFiles = (of: FeedRun) => existsSync(runDirectory(root, of));

test("only the files of the last attempt are kept", async () => {
  const published = await run("published", 3);
  await retention.cut();
  expect(hasFiles(published)).toBeTrue();
  expect(hasFiles({ ...published, attempts: 1 })).toBeFalse();
  expect(hasFiles({ ...published, attempts: 2 })).toBeFalse();
});

test("replaced files stay for open readers and are removed after ten minutes", async () => {
  const old = await run("published");
  const replaced = await run("published");
  nowMs += DAY;
  const published = await run("published");
  await retention.cut();
  expect([old, replaced, published].map(hasFiles)).toEqual([false, true, true]);
  nowMs += 10 * MINUTE;
  await retention.cut();
  expect([replaced, published].map(hasFiles)).toEqual([false, true]);
});

test("the last refused copy and the current build are kept beside the published copy", async () => {
  const published = await run("published");
  const [first, last, building] = [await run("failed"), await run("failed"), await run("running")];
  nowMs += DAY;
  await retention.cut();
  expect([published, first, last, building].map(hasFiles)).toEqual([true, false, true, true]);
});

test("a feed not fetched for fifteen days is removed with its files", async () => {
  const published = await run("published");
  nowMs += 15 * DAY;
  await retention.cut();
  expect(store.current(TENANT, "google")).not.toBeNull();
  nowMs += 1;
  await retention.cut();
  expect(store.current(TENANT, "google")).toBeNull();
  expect(store.feedsOf(TENANT)).toEqual([]);
  expect(hasFiles(published)).toBeFalse();
});

test("run rows are kept for thirty days, the row of the served run as long as it is served", async () => {
  const [published, failed] = [await run("published"), await run("failed")];
  nowMs += 31 * DAY;
  store.noteAsked(TENANT, "google", nowMs);
  await retention.cut();
  // Not told yet: somebody still waits to hear of it.
  expect(store.run(failed.run_id)).not.toBeNull();
  const db = openFeeds(join(folder, "feeds.db"), "normal");
  db.run("UPDATE run SET is_told = 1");
  db.close();
  await retention.cut();
  expect(store.run(failed.run_id)).toBeNull();
  expect(store.run(published.run_id)?.state).toBe("published");
});

test("a feed whose files are gone is unpublished, so that the next request builds it", async () => {
  const published = await run("published");
  rmSync(runDirectory(root, published), { recursive: true });
  retention.start();
  expect(store.current(TENANT, "google")).toBeNull();
  expect(logged).toEqual(["the files of a feed are missing"]);
});
