import { expect, test } from "bun:test";
import { flowSeriesOf } from "./flow.ts";
import { runOf } from "./test-run.ts";

const of = (name: string, ...speeds: number[]) => {
  return { name, runs: speeds.map((requestsPerSecond) => runOf({ requestsPerSecond })) };
};

test("whole flows are held against those of the commit before", () => {
  const { group, verdicts, ratioLines } = flowSeriesOf([of("ours", 500, 600), of("before", 200)]);
  expect(ratioLines).toEqual(["flow_ratio=2.750"]);
  expect(verdicts).toMatchObject([{ name: "T10", measured: 2.75, target: 2, goal: 3 }]);
  expect(group.baseline).toBe("before");
});

test("flows alone have no ratio and no target", () => {
  const { group, verdicts, ratioLines } = flowSeriesOf([of("ours", 500)]);
  expect([verdicts, ratioLines, group.baseline, group.lines.length]).toEqual([[], [], null, 1]);
});
