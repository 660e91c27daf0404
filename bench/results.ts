/**
 * What is kept of the benchmarks: `results.json` has the figures of every part since it was last
 * measured, and everything that is read is made from it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PARTS } from "./catalogue.ts";
import { chartsOf } from "./charts.ts";
import { resultsPage } from "./page.ts";
import type { Results, Section } from "./result.ts";

const FILE = "results.json";
const PAGE = "RESULTS.md";
const CHARTS = "charts";

/** The figures of a directory; none where nothing was measured yet. */
export function readResults(directory: string): Results {
  const path = join(directory, FILE);
  if (!existsSync(path)) return { sections: [] };
  return JSON.parse(readFileSync(path, "utf8")) as Results;
}

/** Puts a section in the place of the one that was there; null when that one is worth more. */
export function withSection({ sections }: Results, section: Section): Results | null {
  const earlier = sections.find(({ part }) => part === section.part);
  if (earlier?.isWhole && !section.isWhole) return null;
  const others = sections.filter(({ part }) => part !== section.part);
  const place = (each: Section) => PARTS.indexOf(each.part);
  return { sections: [...others, section].sort((a, b) => place(a) - place(b)) };
}

/** Figures of six digits, and a line for whatever has no parts of its own: for people and diffs. */
function textOf(results: Results): string {
  const short = (_key: string, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(6)) : value;
  const text = JSON.stringify(results, short, 1);
  return `${text.replace(/\{[^[\]{}]*\}/g, (leaf) => leaf.replace(/\s+/g, " "))}\n`;
}

/**
 * Keeps what a part came to, and makes page and charts anew. Tells whether it did: a part that was
 * measured by halves never replaces a whole one.
 */
export function keep(directory: string, section: Section): boolean {
  const results = withSection(readResults(directory), section);
  if (results === null) return false;
  writeFileSync(join(directory, FILE), textOf(results));
  draw(directory);
  return true;
}

/** Makes `RESULTS.md` and the charts of the figures that are kept; what they do not need goes. */
export function draw(directory: string): void {
  const results = readResults(directory);
  const charts = join(directory, CHARTS);
  mkdirSync(charts, { recursive: true });
  const drawn = new Map(results.sections.flatMap(chartsOf).map(({ file, svg }) => [file, svg]));
  for (const name of readdirSync(charts)) {
    if (name.endsWith(".svg") && !drawn.has(name)) rmSync(join(charts, name));
  }
  for (const [name, svg] of drawn) writeFileSync(join(charts, name), svg);
  writeFileSync(join(directory, PAGE), resultsPage(results));
}
