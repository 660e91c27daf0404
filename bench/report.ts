/** From the runs of a series to the line it is kept and shown as. */
import { type Run, totalOf } from "./measure.ts";
import type { FigureName, Group, Line } from "./result.ts";
import { type Summary, summarize } from "./stats.ts";

/** The runs of one series. */
export interface Series {
  readonly name: string;
  readonly runs: readonly Run[];
}

/** The median of one figure over the runs of a series. */
export function medianOf(series: Series, figure: (run: Run) => number): number {
  return summarize(series.runs.map(figure)).median;
}

const FIGURES_OF_A_RUN: Readonly<Partial<Record<FigureName, (run: Run) => number | null>>> = {
  speed: (run) => run.requestsPerSecond,
  p50Ms: (run) => run.p50Ms,
  p90Ms: (run) => run.p90Ms,
  p99Ms: (run) => run.p99Ms,
  p999Ms: (run) => run.p999Ms,
  cpuMicros: (run) => totalOf(run.cpuMicrosPerRequest),
  rssMb: (run) => run.rssBytes / 1e6,
  groupSize: (run) => run.groupSize,
  generatorMicros: (run) => run.generatorCpuMicros,
  othersPercent: (run) => run.strangersShare * 100,
};

/** Median CPU of each process that takes a microsecond or more, the costliest first. */
function cpuByProcess(series: Series): Record<string, number> {
  const names = new Set(series.runs.flatMap((run) => Object.keys(run.cpuMicrosPerRequest)));
  const medians = [...names].map((name): [string, number] => [
    name,
    medianOf(series, (run) => run.cpuMicrosPerRequest[name] ?? 0),
  ]);
  const counting = medians.filter(([, micros]) => micros >= 1).sort((a, b) => b[1] - a[1]);
  return Object.fromEntries(counting);
}

/** Figures of one series; those that not every run has are left out. */
export function figuresOf<R>(
  runs: readonly R[],
  readers: Readonly<Partial<Record<FigureName, (run: R) => number | null>>>,
): Line["figures"] {
  const figures: Partial<Record<FigureName, Summary>> = {};
  for (const [name, read] of Object.entries(readers) as [FigureName, (run: R) => number | null][]) {
    const values = runs.map(read).filter((value) => value !== null);
    if (values.length === runs.length) figures[name] = summarize(values);
  }
  return figures;
}

function lineOf(series: Series): Line {
  const { name, runs } = series;
  const figures = figuresOf(runs, FIGURES_OF_A_RUN);
  return { name, runs: runs.length, figures, cpuByProcess: cpuByProcess(series) };
}

/** Series that took turns, as a group; a baseline that was not measured is none. */
export function groupOf(
  about: Pick<Group, "id" | "title" | "compares" | "baseline">,
  all: readonly Series[],
): Group {
  const hasBaseline = all.some(({ name }) => name === about.baseline);
  return { ...about, baseline: hasBaseline ? about.baseline : null, lines: all.map(lineOf) };
}
