/**
 * Builds of feeds: the document that T8 names, by us and by two libraries, and whole runs as the
 * worker has them made: both documents, every day that can be asked for, plain and compressed,
 * verified. Each is a process of its own.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FeedManifest, MANIFEST_FILE } from "../feeds/manifest.ts";
import { TENANT } from "./core-rig.ts";
import { rssBytes } from "./cpu.ts";
import { DAYS, writeFeedTenant } from "./feed-tenant.ts";
import type { Built, Task } from "./feed-worker.ts";
import { summarize } from "./stats.ts";
import { onInterrupt } from "./teardown.ts";
import { LIBRARIES } from "./xml-builders.ts";

export const SIZES = [100, 1_000] as const;
export type Size = (typeof SIZES)[number];

const WORKER = join(import.meta.dir, "feed-worker.ts");
const PROGRAM = join(import.meta.dir, "..", "feeds", "main.ts");

/** The runs of one way to build. */
export interface BuildSeries {
  readonly name: string;
  readonly runs: readonly Built[];
}

export interface BuildsOfSize {
  /** The results of 30 days, priced and written. */
  readonly own: BuildSeries;
  readonly whole: BuildSeries;
  readonly libraries: readonly BuildSeries[];
}

/** Starts a program with one argument; what it says when it has ended well. */
async function outputOf(
  program: string,
  argument: object,
  onLine: (line: string, pid: number) => void = () => {},
): Promise<string> {
  const child = Bun.spawn([process.execPath, program, JSON.stringify(argument)], {
    // An end of it would say that nobody waits any longer.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const isEnded = onInterrupt(() => child.kill());
  let output = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    for (const line of chunk.split("\n")) onLine(line, child.pid);
    output += chunk;
  }
  const exitCode = await child.exited;
  isEnded();
  if (exitCode !== 0) throw new Error(`a build failed: ${output}`);
  return output;
}

async function built(task: Task): Promise<Built> {
  return JSON.parse(await outputOf(WORKER, task)) as Built;
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** A run as the worker has it made; its growth is from the open journal, as its memory is. */
async function wholeRun(journal: string, directory: string): Promise<Built> {
  const run_id = `run_${crypto.randomUUID()}`;
  const of = { journal_path: journal, tenant_id: TENANT, partner: "google", run_id, directory };
  const rest = { now_ms: Date.now(), site_url: "https://bench.innkeep.example", rest_ms: 0 };
  let openedBytes = 0;
  await outputOf(PROGRAM, { ...of, ...rest }, (line, pid) => {
    if (openedBytes === 0 && line.includes('"list"')) openedBytes = rssBytes(pid);
  });
  const path = join(directory, MANIFEST_FILE);
  const { list, ari, timings } = JSON.parse(readFileSync(path, "utf8")) as FeedManifest;
  rmSync(directory, { recursive: true });
  return {
    bytes: list.bytes + sum(ari.sets.map(({ ends }) => ends.at(-1)!)),
    itineraries: sum(ari.sets.flatMap(({ results }) => results)),
    bundles: sum(ari.sets.flatMap(({ bundles }) => bundles)),
    seconds: (timings.build_ms + timings.verify_ms) / 1000,
    cpuSeconds: timings.cpu_ms / 1000,
    growthBytes: timings.peak_rss_bytes - openedBytes,
    peakRssBytes: timings.peak_rss_bytes,
  };
}

/** All ways to build for a tenant of that size, in turns, so that none has the quiet times. */
export async function measureBuilds(
  directory: string,
  size: Size,
  runs: number,
): Promise<BuildsOfSize> {
  mkdirSync(directory, { recursive: true });
  const journal = writeFeedTenant(directory, size);
  const document = join(directory, "results.xml");
  const own: Built[] = [];
  const whole: Built[] = [];
  const libraries = LIBRARIES.flatMap((library) =>
    (["slices", "whole"] as const).map((form) => ({ library, form, runs: [] as Built[] })),
  );
  // What the larger document takes of memory and time is no more than ten times the other.
  const compared = size === SIZES[0] ? libraries : [];
  for (let round = 0; round < runs; round += 1) {
    own.push(await built({ journal, document }));
    whole.push(await wholeRun(journal, join(directory, "run")));
    for (const { library, form, runs } of compared) {
      runs.push(await built({ document, library, form }));
    }
  }
  const of = `${size} properties`;
  const words = { slices: "500 results at a time", whole: "all at once" };
  return {
    own: { name: `${of}: ${DAYS} days, priced and written`, runs: own },
    whole: { name: `${of}: a whole run, 90 days, compressed, verified`, runs: whole },
    libraries: compared.map(({ library, form, runs }) => {
      return {
        name: `${of}: the same ${DAYS} days by ${library}, prices given, ${words[form]}`,
        runs,
      };
    }),
  };
}

const HEAD = [
  ...["build", "MB", "MB/s (range)", "itineraries/s", "rates/s", "CPU ms per 1,000 itineraries"],
  ...["peak RSS MB", "growth MB"],
];

/** The median of one figure over the runs of a build. */
export function medianOfBuild({ runs }: BuildSeries, figure: (run: Built) => number): number {
  return summarize(runs.map(figure)).median;
}

/** Megabytes of text in a second. */
export function speedOf({ bytes, seconds }: Built): number {
  return bytes / 1e6 / seconds;
}

function cellsOf(series: BuildSeries): string[] {
  const median = (figure: (run: Built) => number) => medianOfBuild(series, figure).toFixed(0);
  const { median: speed, min, max } = summarize(series.runs.map(speedOf));
  const isPriced = series.runs.every(({ bundles }) => bundles !== null);
  return [
    series.name,
    median(({ bytes }) => bytes / 1e6),
    `${speed.toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)})`,
    median(({ itineraries, seconds }) => itineraries / seconds),
    isPriced ? median(({ bundles, seconds }) => bundles! / seconds) : "",
    medianOfBuild(series, (run) => (run.cpuSeconds * 1e6) / run.itineraries).toFixed(1),
    median(({ peakRssBytes }) => peakRssBytes / 1e6),
    median(({ growthBytes }) => growthBytes / 1e6),
  ];
}

/** A Markdown table of builds: medians over their runs. */
export function buildTable(all: readonly BuildSeries[]): string {
  const rows = [HEAD, HEAD.map(() => "---"), ...all.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
