/** How figures are shown: one line per series, then the targets they are judged by. */
import { type Run, totalOf } from "./measure.ts";
import { type Summary, summarize } from "./stats.ts";

/** The runs of one series. */
export interface Series {
  readonly name: string;
  readonly runs: readonly Run[];
}

const HEAD = [
  ...["series", "req/s (range)", "p50 ms", "p99 ms", "p99.9 ms", "CPU µs/req", "RSS MB"],
  ...["group", "generator µs/req", "others' CPU"],
];

/** The median of one figure over the runs of a series. */
export function medianOf(series: Series, figure: (run: Run) => number): number {
  return summarize(series.runs.map(figure)).median;
}

function ranged({ median, min, max }: Summary): string {
  return `${median.toFixed(0)} (${min.toFixed(0)}–${max.toFixed(0)})`;
}

/** Median CPU of each role, the costliest first. */
function cpuByRole(series: Series): string {
  const roles = Object.keys(series.runs[0]?.cpuMicrosPerRequest ?? {});
  return roles
    .map((role) => ({
      role,
      micros: medianOf(series, (run) => run.cpuMicrosPerRequest[role] ?? 0),
    }))
    .filter(({ micros }) => micros >= 1)
    .sort((a, b) => b.micros - a.micros)
    .map(({ role, micros }) => `${role} ${micros.toFixed(0)}`)
    .join(", ");
}

function cellsOf(series: Series): string[] {
  const median = (figure: (run: Run) => number, digits: number) =>
    medianOf(series, figure).toFixed(digits);
  const hasGroups = series.runs.every((run) => run.groupSize !== null);
  const cpu = median((run) => totalOf(run.cpuMicrosPerRequest), 0);
  return [
    series.name,
    ranged(summarize(series.runs.map((run) => run.requestsPerSecond))),
    median((run) => run.p50Ms, 2),
    median((run) => run.p99Ms, 2),
    median((run) => run.p999Ms, 2),
    `${cpu} (${cpuByRole(series)})`,
    median((run) => run.rssBytes / 1e6, 0),
    hasGroups ? median((run) => run.groupSize!, 1) : "",
    median((run) => run.generatorCpuMicros, 0),
    `${median((run) => run.strangersShare * 100, 0)} %`,
  ];
}

/** A Markdown table of all series: medians over their runs. */
export function table(all: readonly Series[]): string {
  const rows = [HEAD, HEAD.map(() => "---"), ...all.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A target of the project and what was measured against it. */
export interface Verdict {
  readonly name: string;
  readonly text: string;
  readonly measured: number;
  readonly target: number;
  /** Whether the figure may be at most, or must be at least, the target. */
  readonly bound: "at most" | "at least";
}

/** `T3 hot ÷ spread …: 0.95, at least 0.9: met`. */
export function verdictLine({ name, text, measured, target, bound }: Verdict): string {
  const isMet = bound === "at most" ? measured <= target : measured >= target;
  const shown = measured >= 1000 ? measured.toFixed(0) : measured.toPrecision(3);
  return `${name} ${text}: ${shown}, ${bound} ${target}: ${isMet ? "met" : "missed"}`;
}
