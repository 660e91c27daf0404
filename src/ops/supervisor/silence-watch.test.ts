/** Goal: a hanging process is detected in time, and a delayed watch accuses no process. */
import { beforeEach, expect, test } from "bun:test";
import { SilenceWatch } from "./silence-watch.ts";

let nowMs: number;
let watch: SilenceWatch;
beforeEach(() => {
  nowMs = 1_000_000;
  watch = new SilenceWatch(() => nowMs);
});

/** Time passes and the watch looks twice a second, as it does when nothing holds it up. */
function pass(ms: number): void {
  for (const endMs = nowMs + ms; nowMs < endMs; watch.look()) nowMs += 500;
}

/** Watches somebody; what it was reported for, in ms. */
function watched() {
  const reports: number[] = [];
  return { ...watch.watch((silentMs) => reports.push(silentMs)), reports };
}

test("a process silent for 5 s is reported once, others are not", () => {
  const hung = watched();
  const well = watched();
  for (let seconds = 0; seconds < 20; seconds += 1) {
    pass(1_000);
    well.heard();
  }
  expect(hung.reports).toEqual([5_500]);
  expect(well.reports).toEqual([]);
});

test("the five seconds begin at the last sign of life", () => {
  const one = watched();
  pass(4_000);
  one.heard();
  pass(5_000);
  expect(one.reports).toEqual([]);
  pass(500);
  expect(one.reports).toEqual([5_500]);
});

test("a watch that was suspended gives every process a new five seconds", () => {
  const hung = watched();
  const well = watched();
  pass(4_000);
  nowMs += 8_000;
  watch.look();
  expect([...hung.reports, ...well.reports]).toEqual([]);
  pass(1_000);
  well.heard();
  pass(4_500);
  expect(hung.reports).toEqual([5_500]);
  expect(well.reports).toEqual([]);
});

test("a slightly late check does not count as suspended: a busy machine hides no silence", () => {
  const hung = watched();
  for (let looks = 0; looks < 6; looks += 1) {
    nowMs += 1_200;
    watch.look();
  }
  expect(hung.reports).toEqual([6_000]);
});

test("a process that is no longer watched is not reported", () => {
  const gone = watched();
  pass(3_000);
  gone.end();
  pass(10_000);
  expect(gone.reports).toEqual([]);
});
