/**
 * Builds of feeds: the document that T8 names, by us and by two libraries, and whole runs as the
 * worker has them made: both documents, every day that can be asked for, plain and compressed,
 * verified. Each is a process of its own.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FeedManifest, MANIFEST_FILE } from "../feeds/manifest.ts";
import type { Bench } from "./bench.ts";
import { outputOf } from "./child.ts";
import { TENANT } from "./core-rig.ts";
import { rssBytes } from "./cpu.ts";
import { DAYS, writeFeedTenant } from "./feed-tenant.ts";
import type { Built, Task } from "./feed-worker.ts";
import { figuresOf } from "./report.ts";
import { type Group, shown } from "./result.ts";
import { summarize } from "./stats.ts";
import { LIBRARIES } from "./xml-builders.ts";

export const SIZES = [100, 1_000] as const;
export type Size = (typeof SIZES)[number];

const PREPARING = "feeds, preparing";
const OWN = `${DAYS} days, priced and written`;
const WHOLE = "a whole run, 90 days, compressed, verified";
const FORMS = { slices: "500 results at a time", whole: "all at once" } as const;

/** Ways to build for a tenant of that size. */
export function buildCount(size: Size): number {
  return size === SIZES[0] ? 2 + LIBRARIES.length * Object.keys(FORMS).length : 2;
}

const WORKER = join(import.meta.dir, "feed-worker.ts");
const PROGRAM = join(import.meta.dir, "..", "feeds", "main.ts");

/** The runs of one way to build. */
export interface BuildSeries {
  readonly name: string;
  readonly runs: readonly Built[];
}

export interface BuildsOfSize {
  /** Properties on sale. */
  readonly size: number;
  /** The results of 30 days, priced and written. */
  readonly own: BuildSeries;
  readonly whole: BuildSeries;
  readonly libraries: readonly BuildSeries[];
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
  { runs, progress, ...bench }: Pick<Bench, "directory" | "runs" | "progress">,
  size: Size,
): Promise<BuildsOfSize> {
  const directory = join(bench.directory, `feeds-${size}`);
  mkdirSync(directory, { recursive: true });
  const selling = `putting ${size} properties on sale`;
  const journal = await progress.step(PREPARING, selling, async () =>
    writeFeedTenant(directory, size),
  );
  const step = <T>(what: string, round: number, work: () => Promise<T>) =>
    progress.step(`builds of ${size}`, `${what}, run ${round + 1} of ${runs}`, work);
  const document = join(directory, "results.xml");
  const own: Built[] = [];
  const whole: Built[] = [];
  const libraries = LIBRARIES.flatMap((library) =>
    (["slices", "whole"] as const).map((form) => ({ library, form, runs: [] as Built[] })),
  );
  // What the larger document takes of memory and time is no more than ten times the other.
  const compared = size === SIZES[0] ? libraries : [];
  for (let round = 0; round < runs; round += 1) {
    own.push(await step(OWN, round, () => built({ journal, document })));
    whole.push(await step(WHOLE, round, () => wholeRun(journal, join(directory, "run"))));
    for (const { library, form, runs } of compared) {
      const what = `${library}, ${FORMS[form]}`;
      runs.push(await step(what, round, () => built({ document, library, form })));
    }
  }
  return {
    size,
    own: { name: OWN, runs: own },
    whole: { name: WHOLE, runs: whole },
    libraries: compared.map(({ library, form, runs }) => {
      return { name: `the same by ${library}, prices given, ${FORMS[form]}`, runs };
    }),
  };
}

/** The median of one figure over the runs of a build. */
export function medianOfBuild({ runs }: BuildSeries, figure: (run: Built) => number): number {
  return summarize(runs.map(figure)).median;
}

/** Megabytes of text in a second. */
export function speedOf({ bytes, seconds }: Built): number {
  return bytes / 1e6 / seconds;
}

const FIGURES_OF_A_BUILD: Parameters<typeof figuresOf<Built>>[1] = {
  megabytesPerSecond: speedOf,
  megabytes: ({ bytes }) => bytes / 1e6,
  itinerariesPerSecond: ({ itineraries, seconds }) => itineraries / seconds,
  ratesPerSecond: ({ bundles, seconds }) => (bundles === null ? null : bundles / seconds),
  cpuMsPerThousand: ({ cpuSeconds, itineraries }) => (cpuSeconds * 1e6) / itineraries,
  peakRssMb: ({ peakRssBytes }) => peakRssBytes / 1e6,
  growthMb: ({ growthBytes }) => growthBytes / 1e6,
};

/** All ways to build for a tenant of one size, which are compared by how fast they write. */
export function buildGroup({ size, own, whole, libraries }: BuildsOfSize): Group {
  return {
    ...{ id: `builds-${size}`, title: `builds for ${shown(size, 0)} properties` },
    ...{ compares: "megabytesPerSecond", baseline: own.name },
    lines: [own, whole, ...libraries].map(({ name, runs }) => ({
      ...{ name, runs: runs.length, cpuByProcess: {} },
      figures: figuresOf(runs, FIGURES_OF_A_BUILD),
    })),
  };
}
