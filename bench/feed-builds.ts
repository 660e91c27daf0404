/**
 * Builds of feeds: the document that T8 names, and whole runs as the worker starts them: both
 * documents, every day that partners may ask for, plain and compressed, verified. Each is a process
 * of its own.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FeedManifest, MANIFEST_FILE } from "../feeds/manifest.ts";
import type { Bench } from "./bench.ts";
import { outputOfTask } from "./child.ts";
import { TENANT } from "./core-rig.ts";
import { rssBytes } from "./cpu.ts";
import { DAYS, writeFeedTenant } from "./feed-tenant.ts";
import type { Built } from "./feed-worker.ts";
import { type Group, shown, type Verdict } from "./result.ts";
import { judged, type Sample, type Samples } from "./samples.ts";

export const SIZES = [100, 1_000] as const;
export type Size = (typeof SIZES)[number];

export const PREPARING = "feeds, preparing";
export const DOCUMENT = `${DAYS} days, priced and written`;
export const WHOLE_RUN = "a whole run, 90 days, compressed, verified";
const WORKER = join(import.meta.dir, "feed-worker.ts");
const PROGRAM = join(import.meta.dir, "..", "feeds", "main.ts");

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** A run as the worker starts it; its growth is from the open journal. */
async function wholeRun(journal: string, directory: string): Promise<Built> {
  const run_id = `run_${crypto.randomUUID()}`;
  const of = { journal_path: journal, tenant_id: TENANT, partner: "google", run_id, directory };
  const rest = { now_ms: Date.now(), site_url: "https://bench.innkeep.example", rest_ms: 0 };
  let openedBytes = 0;
  const onLine = (line: string, pid: number) => {
    if (openedBytes === 0 && line.includes('"list"')) openedBytes = rssBytes(pid);
  };
  await outputOfTask(PROGRAM, { ...of, ...rest }, { onLine });
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

/** Both builds for a tenant of each size, in turns. */
export async function measureBuilds(bench: Bench, samples: Samples): Promise<void> {
  const { runs, progress } = bench;
  for (const size of SIZES) {
    const directory = join(bench.directory, `feeds-${size}`);
    mkdirSync(directory, { recursive: true });
    const selling = `putting ${size} properties on sale`;
    const journal = await progress.step(PREPARING, selling, async () =>
      writeFeedTenant(directory, size),
    );
    const task = { journal, document: join(directory, "results.xml") };
    const builds = [
      [DOCUMENT, async () => JSON.parse(await outputOfTask(WORKER, task)) as Built],
      [WHOLE_RUN, () => wholeRun(journal, join(directory, "run"))],
    ] as const;
    for (let round = 0; round < runs; round += 1) {
      for (const [name, build] of builds) {
        const what = `${name}, run ${round + 1} of ${runs}`;
        const built = await progress.step(`builds of ${size}`, what, build);
        samples.add(`builds-${size}`, name, sampleOfBuild(built));
      }
    }
  }
}

export function sampleOfBuild(built: Built): Sample {
  const { bytes, itineraries, bundles, seconds, cpuSeconds } = built;
  return {
    figures: {
      megabytesPerSecond: bytes / 1e6 / seconds,
      megabytes: bytes / 1e6,
      itinerariesPerSecond: itineraries / seconds,
      ratesPerSecond: bundles / seconds,
      cpuMsPerThousand: (cpuSeconds * 1e6) / itineraries,
      peakRssMb: built.peakRssBytes / 1e6,
      growthMb: built.growthBytes / 1e6,
    },
  };
}

export function buildGroups(samples: Samples): Group[] {
  return SIZES.flatMap((size) =>
    samples.group({
      ...{ id: `builds-${size}`, title: `builds for ${shown(size, 0)} properties` },
      ...{ compares: "megabytesPerSecond", baseline: DOCUMENT },
    }),
  );
}

/** T8. */
export function buildVerdicts(samples: Samples): Verdict[] {
  return SIZES.flatMap((size) => {
    const group = `builds-${size}`;
    return judged([
      {
        ...{ name: "T8", text: `MB/s, ${size} properties: ${DOCUMENT}`, bound: "at least" },
        ...{ measured: samples.median(group, DOCUMENT, "megabytesPerSecond") },
        ...{ target: 50, goal: 100 },
      },
      ...[DOCUMENT, WHOLE_RUN].map((build) => ({
        ...{ name: "T8", text: `MB of growth, ${size} properties: ${build}` },
        ...{ measured: samples.median(group, build, "growthMb"), target: 64, goal: 32 },
        bound: "at most" as const,
      })),
    ]);
  });
}
