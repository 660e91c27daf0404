/** Goal: terminal output is readable in 100 columns and without colours. */
import { expect, test } from "bun:test";
import { paintOf } from "../src/lib/terminal.ts";
import type { Section } from "./result.ts";
import { Samples, sampleOf } from "./samples.ts";
import { bar, tablesOf } from "./table.ts";
import { runOf } from "./test-run.ts";

const PLAIN = paintOf({ isTTY: false }, {});
const COLOURED = paintOf({ isTTY: true }, {});
const LONG =
  "POST /v1/holds of a very large hotel while another tenant imports ten thousand others";

function sectionOf(speeds: Readonly<Record<string, readonly number[]>>, baseline = ""): Section {
  const samples = new Samples();
  for (const [name, all] of Object.entries(speeds)) {
    for (const speed of all) {
      samples.add("a", name, sampleOf(runOf({ requestsPerSecond: speed })));
    }
  }
  const about = { id: "a", title: "holds a second", compares: "speed" } as const;
  return {
    part: "holds",
    taken: {
      day: "2026-01-02",
      version: "1.2.3",
      command: "npm run bench",
      seconds: 12,
      machine: ["a disk"],
    },
    isWhole: true,
    groups: samples.group({ ...about, baseline }),
    verdicts: [
      { name: "T1", text: "ours ÷ theirs", measured: 1.5, target: 1, goal: 2, bound: "at least" },
      { name: "T4", text: "CPU µs", measured: 30, target: 12, bound: "at most" },
    ],
    remarks: [],
  };
}

const SECTION = sectionOf({ ours: [1_500, 1_480, 1_520], theirs: [1_000] }, "theirs");

test("columns are aligned, with the range of several runs and the ratio as a bar", () => {
  const lines = tablesOf([SECTION], PLAIN).split("\n");
  const head = lines.find((line) => line.startsWith("series"))!;
  const [ours, theirs] = ["ours", "theirs"].map((name) => lines.find((l) => l.startsWith(name))!);
  expect(ours).toMatch(/^ours +1,500 +1,480–1,520 +1\.5 +██████████ +1\.00 +2\.00 +30$/);
  expect(theirs).toMatch(/^theirs +1,000 +1 +██████▋ +1\.00 +2\.00 +30$/);
  expect(new Set([head, ours, theirs].map((line) => [...line!].length)).size).toBe(1);
  expect(lines).toContain('ratio: req/s ÷ "theirs"');
});

test("no line is wider than 100 columns, however long a name is", () => {
  const wide = sectionOf({ [LONG]: [123_456_789, 987_654_321], [`${LONG} again`]: [1, 2] });
  const text = tablesOf([wide], PLAIN);
  for (const line of text.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
  expect(text.replace(/\s+/g, " ")).toContain("imports ten thousand others");
});

test("a target says in words whether it is met, without colours where they are off", () => {
  const shown = tablesOf([SECTION], PLAIN);
  expect(shown).toMatch(/^T1: ours ÷ theirs +1\.5 +≥ 1 \(goal 2\) +██████████ +met$/m);
  expect(shown).toMatch(/^T4: CPU µs +30 +≤ 12 +████ +missed$/m);
  expect(shown).not.toContain("\x1b");
  const coloured = tablesOf([SECTION], COLOURED);
  expect(coloured).toContain("\x1b[32mmet\x1b[0m");
  expect(Bun.stripANSI(coloured)).toBe(shown);
  expect(tablesOf([SECTION], paintOf({ isTTY: true }, { NO_COLOR: "1" }))).toBe(shown);
});

test("a bar is as long as its share, to an eighth of a cell, and never longer than its cells", () => {
  const shares = [0, 0.5, 0.3125, 1, 7].map((share) => bar(share, 4));
  expect(shares).toEqual(["    ", "██  ", "█▎  ", "████", "████"]);
});

test("a part without series shows only its targets", () => {
  const shown = tablesOf([{ ...SECTION, part: "core", groups: [] }], PLAIN);
  expect(shown).toStartWith("── Targets ");
});
