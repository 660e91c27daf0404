/**
 * The pages that are made of the results: `RESULTS.md` with the targets and the main figures, and
 * `notes/figures.md` with every table.
 */
import { CATALOGUE, PARTS, type Part } from "./catalogue.ts";
import { chartsOf } from "./charts.ts";
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

const MADE = "<!-- Made by `npm run bench` of results.json: change bench/page.ts instead. -->";

const INTRO = `Compare figures only within one run on one machine: [method](notes/method.md). A missed target is published as missed. [Load testing](../src/publish/docs/guides/load-testing.md) explains how to measure and how to read the figures.

\`\`\`
npm run bench                               # everything but the peers
npm run bench -- --only holds --peers       # decides T1 to T4
npm run bench -- --only flow --before DIR   # decides T10: DIR is an earlier checkout
npm run bench -- --only search --peers      # decides R1 to R5
npm run bench -- --only pages               # decides the budgets of pages
npm run bench -- --only scale               # decides the targets of several machines
npm run bench -- --peers --full             # also with 10 M keys; an hour, 30 GB
\`\`\`

Peers: **1b** is Fastify and PostgreSQL with one PL/pgSQL call per hold (1a: with one interactive transaction), **2** is Bun.serve and one Redis script per hold with \`appendfsync always\`. All sides sync before they answer.`;

const NOTES = `All figures with ranges, percentiles, memory and CPU by process are in [notes/figures.md](notes/figures.md). What the figures mean, why targets are missed and what was tried: [targets](notes/targets.md), [steps and their gain](notes/gains.md), [reads](notes/reads.md), [search](notes/search.md), [holds](notes/holds.md), [stalls](notes/stalls.md), [pages](notes/pages.md), [webhooks](notes/webhooks.md), [feeds](notes/feeds.md), [several machines](notes/scale.md), [drills](notes/drills.md).`;

/** The groups whose lines are the main figures, and the charts beside them. */
const MAIN: readonly (readonly [Part, group: string])[] = [
  ...([
    ["holds", "32"],
    ["holds", "256"],
    ["flow", "flow"],
  ] as const),
  ...([
    ["search", "20"],
    ["reads", "offers"],
    ["reads", "property"],
  ] as const),
];
const MAIN_CHARTS = ["holds-ratios.svg", "holds-cpu.svg"];

