import { expect, test } from "bun:test";
import { HoldSeries, ratioLines, verdictsOf } from "./hold-series.ts";
import { verdictLine } from "./report.ts";
import { runOf } from "./test-run.ts";

function seriesOf(speeds: { readonly [contender: string]: number }): HoldSeries {
  const series = new HoldSeries();
  for (const [contender, requestsPerSecond] of Object.entries(speeds)) {
    const run = runOf({ requestsPerSecond });
    for (const connections of [32, 256] as const) {
      series.add(contender as "spread" | "peer 2", connections, run);
    }
  }
  return series;
}

test("the ratios against peer 2 come in a form that a program can read", () => {
  const series = seriesOf({ spread: 3_000, "peer 2": 2_000 });
  series.add("spread", 256, runOf({ requestsPerSecond: 5_000 }));
  expect(ratioLines(series)).toEqual(["holds_32_ratio=1.500", "holds_256_ratio=2.000"]);
});

test("without peer 2 there is no ratio and no T1", () => {
  const series = seriesOf({ spread: 3_000, hot: 3_000 });
  expect(ratioLines(series)).toEqual([]);
  expect(verdictsOf(series).map(({ name }) => name)).toEqual(["T3", "T4", "T3", "T4"]);
});

test("every target that was measured is judged", () => {
  const lines = verdictsOf(seriesOf({ spread: 3_000, hot: 2_000, "peer 2": 2_500, "peer 1b": 900 }))
    .map(verdictLine)
    .join("\n");
  expect(lines).toContain("T1 ours ÷ peer 2, 32 connections: 1.20, at least 1: met");
  expect(lines).toContain("T1 ours ÷ peer 2, 256 connections: 1.20, at least 1.5: missed");
  expect(lines).toContain("T1 ours ÷ peer 1b, 32 connections: 3.33, at least 3: met");
  expect(lines).toContain("T3 hot ÷ spread, 32 connections: 0.667, at least 0.9: missed");
  expect(lines).toContain("T4 CPU µs per hold, 256 connections: 30.0, at most 100: met");
});
