/**
 * Goal: results are kept part by part, and page and charts are derived from them alone.
 * Method: sections in a temporary directory; the published files are compared with their figures.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import type { Part } from "./catalogue.ts";
import { chartsOf } from "./charts.ts";
import { figuresPage, resultsPage } from "./page.ts";
import { draw, filesOf, keep, readResults } from "./publish.ts";
import type { Section } from "./result.ts";
import { Samples, sampleOf } from "./samples.ts";
import { runOf } from "./test-run.ts";

function sectionOf(part: Part, day: string, over: Partial<Section> = {}): Section {
  const samples = new Samples();
  for (const [name, requestsPerSecond] of [
    ["ours spread", 3_000],
    ["peer 2", 2_000],
  ] as const) {
    for (const _ of [1, 2]) samples.add("32", name, sampleOf(runOf({ requestsPerSecond })));
  }
  const about = {
    id: "32",
    title: "holds & <more>",
    compares: "speed",
    baseline: "peer 2",
  } as const;
  return {
    ...{ part, isWhole: true, remarks: ["7 feeds built."] },
    taken: {
      day,
      version: "1.2.3",
      command: "npm run bench",
      seconds: 12,
      machine: ["2 × a processor"],
    },
    groups: samples.group(about),
    verdicts: [
      {
        ...{ name: "T1", text: "ours ÷ peer 2, 32 connections", measured: 1.5, target: 2 },
        bound: "at least",
      },
    ],
    ...over,
  };
}

function inDirectory(work: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), "bench-results-"));
  try {
    work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const daysIn = (directory: string) =>
  readResults(directory).sections.map(({ part, taken }) => [part, taken.day]);

test("a run replaces the parts it measured; the others keep their date", () =>
  inDirectory((directory) => {
    for (const part of ["flow", "holds", "reads"] as const) {
      expect(keep(directory, sectionOf(part, "2026-01-01"))).toBe(true);
    }
    keep(directory, sectionOf("holds", "2026-02-02"));
    expect(daysIn(directory)).toEqual([
      ["reads", "2026-01-01"],
      ["holds", "2026-02-02"],
      ["flow", "2026-01-01"],
    ]);
    const page = readFileSync(join(directory, "notes", "figures.md"), "utf8");
    expect(page).toContain("Taken 2026-02-02, version 1.2.3");
    expect(page.match(/Taken 2026-01-01/g)).toHaveLength(2);
  }));

test("a partly measured part never replaces a whole one", () =>
  inDirectory((directory) => {
    const half = sectionOf("holds", "2026-01-02", { isWhole: false });
    expect(keep(directory, half)).toBe(true);
    expect(keep(directory, sectionOf("holds", "2026-01-03"))).toBe(true);
    expect(keep(directory, half)).toBe(false);
    expect(daysIn(directory)).toEqual([["holds", "2026-01-03"]]);
  }));

test("charts that no figure uses are removed, and other files stay", () =>
  inDirectory((directory) => {
    keep(directory, sectionOf("holds", "2026-01-01"));
    const charts = join(directory, "charts");
    expect(readdirSync(charts).sort()).toEqual([...["holds-cpu.svg", "holds-ratios.svg"]]);
    writeFileSync(join(charts, "mine.png"), "");
    keep(directory, sectionOf("holds", "2026-01-02", { groups: [] }));
    expect(readdirSync(charts)).toEqual(["mine.png"]);
  }));

test("the pages have targets in words, tables with ranges and charts with titles", () => {
  const results = { sections: [sectionOf("holds", "2026-01-01")] };
  const page = resultsPage(results);
  expect(page).toContain("| T1 | ours ÷ peer 2, 32 connections | ≥ 2 | 1.5 | **missed** |");
  expect(page).toContain("| Holds & <more> | ours spread | 3,000 | 1.00 | 2.00 | 30 |");
  expect(page).toContain("![Holds a second: ours ÷ each peer](charts/holds-ratios.svg)");
  const figures = figuresPage(results);
  expect(figures).toContain("| ours spread | 3,000 (3,000–3,000) | 1.5 |");
  expect(figures).toContain("engine 20, api 10");
  expect(figures).toContain("![Holds a second: ours ÷ each peer](../charts/holds-ratios.svg)");
  expect(figures).toContain("- 7 feeds built.");
});

test("a chart is an image with a title and a description, for light and for dark", () => {
  const charts = chartsOf(sectionOf("holds", "2026-01-01"));
  expect(charts).toHaveLength(2);
  for (const { svg, title } of charts) {
    const parser = new XMLParser({ ignoreAttributes: false });
    const root = parser.parse(svg, true).svg;
    expect(root["@_role"]).toBe("img");
    expect(root["@_aria-labelledby"]).toBe("t d");
    expect(root.title["#text"]).toBe(title);
    expect(root.desc["#text"]).toContain("peer 2");
    expect(root.style).toContain("prefers-color-scheme:dark");
    // The background is the first thing that is drawn, and covers everything.
    expect([root.rect].flat()[0]["@_width"]).toBe(root["@_width"]);
    expect(svg).not.toMatch(/NaN|Infinity|undefined|https?:\/\/(?!www\.w3\.org)/);
  }
  expect(charts[0]!.svg).toContain("÷ peer 2, 32 connections: 1.5, missed");
});

test("the published files follow from the stored figures; no chart is missing or left over", () => {
  const files = filesOf(readResults(import.meta.dir));
  for (const [path, text] of files) {
    expect(readFileSync(join(import.meta.dir, path), "utf8")).toBe(text);
  }
  const charts = readdirSync(join(import.meta.dir, "charts")).map((name) => `charts/${name}`);
  expect(charts.filter((path) => !files.has(path))).toEqual([]);
});

test("drawing twice changes nothing", () =>
  inDirectory((directory) => {
    keep(directory, sectionOf("flow", "2026-01-01"));
    const page = readFileSync(join(directory, "RESULTS.md"), "utf8");
    draw(directory);
    expect(readFileSync(join(directory, "RESULTS.md"), "utf8")).toBe(page);
  }));
