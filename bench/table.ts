/** Figures for a terminal: aligned, with bars, in 100 columns. */
import type { Paint } from "../src/lib/terminal.ts";
import { CATALOGUE, wrap } from "./catalogue.ts";
import {
  baselineOf,
  FIGURES,
  type FigureName,
  type Group,
  isMet,
  type Line,
  ratiosOf,
  type Section,
  shareOfTarget,
  shown,
  shownRoughly,
  type Verdict,
  wantedOf,
} from "./result.ts";

const COLUMNS = 100;
const GAP = "  ";
const BAR_CELLS = 10;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/** Shown beside the compared figure, as far as the lines have them. */
const BESIDE: readonly FigureName[] = [
  "p50Ms",
  "p99Ms",
  "cpuMicros",
  "startSeconds",
  "cpuMsPerThousand",
  "growthMb",
  "drills",
  "lost",
  "requests",
  "shift",
];

/** `share` of the cells, 0 to 1, in steps of an eighth of a cell. */
export function bar(share: number, cells: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * cells * 8);
  return ("█".repeat(eighths >> 3) + EIGHTHS[eighths & 7]).padEnd(cells);
}

interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  readonly isLeft?: boolean;
}

const widthOf = (text: string) => [...text].length;

/** Lays out columns; the first one is broken between words to what the others leave. */
function aligned(columns: readonly Column[], paint: Paint): string[] {
  const [names, ...others] = columns as [Column, ...Column[]];
  const widths = others.map(({ head, cells }) => Math.max(...[head, ...cells].map(widthOf)));
  const taken = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const longest = Math.max(...[names.head, ...names.cells].map(widthOf));
  const width = Math.min(longest, COLUMNS - taken);
  const rowOf = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const space = " ".repeat(widths[i]! - widthOf(cell));
        return GAP + (others[i]!.isLeft ? cell + space : space + cell);
      })
      .join("");
  const head = `${names.head.padEnd(width)}${rowOf(others.map((column) => column.head))}`;
  const rows = names.cells.flatMap((name, i) => {
    const [first = "", ...rest] = wrap(name, width);
    const row = `${first.padEnd(width)}${rowOf(others.map(({ cells }) => cells[i]!))}`;
    return [row.trimEnd(), ...rest.map((line) => `  ${line}`)];
  });
  return [paint.dim(head.trimEnd()), ...rows];
}

/** `5,313–6,660`; nothing for a single run, which has no range. */
function spread({ figures, runs }: Line, name: FigureName): string {
  const summary = figures[name];
  if (summary === undefined || runs === 1) return "";
  const { digits } = FIGURES[name];
  return `${shown(summary.min, digits)}–${shown(summary.max, digits)}`;
}

function figureColumn({ lines }: Group, name: FigureName): Column {
  const { title, short = title, digits } = FIGURES[name];
  const cells = lines.map(({ figures }) => {
    const summary = figures[name];
    return summary === undefined ? "" : shown(summary.median, digits);
  });
  return { head: short, cells };
}

function groupTable(group: Group, paint: Paint): string[] {
  const { title, compares, baseline, lines } = group;
  const ratios = ratiosOf(group);
  const largest = Math.max(1, ...ratios);
  const known = (name: FigureName) => lines.some(({ figures }) => figures[name] !== undefined);
  const beside = BESIDE.filter((name) => name !== compares && known(name));
  const columns: Column[] = [
    { head: "series", cells: lines.map(({ name }) => name) },
    figureColumn(group, compares),
  ];
  const spreads = lines.map((line) => spread(line, compares));
  if (spreads.some((cell) => cell !== "")) columns.push({ head: "min–max", cells: spreads });
  if (lines.length > 1) {
    const bars = ratios.map((ratio) => bar(ratio / largest, BAR_CELLS));
    columns.push({ head: "ratio", cells: ratios.map(shownRoughly) });
    columns.push({ head: "", cells: bars, isLeft: true });
  }
  columns.push(...beside.map((name) => figureColumn(group, name)));
  const base = baseline === null ? "the best" : `"${baselineOf(group).name}"`;
  const note = lines.length > 1 ? `ratio: ${FIGURES[compares].title} ÷ ${base}` : "";
  const heading = [title, ...(note === "" ? [] : [paint.dim(note)])].join("\n");
  return [heading, ...aligned(columns, paint)];
}

function verdictTable(verdicts: readonly Verdict[], paint: Paint): string[] {
  const columns: Column[] = [
    { head: "target", cells: verdicts.map(({ name, text }) => `${name}: ${text}`) },
    { head: "measured", cells: verdicts.map(({ measured }) => shownRoughly(measured)) },
    { head: "wanted", cells: verdicts.map(wantedOf), isLeft: true },
    {
      head: "of target",
      cells: verdicts.map((verdict) => bar(shareOfTarget(verdict), BAR_CELLS)),
      isLeft: true,
    },
    { head: "", cells: verdicts.map((each) => (isMet(each) ? "met" : "missed")), isLeft: true },
  ];
  return aligned(columns, paint).map((line) =>
    line.replace(/(met)$/, (word) => paint.green(word)).replace(/(missed)$/, (w) => paint.red(w)),
  );
}

/** Everything that a run has measured. */
export function tablesOf(sections: readonly Section[], paint: Paint): string {
  const blocks = sections.flatMap(({ part, groups, remarks }) =>
    groups.length === 0
      ? []
      : [
          `── ${CATALOGUE[part].title} ${"─".repeat(COLUMNS - CATALOGUE[part].title.length - 4)}`,
          ...groups.map((group) => groupTable(group, paint).join("\n")),
          ...(remarks.length > 0
            ? [remarks.flatMap((each) => wrap(each, COLUMNS)).join("\n")]
            : []),
        ],
  );
  const verdicts = sections.flatMap((section) => section.verdicts);
  if (verdicts.length > 0) {
    const title = "── Targets ";
    blocks.push(title.padEnd(COLUMNS, "─"), verdictTable(verdicts, paint).join("\n"));
  }
  return blocks.join("\n\n");
}
