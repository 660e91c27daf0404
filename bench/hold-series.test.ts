import { expect, test } from "bun:test";
import { contendersOf, HoldSeries, ratioLines, verdictsOf, writerRemarks } from "./hold-series.ts";
import { isMet } from "./result.ts";
import { runOf } from "./test-run.ts";

const OURS = { api: 60, engine: 30 };
const THEIRS = { bun: 40, "redis-server": 40 };

function seriesOf(speeds: { readonly [contender: string]: number }): HoldSeries {
  const series = new HoldSeries();
  for (const [contender, requestsPerSecond] of Object.entries(speeds)) {
    const isPeer = contender.startsWith("peer");
    const run = runOf({ requestsPerSecond, cpuMicrosPerRequest: isPeer ? THEIRS : OURS });
    for (const connections of [32, 256] as const) {
      series.add(contender as "spread" | "peer 2", connections, run);
    }
  }
  return series;
}

test("the ratios against peer 2 come in a form that a program can read", () => {
  const series = seriesOf({ spread: 3_000, "peer 2": 2_000 });
  series.add("spread", 256, runOf({ requestsPerSecond: 5_000, cpuMicrosPerRequest: OURS }));
  expect(ratioLines(series)).toEqual([
    ...["holds_32_ratio=1.500", "holds_256_ratio=2.000", "writer_ratio=0.750"],
  ]);
  series.add("hot", 32, runOf({ requestsPerSecond: 2_700 }));
  series.add("hot", 256, runOf({ requestsPerSecond: 4_000 }));
  series.add("peer 1b", 32, runOf({ requestsPerSecond: 1_200 }));
  expect(ratioLines(series)).toContain("holds_32_ratio_1b=2.500");
  // The lower one: a hot room type must keep its speed at either number of connections.
  expect(ratioLines(series).at(-1)).toBe("hot_ratio=0.900");
});

test("the writer's ceiling says from how many cores on one process is the limit", () => {
  const series = new HoldSeries();
  series.add("spread", 256, runOf({ cpuMicrosPerRequest: { api: 75, engine: 25 } }));
  expect(writerRemarks(series)).toEqual([
    "ours spread, 256 connections: 25 of 100 µs a hold are of engine; from 4.0 cores on it is the limit, 40,000 holds a second.",
  ]);
});

test("without peer 2 there is no ratio and no T1", () => {
  const series = seriesOf({ spread: 3_000, hot: 3_000 });
  expect(ratioLines(series)).toEqual(["hot_ratio=1.000"]);
  expect(verdictsOf(series).map(({ name }) => name)).toEqual(["T3", "T3"]);
});

test("every target that was measured is judged", () => {
  const series = seriesOf({ spread: 3_000, hot: 2_000, "peer 2": 2_500, "peer 1b": 900 });
  const judged = verdictsOf(series).map((verdict) => {
    const { name, text, measured, target } = verdict;
    return [name, text, Number(measured.toPrecision(3)), target, isMet(verdict)];
  });
  expect(judged).toContainEqual(["T1", "ours ÷ peer 2, 32 connections", 1.2, 0.75, true]);
  expect(judged).toContainEqual(["T1", "ours ÷ peer 2, 256 connections", 1.2, 1, true]);
  expect(judged).toContainEqual(["T1", "ours ÷ peer 1b, 32 connections", 3.33, 3, true]);
  expect(judged).toContainEqual(["T3", "hot ÷ spread, 32 connections", 0.667, 0.9, false]);
  expect(judged).toContainEqual(["T1", "ours ÷ peer 1b, 256 connections", 3.33, 5, false]);
  expect(judged).toHaveLength(4 + 1 + 2 + 2);
});

test("CPU is judged by that of peer 2: of all processes, and of the one that is in line", () => {
  const series = new HoldSeries();
  const ours = runOf({ cpuMicrosPerRequest: OURS });
  const theirs = runOf({ cpuMicrosPerRequest: THEIRS });
  for (const connections of [32, 256] as const) {
    series.add("spread", connections, ours);
    series.add("peer 2", connections, theirs);
  }
  const judged = verdictsOf(series).filter(({ name }) => name !== "T1");
  expect(judged.map((verdict) => [verdict.name, verdict.measured, isMet(verdict)])).toEqual([
    ["T1w", 0.75, false],
    ["T4", 1.125, true],
    ["T4", 1.125, false],
  ]);
});

test("each number of connections is a group, held against peer 2 where that was measured", () => {
  const groups = seriesOf({ "peer 2": 2_500, hot: 2_000, spread: 3_000 }).groups;
  expect(groups.map(({ id, baseline }) => [id, baseline])).toEqual([
    ["32", "peer 2"],
    ["256", "peer 2"],
  ]);
  expect(groups[0]!.lines.map(({ name }) => name)).toEqual(["ours spread", "ours hot", "peer 2"]);
  expect(seriesOf({ spread: 3_000 }).groups[0]!.baseline).toBeNull();
});

test("peers take part in the first rounds, and peer 2 in all of them", () => {
  expect([0, 1, 2].map((round) => contendersOf(round, true).length)).toEqual([5, 4, 3]);
  expect(contendersOf(0, false)).toEqual(["spread", "hot"]);
});
