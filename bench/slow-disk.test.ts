import { expect, test } from "bun:test";
import { isMet } from "./result.ts";
import { SlowHolds } from "./slow-disk.ts";
import { runOf } from "./test-run.ts";

test("the slow disk is judged by the ratio to peer 2 and by our own p99", () => {
  const holds = new SlowHolds();
  for (const p99Ms of [20, 30, 40]) holds.add("ours", runOf({ requestsPerSecond: 3_300, p99Ms }));
  holds.add("peer 2", runOf({ requestsPerSecond: 2_000 }));
  expect(holds.ratioLines).toEqual(["t2_ratio=1.650"]);
  expect(holds.verdicts.map((verdict) => [verdict.measured, isMet(verdict)])).toEqual([
    [1.65, true],
    [30, false],
  ]);
  expect(holds.group.lines.map(({ name, runs }) => [name, runs])).toEqual([
    ["ours", 3],
    ["peer 2", 1],
  ]);
});

test("without the peer a slow disk has no ratio, and p99 is judged all the same", () => {
  const holds = new SlowHolds();
  holds.add("ours", runOf({ p99Ms: 14 }));
  expect(holds.ratioLines).toEqual([]);
  expect(holds.verdicts.map(({ text }) => text)).toEqual([
    "p99 ms of a hold, 64 connections, slow disk",
  ]);
  expect(holds.group.baseline).toBeNull();
});
