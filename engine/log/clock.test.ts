/** Goal: engine time neither jumps with the wall clock nor runs backwards. */
import { expect, test } from "bun:test";
import { Damage } from "../core/damage.ts";
import { EngineClock } from "./clock.ts";
import type { TimeLine } from "./time-line.ts";

const START_MS = 1_768_478_400_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The engine's interval. */
const TICK_MS = 250;

function manual(wall = START_MS) {
  const at = { wall, monotonic: 5_000 };
  const source = { wallMs: () => at.wall, monotonicMs: () => at.monotonic };
  const pass = (ms: number) => {
    at.wall += ms;
    at.monotonic += ms;
  };
  /** Lets time pass while the engine works. */
  const run = (clock: EngineClock, ms: number) => {
    for (let left = ms; left > 0; left -= TICK_MS) {
      clock.steer();
      pass(Math.min(TICK_MS, left));
    }
  };
  return { at, source, pass, run };
}

test("while the wall clock is steady, engine time is the wall clock", () => {
  const { at, source, pass } = manual();
  const clock = new EngineClock(source, { lastStampMs: START_MS - 50 });
  for (let i = 0; i < 100; i += 1) {
    pass(37);
    expect(clock.now()).toBe(at.wall);
    clock.steer();
  }
});

test.each([
  ["forwards", 2_000],
  ["forwards", HOUR_MS],
  ["forwards", 9 * DAY_MS],
  ["forwards", 1_096 * DAY_MS],
  ["backwards", -2_000],
  ["backwards", -HOUR_MS],
  ["backwards", -9 * DAY_MS],
  ["backwards", -1_096 * DAY_MS],
])("a jump %s of %d ms is followed by no more than 10 %%", (_way, byMs) => {
  const { at, source, run } = manual();
  const clock = new EngineClock(source, { lastStampMs: 0 });
  at.wall += byMs;
  expect(clock.now()).toBe(START_MS);
  for (let s = 1; s <= 60; s += 1) {
    const before = clock.now();
    run(clock, 1_000);
    expect(clock.now() - before).toBeWithin(899, 1_102);
  }
  const corrected = byMs - clock.driftMs();
  // A clock that is years off is not followed at all.
  const isFollowed = Math.abs(byMs) < 45 * DAY_MS;
  expect(Math.sign(Math.round(corrected))).toBe(isFollowed ? Math.sign(byMs) : 0);
  expect(Math.abs(corrected)).toBeLessThanOrEqual(6_001);
});

test("a machine is on time when it wakes from sleep", () => {
  const { at, source, pass } = manual();
  const clock = new EngineClock(source, { lastStampMs: 0 });
  at.wall += 3;
  clock.steer();
  // The steady clock counts sleep; a running correction does not grow with it.
  pass(8 * HOUR_MS);
  expect(clock.now()).toBeWithin(at.wall - 4, at.wall + 1);
});

test("a small drift is corrected after a while", () => {
  const { at, source, run } = manual();
  const clock = new EngineClock(source, { lastStampMs: 0 });
  at.wall += 800;
  run(clock, 100_000);
  expect(Math.abs(clock.driftMs())).toBeLessThan(2);
});

test("a stamp is an integer and never less than the one before", () => {
  const { at, source } = manual();
  const clock = new EngineClock(source, { lastStampMs: 0 });
  let last = clock.now();
  for (let i = 1; i < 500; i += 1) {
    at.wall += ((i * 7919) % 20_011) - 10_000;
    // A steady clock that stops or steps back must have no effect either.
    at.monotonic += ((i * 31) % 7) - 1.25;
    if (i % 3 === 0) clock.steer();
    const stamp = clock.now();
    expect(Number.isInteger(stamp)).toBe(true);
    expect(stamp).toBeGreaterThanOrEqual(last);
    last = stamp;
  }
});

test("a start slightly behind the last journaled stamp continues from that stamp", () => {
  const { source, pass } = manual();
  const clock = new EngineClock(source, { lastStampMs: START_MS + 60_000 });
  expect(clock.now()).toBe(START_MS + 60_000);
  pass(1_000);
  expect(clock.now()).toBeGreaterThan(START_MS + 60_000);
});

test.each([
  ["clock_behind_journal", "3600 s behind", -HOUR_MS],
  ["clock_behind_journal", "9 days behind", -9 * DAY_MS],
  ["clock_behind_journal", "1096 days behind", -1_096 * DAY_MS],
  ["clock_ahead_of_journal", "46 days ahead", 46 * DAY_MS],
  ["clock_ahead_of_journal", "1096 days ahead", 1_096 * DAY_MS],
])("%s: a start %s is refused", (name, words, aheadMs) => {
  const { source } = manual();
  const start = () => new EngineClock(source, { lastStampMs: START_MS - aheadMs });
  expect(start).toThrow(Damage);
  expect(start).toThrow(`${name}: the wall clock is ${words}`);
});

test("a start a month after the last stamp is accepted, and an empty journal sets no limit", () => {
  const { source } = manual();
  const after = new EngineClock(source, { lastStampMs: START_MS - 44 * DAY_MS });
  expect(after.now()).toBe(START_MS);
  expect(new EngineClock(source, { lastStampMs: 0 }).now()).toBe(START_MS);
});

test("after a crash time continues, even if the wall clock was changed", () => {
  const { at, source, pass } = manual();
  const lines: TimeLine[] = [];
  const publish = (line: TimeLine) => lines.push(line);
  const first = new EngineClock(source, { lastStampMs: 0, publish });
  pass(1_000);
  first.steer();
  for (const byMs of [-HOUR_MS, 3 * DAY_MS, -2_000 * DAY_MS, 2_000 * DAY_MS]) {
    at.wall += byMs;
    pass(500);
    const before = first.now();
    const next = new EngineClock(source, { lastStampMs: before, former: lines.at(-1)! });
    expect(next.now()).toBe(before);
    at.wall -= byMs;
  }
});

test("a time line behind the journal's last stamp is not continued", () => {
  const { source } = manual();
  const former = { monotonicMs: 5_000, engineMs: START_MS - HOUR_MS, slewMs: 0 };
  const clock = new EngineClock(source, { lastStampMs: START_MS - 5, former });
  expect(clock.now()).toBe(START_MS);
});
