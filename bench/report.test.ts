import { expect, test } from "bun:test";
import { table, verdictLine } from "./report.ts";
import { runOf } from "./test-run.ts";

test("a series is one line of medians with the range of its speed", () => {
  const runs = [100, 300, 200].map((requestsPerSecond) => runOf({ requestsPerSecond }));
  const line = table([{ name: "holds", runs }])
    .split("\n")
    .at(-1)!;
  expect(line).toStartWith("| holds | 200 (100–300) |");
  expect(line).toContain("| 30 (engine 20, api 10) |");
});

test("a group size is shown only where there is an engine", () => {
  const shown = (groupSize: number | null) =>
    table([{ name: "holds", runs: [runOf({ groupSize })] }]).includes("| 12.5 |");
  expect([shown(12.5), shown(null)]).toEqual([true, false]);
});

test("a target is met on its bound and missed beyond it", () => {
  const line = (measured: number, bound: "at most" | "at least") =>
    verdictLine({ name: "T0", text: "x", measured, target: 2, bound }).split(": ").at(-1);
  expect([line(2, "at least"), line(2, "at most")]).toEqual(["met", "met"]);
  expect([line(1.9, "at least"), line(2.1, "at most")]).toEqual(["missed", "missed"]);
});
