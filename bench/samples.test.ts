import { expect, test } from "bun:test";
import { baselineOf, isMet, ratiosOf, shareOfTarget } from "./result.ts";
import { judged, ratioLines, Samples, sampleOf, summarize } from "./samples.ts";
import { runOf } from "./test-run.ts";

const ABOUT = { id: "a", title: "holds", compares: "speed", baseline: null } as const;

function samplesOf(speeds: Readonly<Record<string, readonly number[]>>): Samples {
  const samples = new Samples();
  for (const [name, all] of Object.entries(speeds)) {
    for (const requestsPerSecond of all) {
      samples.add("a", name, sampleOf(runOf({ requestsPerSecond })));
    }
  }
  return samples;
}

test("the median of an odd number of runs is the middle one, of an even number the mean of two", () => {
  expect(summarize([30, 10, 200])).toEqual({ median: 30, min: 10, max: 200 });
  expect(summarize([4, 1, 2, 100])).toEqual({ median: 3, min: 1, max: 100 });
  expect(() => summarize([])).toThrow("no runs");
});

test("a series is a line of medians with their ranges, the costliest process first", () => {
  const [group] = samplesOf({ ours: [100, 300, 200] }).group(ABOUT);
  const [line] = group!.lines;
  expect(line).toMatchObject({ name: "ours", runs: 3 });
  expect(line!.figures.speed).toEqual({ median: 200, min: 100, max: 300 });
  expect(Object.keys(line!.cpuByProcess)).toEqual(["engine", "api"]);
});

test("a process in some runs counts by its median over all; a figure in some runs is omitted", () => {
  const samples = new Samples();
  for (const cpu of [{ api: 10 }, { api: 10, feed: 30 }, { api: 10, feed: 30 }]) {
    const groupSize = "feed" in cpu ? 12 : null;
    samples.add("a", "ours", sampleOf(runOf({ cpuMicrosPerRequest: cpu, groupSize })));
  }
  const [line] = samples.group(ABOUT)[0]!.lines;
  expect(line!.cpuByProcess).toEqual({ feed: 30, api: 10 });
  expect(line!.figures.groupSize).toBeUndefined();
});

test("lines are compared with the baseline, or with the best line if it was not measured", () => {
  const samples = samplesOf({ ours: [300], theirs: [200] });
  const against = (baseline: string) => samples.group({ ...ABOUT, baseline })[0]!;
  expect(ratiosOf(against("theirs"))).toEqual([1.5, 1]);
  expect(baselineOf(against("a missing one")).name).toBe("ours");
  expect(ratiosOf({ ...against("a missing one"), compares: "p99Ms" })).toEqual([1, 1]);
});

test("an unmeasured series has no median, no ratio, no line and no verdict", () => {
  const samples = samplesOf({ ours: [300] });
  const ratio = samples.ratio("a", "ours", "theirs");
  expect([ratio, samples.median("b", "ours"), samples.group({ ...ABOUT, id: "b" })]).toEqual([
    ...[null, null, []],
  ]);
  const target = { name: "T0", text: "x", target: 1, bound: "at least" } as const;
  expect(judged([{ ...target, measured: ratio }])).toEqual([]);
  expect(ratioLines({ some: 1.23456, none: ratio })).toEqual(["some=1.235"]);
});

test("a target is met on its bound and missed beyond it", () => {
  const verdict = (measured: number, bound: "at most" | "at least") => {
    return { name: "T0", text: "x", measured, target: 2, bound };
  };
  expect([isMet(verdict(2, "at least")), isMet(verdict(2, "at most"))]).toEqual([true, true]);
  expect([isMet(verdict(1.9, "at least")), isMet(verdict(2.1, "at most"))]).toEqual([false, false]);
  expect(shareOfTarget(verdict(1, "at least"))).toBe(0.5);
  expect(shareOfTarget(verdict(4, "at most"))).toBe(0.5);
});
