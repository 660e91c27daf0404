import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FeedManifest } from "../../feeds/manifest.ts";
import { StartRefused } from "../../src/lib/lifecycle.ts";
import { RunBook } from "./run-book.ts";
import { openFeeds } from "./schema.ts";
import { FeedStore } from "./store.ts";

const T0 = Date.parse("2026-03-01T02:15:00Z");
const TENANT = "3b9d4c1e-5b1f-4c6e-9a53-0d6f1f2b7a10";

let folder: string;
let db: Database;
let store: FeedStore;
let book: RunBook;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feeds-"));
  db = openFeeds(join(folder, "feeds.db"), "normal");
  store = new FeedStore(db, join(folder, "feeds"));
  book = new RunBook(db);
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function manifestOf(run_id: string, listings = 12): FeedManifest {
  const files = { file: "hotel-list.xml", gzip_file: "hotel-list.deflate" };
  const skipped = { count: 0, properties: [] };
  const ends = { ends: [9], gzip_ends: [5], crcs: [0] };
  return {
    ...{ format: 1, partner: "google", tenant_id: TENANT, run_id },
    ...{ journal_id: "j", row: 90, seq: 41, at: "2026-03-01T02:15:00Z" },
    list: { ...files, bytes: 9, gzip_bytes: 5, listings, skipped, issues: [], ...ends },
    ari: { sets: [], properties: listings },
    timings: { open_ms: 1, build_ms: 1, verify_ms: 1, cpu_ms: 1, peak_rss_bytes: 1 },
  };
}

function ask(trigger: Parameters<FeedStore["request"]>[2], nowMs = T0) {
  return store.request(TENANT, "google", trigger, { nowMs });
}

test("requests for the same feed share one run across processes", () => {
  const other = new FeedStore(openFeeds(join(folder, "feeds.db"), "full"), join(folder, "feeds"));
  const first = ask("first");
  expect(first).toMatchObject({ state: "queued", trigger: "first", attempts: 0, progress: 0 });
  for (const trigger of ["first", "age", "change", "nightly", "operator"] as const) {
    const { run_id } = other.request(TENANT, "google", trigger, { nowMs: T0 + 1 });
    expect(run_id).toBe(first.run_id);
  }
  expect(other.request(TENANT, "bing", "first", { nowMs: T0 }).run_id).not.toBe(first.run_id);
  other.close();
});

test("a change during a run requests one more run, which is queued behind it", () => {
  const { run_id } = ask("first");
  const begun = book.begin(run_id, T0);
  expect(begun).toMatchObject({ state: "running", attempts: 1, started_at: T0 });
  for (const trigger of ["first", "age", "nightly", "made_up"] as const) {
    expect(ask(trigger).run_id).toBe(run_id);
  }
  const behind = ask("change", T0 + 5);
  expect(behind.run_id > run_id).toBeTrue();
  expect(ask("operator", T0 + 6).run_id).toBe(behind.run_id);
  expect(book.begin(behind.run_id, T0 + 7)).toBeNull();
  expect(store.run(behind.run_id)?.state).toBe("queued");
  expect(book.publish(begun!, manifestOf(run_id), T0 + 8)).toBeTrue();
  expect(book.begin(behind.run_id, T0 + 9)?.state).toBe("running");
  expect(book.begin(run_id, T0 + 9)).toBeNull();
});

test("an operator's acceptance applies to a run already requested and is not withdrawn", () => {
  ask("age");
  const accepted = store.request(TENANT, "google", "operator", { accept_shrink: true, nowMs: T0 });
  expect(accepted).toMatchObject({ trigger: "operator", accept_shrink: true });
  expect(ask("operator")).toMatchObject({ trigger: "operator", accept_shrink: true });
  expect(ask("age")).toMatchObject({ trigger: "operator", accept_shrink: true });
});

test("a key finds its run long after the run ended", () => {
  const asked = { requestKey: "k1", nowMs: T0 };
  const { run_id } = store.request(TENANT, "google", "operator", asked);
  const attempt = book.begin(run_id, T0)!;
  book.publish(attempt, manifestOf(run_id), T0);
  const again = store.request(TENANT, "google", "operator", asked);
  expect(again).toMatchObject({ run_id, state: "published" });
});

