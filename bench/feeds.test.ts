/** Goal: builds are judged by their medians, in the units of the targets. */
import { expect, test } from "bun:test";
import { buildTable } from "./feed-builds.ts";
import type { Built } from "./feed-worker.ts";
import { feedVerdicts } from "./feeds.ts";
import { runOf } from "./test-run.ts";

function builds(name: string, ...terms: readonly Partial<Built>[]) {
  const one = { bytes: 90e6, itineraries: 21_000, bundles: 250_000, seconds: 1, cpuSeconds: 1 };
  const memory = { growthBytes: 40e6, peakRssBytes: 150e6 };
  return { name, runs: terms.map((each): Built => ({ ...one, ...memory, ...each })) };
}

function series(...perSecond: readonly number[]) {
  return { name: "", runs: perSecond.map((requestsPerSecond) => runOf({ requestsPerSecond })) };
}

test("feeds are judged by the medians of builds, of what is served and of holds", () => {
  const own = builds("own", { seconds: 1 }, { seconds: 2 }, { seconds: 1.5 });
  const whole = builds("whole", { growthBytes: 70e6 });
  const verdicts = feedVerdicts({
    builds: [{ own, whole, libraries: [] }],
    served: new Map([["not modified", series(2_100, 2_500, 1_900)]]),
    holds: { quiet: series(1_000, 1_200, 1_000), building: series(800) },
  });
  expect(verdicts.map(({ text, measured, bound }) => [text, measured, bound])).toEqual([
    ["MB/s, own", 60, "at least"],
    ["MB of growth, own", 40, "at most"],
    ["MB of growth, whole", 70, "at most"],
    ["answers a second that a stored feed has not changed", 2_100, "at least"],
    ["holds a second while feeds are built ÷ quiet", 0.8, "at least"],
  ]);
});

test("a build is one line; rates a second are shown only where they were priced", () => {
  const line = (terms: Partial<Built>) =>
    buildTable([builds("ours", terms)])
      .split("\n")
      .at(-1)!;
  expect(line({})).toBe("| ours | 90 | 90.0 (90.0–90.0) | 21000 | 250000 | 47.6 | 150 | 40 |");
  expect(line({ bundles: null })).toContain("| 21000 |  | 47.6 |");
});
