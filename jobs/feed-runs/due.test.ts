import { expect, test } from "bun:test";
import { type FeedState, triggerOf } from "./due.ts";
import type { FeedRun } from "./run.ts";
import type { Feed } from "./store.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** A night at 04:10 and a feed that was built for it. */
const NIGHT = Date.parse("2026-03-01T04:10:00Z");
const TERMS = { maxAgeMs: 6 * HOUR, debounceMs: 2 * MINUTE };

function runAt(atMs: number, over: Partial<FeedRun> = {}): FeedRun {
  return {
    ...{ run_id: "run_1", tenant_id: "t", partner: "google", trigger: "nightly" },
    ...{ state: "published", accept_shrink: false, attempts: 1, phase: null, progress: 1 },
    ...{ created_at: atMs, started_at: atMs, ended_at: atMs + 1, detail: null, reason: null },
    ...{ journal_id: "j", seq: 4, row: 9, at: atMs, listings: 3 },
    ...over,
  };
}

const NIGHTLY = runAt(NIGHT + 1_000);

function trigger(nowMs: number, feed: Partial<Feed>, state: Partial<FeedState> = {}) {
  const times = { asked_at: nowMs, next_nightly_at: null };
  const known: Feed = {
    ...{ tenant_id: "t", partner: "google", ...times },
    ...{ published: NIGHTLY, open: null, failed: null, accuracy: null },
    ...feed,
  };
  const usual = { nowMs, lastNightMs: NIGHT, isOfOtherJournal: false, unknown: null };
  return triggerOf(known, { ...usual, hasSold: () => false, ...state }, TERMS);
}

test("a feed without changes is built when it is six hours old", () => {
  expect(trigger(NIGHTLY.at! + 6 * HOUR - 1, {})).toBeNull();
  expect(trigger(NIGHTLY.at! + 6 * HOUR, {})).toBe("age");
});

test("a missed nightly build is due at once and is made up once", () => {
  const before = runAt(NIGHT - HOUR);
  expect(trigger(NIGHT, { published: before })).toBe("nightly");
  expect(trigger(NIGHT, { published: null })).toBe("nightly");
  expect(trigger(NIGHT + 5 * MINUTE - 1, { published: before })).toBe("nightly");
  expect(trigger(NIGHT + 5 * MINUTE, { published: before })).toBe("made_up");
  expect(trigger(NIGHT + 5 * MINUTE, { published: runAt(NIGHT - MINUTE) })).toBeNull();
  const failed = runAt(NIGHT, { state: "failed", reason: "shrunken" });
  expect(trigger(NIGHT + 2 * HOUR, { published: before, failed })).toBeNull();
});

test("changes are built after a quiet period, or after five such periods if they never pause", () => {
  const first = NIGHT + HOUR;
  const of = (nowMs: number, lastAt: number) =>
    trigger(nowMs, {}, { unknown: { firstAt: first, lastAt } });
  expect(of(first + 2 * MINUTE - 1, first)).toBeNull();
  expect(of(first + 2 * MINUTE, first)).toBe("change");
  expect(of(first + 9 * MINUTE, first + 8 * MINUTE)).toBeNull();
  expect(of(first + 10 * MINUTE, first + 10 * MINUTE)).toBe("change");
});

test("sales are built after an hour and not requested earlier", () => {
  let asked = 0;
  const hasSold = () => {
    asked += 1;
    return true;
  };
  expect(trigger(NIGHTLY.at! + HOUR - 1, {}, { hasSold })).toBeNull();
  expect(asked).toBe(0);
  expect(trigger(NIGHTLY.at! + HOUR, {}, { hasSold })).toBe("change");
});

test("a feed of another history is built at once", () => {
  expect(trigger(NIGHT + MINUTE, {}, { isOfOtherJournal: true })).toBe("change");
});

test("a feed is not due while it is built, when it was never requested, or just after a failure", () => {
  const late = NIGHT + 12 * HOUR;
  expect(trigger(late, {})).toBe("age");
  expect(trigger(late, { open: runAt(late, { state: "running" }) })).toBeNull();
  expect(trigger(late, { published: null })).toBeNull();
  const failed = runAt(late, { state: "failed", reason: "crashed", ended_at: late });
  expect(trigger(late + HOUR - 1, { failed })).toBeNull();
  expect(trigger(late + HOUR, { failed })).toBe("age");
});

test("a feed without properties is built after a change of supply without a request", () => {
  const late = NIGHT + 12 * HOUR;
  const failed = runAt(late, { state: "failed", reason: "no_property", ended_at: late });
  const unknown = { firstAt: late, lastAt: late };
  const of = (nowMs: number, over: Partial<FeedRun> = {}) =>
    trigger(nowMs, { published: null, failed: { ...failed, ...over } }, { unknown });
  expect(of(late + 2 * MINUTE - 1)).toBeNull();
  expect(of(late + 2 * MINUTE)).toBe("change");
  expect(of(late + 2 * MINUTE, { reason: "crashed" })).toBeNull();
});
