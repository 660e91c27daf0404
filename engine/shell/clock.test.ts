/** Goal: engine time neither jumps with the wall clock nor runs backwards. */
import { expect, test } from "bun:test";
import { EngineClock } from "./clock.ts";
import { Damage } from "./damage.ts";

const START_MS = 1_768_478_400_000;
const strict = { acceptBehind: false };

function manual(wall = START_MS) {
  const at = { wall, monotonic: 5_000 };
  const source = { wallMs: () => at.wall, monotonicMs: () => at.monotonic };
  const pass = (ms: number) => {
    at.wall += ms;
    at.monotonic += ms;
  };
  return { at, source, pass };
}

test("while the wall clock is steady, engine time is the wall clock", () => {
  const { at, source, pass } = manual();
  const clock = new EngineClock(source, START_MS - 50, strict);
  for (let i = 0; i < 100; i += 1) {
    pass(37);
    expect(clock.now()).toBe(at.wall);
  }
});

test("a jump of the wall clock forwards is caught up at no more than 10 %", () => {
  const { at, source, pass } = manual();
  const clock = new EngineClock(source, 0, strict);
  at.wall += 3_600_000;
  expect(clock.now()).toBe(START_MS);
  for (let s = 1; s <= 60; s += 1) {
    const before = clock.now();
    pass(1_000);
    expect(clock.now() - before).toBeGreaterThanOrEqual(1_000);
    expect(clock.now() - before).toBeLessThanOrEqual(1_101);
  }
  expect(clock.driftMs()).toBeGreaterThan(3_590_000);
});

test("a jump of the wall clock backwards slows engine time by no more than 10 %", () => {
  const { at, source, pass } = manual();
  const clock = new EngineClock(source, 0, strict);
  at.wall -= 3_600_000;
  expect(clock.now()).toBe(START_MS);
  const before = clock.now();
  pass(10_000);
  expect(clock.now() - before).toBe(9_000);
  expect(clock.driftMs()).toBe(START_MS - 3_590_000 - (START_MS + 9_000));
});

test("a small drift is gone after a while", () => {
  const { at, source, pass } = manual();
  const clock = new EngineClock(source, 0, strict);
  at.wall += 800;
  for (let i = 0; i < 400; i += 1) {
    pass(250);
    clock.now();
  }
  expect(Math.abs(clock.driftMs())).toBeLessThan(2);
});

test("a stamp is a whole number and never less than the one before", () => {
  const { at, source } = manual();
  const clock = new EngineClock(source, 0, strict);
  let last = clock.now();
  for (let i = 1; i < 500; i += 1) {
    at.wall += ((i * 7919) % 20_011) - 10_000;
    // A monotonic timer that stands still or even steps back must not matter either.
    at.monotonic += ((i * 31) % 7) - 1.25;
    const stamp = clock.now();
    expect(Number.isInteger(stamp)).toBe(true);
    expect(stamp).toBeGreaterThanOrEqual(last);
    last = stamp;
  }
});

test("a start behind the last journaled stamp goes on from that stamp", () => {
  const { source, pass } = manual();
  const clock = new EngineClock(source, START_MS + 60_000, strict);
  expect(clock.now()).toBe(START_MS + 60_000);
  pass(1_000);
  expect(clock.now()).toBeGreaterThan(START_MS + 60_000);
});

test("a start over 60 s behind the last stamp is refused unless the operator accepts it", () => {
  const { source } = manual();
  const lastStampMs = START_MS + 60_001;
  const refused = expect(() => new EngineClock(source, lastStampMs, strict));
  refused.toThrow(Damage);
  expect(() => new EngineClock(source, lastStampMs, strict)).toThrow("clock_behind_journal");
  const accepted = new EngineClock(source, lastStampMs, { acceptBehind: true });
  expect(accepted.now()).toBe(lastStampMs);
});
