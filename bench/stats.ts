/** A figure is published as the median of its runs and the range they fell into. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Sums up the runs of one benchmark, in the unit of `values`. Throws when there was no run. */
export function summarize(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error("no runs to summarize");
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  const lower = sorted[(sorted.length - 1) >> 1]!;
  return { median: (lower + upper) / 2, min: sorted[0]!, max: sorted.at(-1)! };
}