test("the published feed changes when a run succeeds and not when one fails", () => {
  expect(store.current(TENANT, "google")).toBeNull();
  const first = book.begin(ask("first").run_id, T0)!;
  expect(store.current(TENANT, "google")).toBeNull();
  book.publish(first, manifestOf(first.run_id), T0);
  const served = store.current(TENANT, "google");
  expect(served?.directory).toBe(join(folder, "feeds", TENANT, "google", `${first.run_id}-1`));
  expect(served?.manifest.seq).toBe(41);
  expect(store.current(TENANT, "google")).toBe(served!);
  const second = book.begin(ask("change", T0 + 1).run_id, T0 + 1)!;
  const manifest = manifestOf(second.run_id, 1);
  book.fail(second, "shrunken", { detail: "1 of 12", manifest, nowMs: T0 + 2 });
  expect(store.current(TENANT, "google")).toBe(served!);
  const [feed] = store.feedsOf(TENANT);
  expect(feed).toMatchObject({
    published: { run_id: first.run_id, seq: 41, row: 90, at: T0, listings: 12 },
    failed: { run_id: second.run_id, reason: "shrunken", detail: "1 of 12", listings: 1 },
    open: null,
  });
  const third = book.begin(ask("change", T0 + 3).run_id, T0 + 3)!;
  book.publish(third, manifestOf(third.run_id), T0 + 4);
  expect(store.current(TENANT, "google")?.run_id).toBe(third.run_id);
  // Large, and of what is served alone.
  const kept = db.query("SELECT run_id FROM run WHERE manifest IS NOT NULL").all();
  expect(kept).toEqual([{ run_id: third.run_id }]);
  expect(store.feedsOf(TENANT)[0]?.failed).toBeNull();
});

test("an attempt declared dead has no further effect", () => {
  const { run_id } = ask("first");
  const dead = book.begin(run_id, T0)!;
  const next = book.begin(run_id, T0 + 20_000)!;
  expect(next.attempts).toBe(2);
  book.progress(dead, "ari", 0.9);
  expect(book.publish(dead, manifestOf(run_id), T0)).toBeFalse();
  expect(book.fail(dead, "crashed", { detail: "", manifest: null, nowMs: T0 })).toBeFalse();
  expect(store.run(run_id)).toMatchObject({ state: "running", phase: "starting", progress: 0 });
  book.progress(next, "ari", 0.5);
  expect(store.run(run_id)).toMatchObject({ phase: "ari", progress: 0.5 });
  book.giveBack(next);
  expect(store.run(run_id)).toMatchObject({ state: "running", attempts: 1, phase: "waiting" });
});

test("the first request right after a failure gets the failure instead of a new run", () => {
  const failed = book.begin(ask("first").run_id, T0)!;
  book.fail(failed, "crashed", { detail: "", manifest: null, nowMs: T0 });
  expect(ask("first", T0 + 59_999)).toMatchObject({ run_id: failed.run_id, reason: "crashed" });
  const empty = book.begin(ask("first", T0 + 60_000).run_id, T0 + 60_000)!;
  expect(empty.run_id).not.toBe(failed.run_id);
  book.fail(empty, "no_property", { detail: "", manifest: null, nowMs: T0 + 60_000 });
  expect(ask("first", T0 + 3_659_999)).toMatchObject({ reason: "no_property" });
  expect(ask("first", T0 + 3_660_000).state).toBe("queued");
});

test("the time of a feed's last request is written at most once an hour", () => {
  store.noteAsked(TENANT, "google", T0);
  store.noteAsked(TENANT, "google", T0 + 3_599_999);
  expect(store.feedsOf(TENANT)[0]).toMatchObject({ asked_at: T0, published: null, open: null });
  expect(store.feedsAskedSince(T0 + 1)).toEqual([]);
  store.noteAsked(TENANT, "google", T0 + 3_600_001);
  expect(store.feedsAskedSince(T0 + 1)).toHaveLength(1);
});

test("runs are listed newest first, of one partner or of all", () => {
  const google = ask("first");
  const bing = store.request(TENANT, "bing", "first", { nowMs: T0 + 1 });
  store.request("another", "bing", "first", { nowMs: T0 + 2 });
  const idsOf = (partner: string | null, limit: number) =>
    store.runsOf(TENANT, partner, limit).map(({ run_id }) => run_id);
  expect(idsOf(null, 9)).toEqual([bing.run_id, google.run_id]);
  expect(idsOf("google", 9)).toEqual([google.run_id]);
  expect(idsOf(null, 1)).toEqual([bing.run_id]);
  expect(book.open().map(({ partner }) => partner)).toEqual(["google", "bing", "bing"]);
});

test("the file is private to its owner, and a file of another format is left unchanged", () => {
  const path = join(folder, "feeds.db");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  db.run("PRAGMA user_version = 2");
  expect(() => openFeeds(path, "normal")).toThrow(StartRefused);
});
