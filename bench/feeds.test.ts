/** Goal: builds are judged by their medians, in the units of the targets. */
import { expect, test } from "bun:test";
import { buildTable } from "./feed-builds.ts";
import type { Built } from "./feed-worker.ts";
import { feedVerdicts } from "./feeds.ts";

function builds(name: string, ...terms: readonly Partial<Built>[]) {
  const one = { bytes: 90e6, itineraries: 21_000, bundles: 250_000, seconds: 1, cpuSeconds: 1 };
  const memory = { growthBytes: 40e6, peakRssBytes: 150e6 };
  return { name, runs: terms.map((each): Built => ({ ...one, ...memory, ...each })) };
}

test("speed and growth of each size have a verdict", () => {
  const own = builds("own", { seconds: 1 }, { seconds: 2 }, { seconds: 1.5 });
  const whole = builds("whole", { growthBytes: 70e6 });
  const verdicts = feedVerdicts({ builds: [{ own, whole, libraries: [] }] });
  expect(verdicts.map(({ text, measured, bound }) => [text, measured, bound])).toEqual([
    ["MB/s, own", 60, "at least"],
    ["MB of growth, own", 40, "at most"],
    ["MB of growth, whole", 70, "at most"],
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