/** The notes of each part that has some. */
const NOTED: readonly Part[] = [
  ...(["reads", "search", "holds", "stalls", "pages", "webhooks", "feeds", "scale"] as const),
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Names and words to the left, numbers to the right.
  const isNumber = (i: number) => rows.every((cells) => /^[\d.,]*$/.test(cells[i] ?? ""));
  const rule = head.map((_, i) => (i > 0 && isNumber(i) ? "---:" : "---"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The engine alone has no runs of `BENCH_SECONDS`. */
function takenLine({ part, taken }: Section): string {
  const { day, version, command, seconds, machine } = taken;
  const line = `Taken ${day}, version ${version}, by \`${command}\`, on ${machine.join("; ")}.`;
  return [line, ...(part === "core" ? [] : remarkOn(seconds))].join(" ");
}

/** Each way to measure once, with the parts that were measured by it. */
function takenLines(sections: readonly Section[]): string {
  const parts = Map.groupBy(sections, takenLine);
  return [...parts].map(([line, all]) => `- ${namesOf(all)}. ${line}`).join("\n");
}

const namesOf = (sections: readonly Section[]) =>
  sections.map(({ part }) => CATALOGUE[part].title).join(", ");

function figureCell({ figures, runs }: Line, name: FigureName, hasRange = false): string {
  const summary = figures[name];
  if (summary === undefined) return "";
  const { digits } = FIGURES[name];
  const range = `${shown(summary.min, digits)}–${shown(summary.max, digits)}`;
  const median = shown(summary.median, digits);
  return hasRange && runs > 1 ? `${median} (${range})` : median;
}

/** As headings begin. */
const capitalized = (title: string) => `${title[0]!.toUpperCase()}${title.slice(1)}`;

const cpuCell = ({ cpuByProcess }: Line) =>
  Object.entries(cpuByProcess)
    .map(([name, micros]) => `${name} ${shown(micros, 0)}`)
    .join(", ");

function groupBlock(group: Group): string {
  const { title, compares, lines } = group;
  const names = (Object.keys(FIGURES) as FigureName[]).filter(
    (name) => name !== compares && lines.some(({ figures }) => figures[name] !== undefined),
  );
  const ratios = ratiosOf(group).map((ratio) => (lines.length > 1 ? [shownRoughly(ratio)] : []));
  const hasProcesses = lines.some(({ cpuByProcess }) => Object.keys(cpuByProcess).length > 0);
  const head = [
    ...["series", `${FIGURES[compares].title} (min–max)`],
    ...(lines.length > 1 ? [`÷ ${baselineOf(group).name}`] : []),
    ...names.map((name) => FIGURES[name].title),
    ...(hasProcesses ? ["CPU µs by process"] : []),
  ];
  const rows = lines.map((line, i) => [
    ...[line.name, figureCell(line, compares, true), ...ratios[i]!],
    ...names.map((name) => figureCell(line, name)),
    ...(hasProcesses ? [cpuCell(line)] : []),
  ]);
  return `### ${capitalized(title)}\n\n${table(head, rows)}`;
}

function mainTable(sections: readonly Section[]): string[] {
  const rows = MAIN.flatMap(([part, id]) => {
    const group = sections.find((section) => section.part === part)?.groups.find(byId(id));
    return (group?.lines ?? []).map((line, i) => [
      ...[i === 0 ? capitalized(group!.title) : "", line.name],
      ...(["speed", "p50Ms", "p99Ms", "cpuMicros"] as const).map((name) => figureCell(line, name)),
    ]);
  });
  const head = ["", "series", "req/s", "p50 ms", "p99 ms", "CPU µs/req"];
  return rows.length > 0 ? ["## Main figures", table(head, rows)] : [];
}

const byId = (id: string) => (group: Group) => group.id === id;

function targetTable(sections: readonly Section[]): string[] {
  const rows = sections.flatMap(({ verdicts }) =>
    verdicts.map((verdict) => [
      ...[verdict.name, verdict.text, wantedOf(verdict), shownRoughly(verdict.measured)],
      isMet(verdict) ? "met" : "**missed**",
    ]),
  );
  return rows.length > 0
    ? ["## Targets", table(["", "target", "wanted", "measured", ""], rows)]
    : [];
}

const pageOf = (blocks: readonly string[]) => `${[MADE, ...blocks].join("\n\n")}\n`;

/** `RESULTS.md`, in Markdown. */
export function resultsPage({ sections }: Results): string {
  const charts = sections.flatMap(chartsOf).filter(({ file }) => MAIN_CHARTS.includes(file));
  return pageOf([
    ...["# Results", INTRO, takenLines(sections)],
    ...mainTable(sections),
    ...charts.map(({ file, title }) => `![${title}](charts/${file})`),
    ...targetTable(sections),
    ...["## Notes", NOTES],
  ]);
}

/** `notes/figures.md`, in Markdown. */
export function figuresPage({ sections }: Results): string {
  const byPart = PARTS.flatMap((part) => sections.filter((section) => section.part === part));
  return pageOf([
    ...["# All figures", "The targets and the main figures are in [RESULTS.md](../RESULTS.md)."],
    ...byPart.flatMap((section) => [
      `## ${CATALOGUE[section.part].title}\n\n${CATALOGUE[section.part].asks}`,
      takenLine(section),
      ...(NOTED.includes(section.part) ? [`[Notes](${section.part}.md).`] : []),
      ...chartsOf(section).map(({ file, title }) => `![${title}](../charts/${file})`),
      ...section.groups.map(groupBlock),
      ...(section.remarks.length > 0
        ? [`Remarks:\n\n${section.remarks.map((remark) => `- ${remark}`).join("\n")}`]
        : []),
    ]),
  ]);
}
