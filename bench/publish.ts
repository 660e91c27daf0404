/**
 * The kept figures: `results.json` has those of every part since it was last measured, and the
 * pages and charts are made from it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PARTS } from "./catalogue.ts";
import { chartsOf } from "./charts.ts";
import { figuresPage, resultsPage } from "./page.ts";
import type { Results, Section } from "./result.ts";

const FILE = "results.json";

/** The figures of a directory; none where nothing was measured yet. */
export function readResults(directory: string): Results {
  const path = join(directory, FILE);
  if (!existsSync(path)) return { sections: [] };
  return JSON.parse(readFileSync(path, "utf8")) as Results;
}

/** Everything that is made of results, by its path in their directory. */
export function filesOf(results: Results): ReadonlyMap<string, string> {
  const charts = results.sections.flatMap(chartsOf);
  return new Map([
    ["RESULTS.md", resultsPage(results)],
    [join("notes", "figures.md"), figuresPage(results)],
    ...charts.map(({ file, svg }) => [join("charts", file), svg] as const),
  ]);
}

/** Figures of six digits, and one line per leaf, for people and diffs. */
function textOf(results: Results): string {
  const short = (_key: string, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(6)) : value;
  const text = JSON.stringify(results, short, 1);
  return `${text.replace(/\{[^[\]{}]*\}/g, (leaf) => leaf.replace(/\s+/g, " "))}\n`;
}

/**
 * Keeps a section in place of the earlier one, and makes pages and charts again. False when it was
 * not kept: a partial measurement never replaces a complete one.
 */
export function keep(directory: string, section: Section): boolean {
  const { sections } = readResults(directory);
  const earlier = sections.find(({ part }) => part === section.part);
  if (earlier?.isWhole && !section.isWhole) return false;
  const others = sections.filter((each) => each !== earlier);
  const place = (each: Section) => PARTS.indexOf(each.part);
  const all = [...others, section].sort((a, b) => place(a) - place(b));
  writeFileSync(join(directory, FILE), textOf({ sections: all }));
  draw(directory);
  return true;
}

/** Makes pages and charts of the kept figures, and removes charts that no figure needs. */
export function draw(directory: string): void {
  const files = filesOf(readResults(directory));
  for (const folder of ["charts", "notes"]) mkdirSync(join(directory, folder), { recursive: true });
  for (const name of readdirSync(join(directory, "charts"))) {
    const path = join("charts", name);
    if (name.endsWith(".svg") && !files.has(path)) rmSync(join(directory, path));
  }
  for (const [path, text] of files) writeFileSync(join(directory, path), text);
}
