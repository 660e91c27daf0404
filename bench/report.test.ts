import { expect, test } from "bun:test";
import { groupOf } from "./report.ts";
import { baselineOf, isMet, ratiosOf, shareOfTarget } from "./result.ts";
import { runOf } from "./test-run.ts";

const ABOUT = { id: "a", title: "holds", compares: "speed", baseline: null } as const;

function series(name: string, ...speeds: readonly number[]) {
  return { name, runs: speeds.map((requestsPerSecond) => runOf({ requestsPerSecond })) };
}

test("a series is a line of medians with their ranges, the costliest process first", () => {
  const [line] = groupOf(ABOUT, [series("ours", 100, 300, 200)]).lines;
  expect(line).toMatchObject({ name: "ours", runs: 3 });
  expect(line!.figures.speed).toEqual({ median: 200, min: 100, max: 300 });
  expect(Object.entries(line!.cpuByProcess)).toEqual([
    ["engine", 20],
    ["api", 10],
  ]);
});

test("a process that was there in some runs only counts with what it took in all", () => {
  const runs = [{ api: 10 }, { api: 10, feed: 30 }, { api: 10, feed: 30 }].map((cpu) =>
    runOf({ cpuMicrosPerRequest: cpu }),
  );
  const [line] = groupOf(ABOUT, [{ name: "ours", runs }]).lines;
  expect(line!.cpuByProcess).toEqual({ feed: 30, api: 10 });
});

test("a figure that not every run has is none", () => {
  const withGroup = runOf({ groupSize: 12.5 });
  const figures = (runs: readonly ReturnType<typeof runOf>[]) =>
    groupOf(ABOUT, [{ name: "ours", runs }]).lines[0]!.figures;
  expect(figures([withGroup]).groupSize?.median).toBe(12.5);
  expect(figures([withGroup, runOf({ groupSize: null })]).groupSize).toBeUndefined();
});

test("lines are held against the baseline, and against the best one where that was not measured", () => {
  const all = [series("ours", 300), series("theirs", 200)];
  const against = (baseline: string) => groupOf({ ...ABOUT, baseline }, all);
  expect(ratiosOf(against("theirs"))).toEqual([1.5, 1]);
  expect(baselineOf(against("nobody")).name).toBe("ours");
  const byLatency = { ...against("nobody"), compares: "p99Ms" } as const;
  expect(ratiosOf(byLatency)).toEqual([1, 1]);
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
