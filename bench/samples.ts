/** The samples of a part by group and series; lines and targets are their medians. */
import type { Run } from "./measure.ts";
import type { FigureName, Group, Line, Summary, Verdict } from "./result.ts";

/** One run, one build or one process: a figure each. */
export interface Sample {
  readonly figures: Readonly<Partial<Record<FigureName, number>>>;
  /** Microseconds per request, by role or program. */
  readonly cpuByProcess?: Readonly<Record<string, number>>;
}

/** Median and range, in the unit of `values`. Throws when there are none. */
export function summarize(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error("no runs to summarize");
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  const lower = sorted[(sorted.length - 1) >> 1]!;
  return { median: (lower + upper) / 2, min: sorted[0]!, max: sorted.at(-1)! };
}

const totalOf = (parts: Readonly<Record<string, number>>) =>
  Object.values(parts).reduce((sum, value) => sum + value, 0);

/** A measured run as it is shown. */
export function sampleOf(run: Run): Sample {
  const { p50Ms, p90Ms, p99Ms, p999Ms, groupSize, cpuMicrosPerRequest } = run;
  return {
    figures: {
      speed: run.requestsPerSecond,
      ...{ p50Ms, p90Ms, p99Ms, p999Ms },
      cpuMicros: totalOf(cpuMicrosPerRequest),
      rssMb: run.rssBytes / 1e6,
      ...(groupSize === null ? {} : { groupSize }),
      generatorMicros: run.generatorCpuMicros,
      othersPercent: run.strangersShare * 100,
    },
    cpuByProcess: cpuMicrosPerRequest,
  };
}

/** A figure, or the CPU of one process. */
type Figure = FigureName | { readonly process: string };

function valueIn({ figures, cpuByProcess = {} }: Sample, figure: Figure): number | undefined {
  return typeof figure === "string" ? figures[figure] : (cpuByProcess[figure.process] ?? 0);
}

/** Every figure that all samples have. */
function lineOf(name: string, samples: readonly Sample[]): Line {
  const names = Object.keys(samples[0]!.figures) as FigureName[];
  const figures = names.flatMap((figure) => {
    const values = samples.flatMap((sample) => valueIn(sample, figure) ?? []);
    return values.length === samples.length ? [[figure, summarize(values)] as const] : [];
  });
  return {
    ...{ name, runs: samples.length, figures: Object.fromEntries(figures) },
    cpuByProcess: cpuOf(samples),
  };
}

/** Median of each process that takes a microsecond or more, the costliest first. */
function cpuOf(samples: readonly Sample[]): Record<string, number> {
  const names = new Set(samples.flatMap(({ cpuByProcess = {} }) => Object.keys(cpuByProcess)));
  const medians = [...names].map((process) => {
    const values = samples.map((sample) => valueIn(sample, { process })!);
    return [process, summarize(values).median] as const;
  });
  return Object.fromEntries(medians.filter(([, value]) => value >= 1).sort((a, b) => b[1] - a[1]));
}

export class Samples {
  readonly #groups = new Map<string, Map<string, Sample[]>>();

  /** Adds a sample to a series, which is named as its line will be. */
  add(group: string, series: string, sample: Sample): void {
    const all = this.#groups.get(group) ?? new Map<string, Sample[]>();
    this.#groups.set(group, all.set(series, [...(all.get(series) ?? []), sample]));
  }

  /** The median of a figure; null when it was not measured. */
  median(group: string, series: string, figure: Figure = "speed"): number | null {
    const samples = this.#groups.get(group)?.get(series) ?? [];
    const values = samples.flatMap((sample) => valueIn(sample, figure) ?? []);
    return values.length > 0 ? summarize(values).median : null;
  }

  /** The median of a series ÷ that of another one of its group; null when either is missing. */
  ratio(group: string, series: string, base: string, figure: Figure = "speed"): number | null {
    return quotient(this.median(group, series, figure), this.median(group, base, figure));
  }

  /** A group with its lines in the order of their first samples; none when there are none. */
  group(about: Omit<Group, "lines">): Group[] {
    const all = this.#groups.get(about.id);
    if (all === undefined) return [];
    const baseline = about.baseline !== null && all.has(about.baseline) ? about.baseline : null;
    return [{ ...about, baseline, lines: [...all].map(([name, each]) => lineOf(name, each)) }];
  }
}

/** Null when either is. */
export function quotient(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a / b;
}

/** The targets that were measured. */
export function judged(
  targets: readonly (Omit<Verdict, "measured"> & { readonly measured: number | null })[],
): Verdict[] {
  return targets.flatMap(({ measured, ...target }) => {
    return measured === null ? [] : [{ ...target, measured }];
  });
}

/** `name=value` for programs, of each value that was measured. */
export function ratioLines(values: Readonly<Record<string, number | null>>, digits = 3): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value.toFixed(digits)}`],
  );
}
