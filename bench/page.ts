/** `RESULTS.md`: the figures that are kept, with the charts and the prose of `notes/`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOGUE, PARTS, type Part } from "./catalogue.ts";
import { chartsOf } from "./charts.ts";
import { readGains } from "./gains.ts";
import {
  baselineOf,
  FIGURES,
  type FigureName,
  type Group,
  isMet,
  type Line,
  type Results,
  ratiosOf,
  type Section,
  shown,
  shownRoughly,
  wantedOf,
} from "./result.ts";
import { remarkOn } from "./timing.ts";

const NOTES = join(import.meta.dir, "notes");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Names and words to the left, numbers to the right.
  const isNumber = (i: number) => rows.every((cells) => /^[\d.,]*$/.test(cells[i] ?? ""));
  const rule = head.map((_, i) => (i > 0 && isNumber(i) ? "---:" : "---"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function noteOf(name: string): string[] {
  const path = join(NOTES, `${name}.md`);
  return existsSync(path) ? [readFileSync(path, "utf8").trim()] : [];
}

/** The engine alone has no runs of so many seconds. */
function takenLine({ part, taken }: Section): string {
  const { day, version, command, seconds, machine } = taken;
  const line = `Taken ${day}, version ${version}, by \`${command}\`, on ${machine.join("; ")}.`;
  return [line, ...(part === "core" ? [] : remarkOn(seconds))].join(" ");
}

function figureCell({ figures, runs }: Line, name: FigureName, isCompared: boolean): string {
  const summary = figures[name];
  if (summary === undefined) return "";
  const { digits } = FIGURES[name];
  const [median, min, max] = [summary.median, summary.min, summary.max].map((value) =>
    shown(value, digits),
  );
  return isCompared && runs > 1 ? `${median} (${min}–${max})` : median!;
}

function cpuCell({ cpuByProcess }: Line): string {
  return Object.entries(cpuByProcess)
    .map(([name, micros]) => `${name} ${shown(micros, 0)}`)
    .join(", ");
}

function groupBlock(group: Group): string {
  const { title, compares, lines } = group;
  const ratios = ratiosOf(group);
  const names = (Object.keys(FIGURES) as FigureName[]).filter(
    (name) => name !== compares && lines.some(({ figures }) => figures[name] !== undefined),
  );
  const hasProcesses = lines.some(({ cpuByProcess }) => Object.keys(cpuByProcess).length > 0);
  const hasRatio = lines.length > 1;
  const head = [
    "series",
    `${FIGURES[compares].title} (min–max)`,
    ...(hasRatio ? [`÷ ${baselineOf(group).name}`] : []),
    ...names.map((name) => FIGURES[name].title),
    ...(hasProcesses ? ["CPU µs by process"] : []),
  ];
  const rows = lines.map((line, i) => [
    line.name,
    figureCell(line, compares, true),
    ...(hasRatio ? [shownRoughly(ratios[i]!)] : []),
    ...names.map((name) => figureCell(line, name, false)),
    ...(hasProcesses ? [cpuCell(line)] : []),
  ]);
  return `### ${capitalized(title)}\n\n${table(head, rows)}`;
}

/** As headings begin. */
const capitalized = (title: string) => `${title[0]!.toUpperCase()}${title.slice(1)}`;

function targetTable(sections: readonly Section[]): string[] {
  const rows = sections.flatMap(({ taken, verdicts }) =>
    verdicts.map((verdict) => [
      verdict.name,
      verdict.text,
      wantedOf(verdict),
      shownRoughly(verdict.measured),
      isMet(verdict) ? "met" : "**missed**",
      taken.day,
    ]),
  );
  return rows.length > 0 ? [table(["", "target", "wanted", "measured", "", "taken"], rows)] : [];
}

function gainTable(): string {
  const rows = readGains().map(({ step, figure, before, after }) => {
    return [step, figure, ...[before, after, after / before].map(shownRoughly)];
  });
  return table(["step", "figure", "before", "after", "ratio"], rows);
}

function sectionBlocks(part: Part, section: Section | undefined): string[] {
  const heading = `## ${CATALOGUE[part].title}\n\n${CATALOGUE[part].asks}`;
  if (section === undefined) return [heading, "Not measured yet.", ...noteOf(part)];
  const images = chartsOf(section).map(({ file, title }) => `![${title}](charts/${file})`);
  const remarks = section.remarks.map((remark) => `- ${remark}`).join("\n");
  return [
    heading,
    takenLine(section),
    ...images,
    ...section.groups.map(groupBlock),
    ...(remarks === "" ? [] : [`Remarks:\n\n${remarks}`]),
    ...noteOf(part),
  ];
}

/** The whole page, in Markdown. */
export function resultsPage({ sections }: Results): string {
  const blocks = [
    "<!-- Made by `npm run bench` of results.json and notes/: change those. -->",
    "# Results",
    ...noteOf("method"),
    "## Targets",
    ...targetTable(sections),
    ...noteOf("targets"),
    "## Steps and their gain",
    ...noteOf("gains"),
    gainTable(),
    ...PARTS.flatMap((part) =>
      sectionBlocks(
        part,
        sections.find((section) => section.part === part),
      ),
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}
