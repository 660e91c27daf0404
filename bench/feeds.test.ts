/** Goal: builds are judged by their medians, in the units of the targets. */
import { expect, test } from "bun:test";
import { buildGroup } from "./feed-builds.ts";
import type { Built } from "./feed-worker.ts";
import { feedVerdicts } from "./feeds.ts";
import { shown } from "./result.ts";
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
    builds: [{ size: 100, own, whole, libraries: [] }],
    served: new Map([["not modified", series(2_100, 2_500, 1_900)]]),
    holds: { quiet: series(1_000, 1_200, 1_000), building: series(800) },
  });
  expect(verdicts.map(({ text, measured, bound }) => [text, measured, bound])).toEqual([
    ["MB/s, 100 properties: own", 60, "at least"],
    ["MB of growth, 100 properties: own", 40, "at most"],
    ["MB of growth, 100 properties: whole", 70, "at most"],
    ["answers a second that a stored feed has not changed", 2_100, "at least"],
    ["holds a second while feeds are built ÷ quiet", 0.8, "at least"],
  ]);
});

test("a build is a line of medians; rates a second are known only where they were priced", () => {
  const figures = (terms: Partial<Built>) => {
    const own = builds("ours", terms);
    const group = buildGroup({ size: 1_000, own, whole: builds("whole", {}), libraries: [] });
    expect(group).toMatchObject({ id: "builds-1000", baseline: "ours" });
    return group.lines[0]!.figures;
  };
  const { megabytesPerSecond, cpuMsPerThousand, ratesPerSecond, growthMb } = figures({});
  expect(megabytesPerSecond).toEqual({ median: 90, min: 90, max: 90 });
  expect([ratesPerSecond?.median, growthMb?.median]).toEqual([250_000, 40]);
  expect(shown(cpuMsPerThousand!.median, 1)).toBe("47.6");
  expect(figures({ bundles: null }).ratesPerSecond).toBeUndefined();
});
