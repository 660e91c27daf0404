/** The results, in the form in which they are kept, compared, printed and drawn. */
import type { Part } from "./catalogue.ts";

/** The median of the runs of a series and the range they fell into. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

interface FigureEntry {
  /** Head of its column, with the unit. */
  readonly title: string;
  /** Where there is less room. */
  readonly short?: string;
  readonly digits: number;
  readonly better: "higher" | "lower" | null;
}

const ENTRIES = {
  speed: { title: "req/s", digits: 0, better: "higher" },
  p50Ms: { title: "p50 ms", digits: 2, better: "lower" },
  p90Ms: { title: "p90 ms", digits: 2, better: "lower" },
  p99Ms: { title: "p99 ms", digits: 2, better: "lower" },
  p999Ms: { title: "p99.9 ms", digits: 2, better: "lower" },
  cpuMicros: { title: "CPU µs/req", digits: 0, better: "lower" },
  callMicros: { title: "CPU µs", digits: 2, better: "lower" },
  startSeconds: { title: "start s", digits: 2, better: "lower" },
  rssMb: { title: "RSS MB", digits: 0, better: "lower" },
  workerPeakMb: { title: "worker, peak MB", digits: 0, better: "lower" },
  groupSize: { title: "group", digits: 1, better: null },
  generatorMicros: { title: "generator µs/req", digits: 0, better: null },
  othersPercent: { title: "others' CPU %", digits: 0, better: null },
  megabytesPerSecond: { title: "MB/s", digits: 1, better: "higher" },
  megabytes: { title: "MB", digits: 0, better: null },
  itinerariesPerSecond: { title: "itineraries/s", digits: 0, better: "higher" },
  ratesPerSecond: { title: "rates/s", digits: 0, better: "higher" },
  cpuMsPerThousand: {
    ...{ title: "CPU ms/1,000 itineraries", short: "CPU ms/1,000" },
    ...{ digits: 1, better: "lower" },
  },
  peakRssMb: { title: "peak RSS MB", digits: 0, better: "lower" },
  kilobytes: { title: "KB", digits: 1, better: "lower" },
  requests: { title: "requests", digits: 0, better: "lower" },
  lcpMs: { title: "largest paint ms", digits: 0, better: "lower" },
  shift: { title: "layout shift", digits: 3, better: "lower" },
  inpMs: { title: "key to paint ms", digits: 0, better: "lower" },
  drills: { title: "drills", digits: 0, better: null },
  lost: { title: "lost", digits: 0, better: "lower" },
  growthMb: { title: "growth MB", digits: 0, better: "lower" },
} as const satisfies Readonly<Record<string, FigureEntry>>;

export type FigureName = keyof typeof ENTRIES;
export const FIGURES: Readonly<Record<FigureName, FigureEntry>> = ENTRIES;

/** One series: every figure as the median of its runs and their range. */
export interface Line {
  readonly name: string;
  readonly runs: number;
  readonly figures: Readonly<Partial<Record<FigureName, Summary>>>;
  /** Median CPU of each process, microseconds per request, the costliest first. */
  readonly cpuByProcess: Readonly<Record<string, number>>;
}

/** Series that were measured in turns, so that they can be compared. */
export interface Group {
  /** Of its charts; unique within a section. */
  readonly id: string;
  readonly title: string;
  /** By which its lines are compared. */
  readonly compares: FigureName;
  /** The line that the others are compared with; null for the best one. */
  readonly baseline: string | null;
  readonly lines: readonly Line[];
}

/** A target of the project and what was measured against it. */
export interface Verdict {
  readonly name: string;
  readonly text: string;
  readonly measured: number;
  readonly target: number;
  /** Beyond the target. */
  readonly goal?: number;
  /** Whether the figure may be at most, or must be at least, the target. */
  readonly bound: "at most" | "at least";
}

/** When, how and on what a section was measured. */
export interface Taken {
  /** Day, as `2026-11-22`. */
  readonly day: string;
  readonly version: string;
  readonly command: string;
  /** Measured length of a run. */
  readonly seconds: number;
  /** Processor, disk and versions; one line each. */
  readonly machine: readonly string[];
}

/** The results of one part. */
export interface Section {
  readonly part: Part;
  readonly taken: Taken;
  /** Whether nothing was left out: a part measured by halves must not replace a whole one. */
  readonly isWhole: boolean;
  readonly groups: readonly Group[];
  readonly verdicts: readonly Verdict[];
  /** Other facts of the runs, one sentence each. */
  readonly remarks: readonly string[];
}

/** All sections, in the order of the catalogue. */
export interface Results {
  readonly sections: readonly Section[];
}

/** Whether a target was reached; a figure on its bound has. */
export function isMet({ measured, target, bound }: Verdict): boolean {
  return bound === "at most" ? measured <= target : measured >= target;
}

const SIGNS = { "at least": "≥", "at most": "≤" } as const;

/** `≥ 0.75 (goal 1)`. */
export function wantedOf({ bound, target, goal }: Verdict): string {
  const beyond = goal === undefined ? "" : ` (goal ${shownRoughly(goal)})`;
  return `${SIGNS[bound]} ${shownRoughly(target)}${beyond}`;
}

/** What was measured ÷ what was asked for, turned so that 1 and more is met. */
export function shareOfTarget({ measured, target, bound }: Verdict): number {
  // Nothing was asked for and nothing was there, such as a shift of the layout.
  if (measured === target) return 1;
  return bound === "at most" ? target / measured : measured / target;
}

/** The median of what a group compares, for one of its lines. */
export function comparedOf({ compares }: Group, { name, figures }: Line): number {
  const summary = figures[compares];
  if (summary === undefined) throw new Error(`${name} has no ${compares}`);
  return summary.median;
}

/** The line that the others are compared with. Throws when the group has no such line. */
export function baselineOf(group: Group): Line {
  const { lines, baseline, compares } = group;
  const sign = FIGURES[compares].better === "lower" ? 1 : -1;
  const found =
    baseline === null
      ? lines.toSorted((a, b) => sign * (comparedOf(group, a) - comparedOf(group, b)))[0]
      : lines.find(({ name }) => name === baseline);
  if (found === undefined) throw new Error(`${group.title} has no line ${baseline}`);
  return found;
}

/** Each line's figure ÷ that of the baseline. */
export function ratiosOf(group: Group): number[] {
  const base = comparedOf(group, baselineOf(group));
  return group.lines.map((line) => comparedOf(group, line) / base);
}

/** A number with separators, as `30,100` or `0.92`. */
export function shown(value: number, digits: number): string {
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A ratio or a figure of unknown size: three digits that count. */
export function shownRoughly(value: number): string {
  if (Math.abs(value) >= 100) return shown(value, 0);
  return Number(value.toPrecision(3)).toString();
}
