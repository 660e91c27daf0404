/** How fast feeds are built, and in how much memory. */
import { join } from "node:path";
import {
  type BuildsOfSize,
  buildTable,
  measureBuilds,
  medianOfBuild,
  SIZES,
  speedOf,
} from "./feed-builds.ts";
import type { Verdict } from "./report.ts";

const MEGABYTES_PER_SECOND_MIN = 50;
const GROWTH_MB_MAX = 64;

export interface FeedSeries {
  readonly builds: readonly BuildsOfSize[];
}

/** Measures builds on journals of their own. */
export async function measureFeeds(directory: string, runs: number): Promise<FeedSeries> {
  const builds: BuildsOfSize[] = [];
  for (const size of SIZES) {
    console.log(`building feeds of ${size} properties`);
    builds.push(await measureBuilds(join(directory, `feeds-${size}`), size, runs));
  }
  return { builds };
}

/** Builds as a table of their own. */
export function feedBuildTable({ builds }: FeedSeries): string {
  return buildTable(builds.flatMap(({ own, whole, libraries }) => [own, whole, ...libraries]));
}

/** What the design asks of builds. */
export function feedVerdicts({ builds }: FeedSeries): Verdict[] {
  const growth = ({ growthBytes }: { readonly growthBytes: number }) => growthBytes / 1e6;
  return builds.flatMap(({ own, whole }): Verdict[] => [
    {
      ...{ name: "T8", text: `MB/s, ${own.name}`, bound: "at least" },
      ...{ measured: medianOfBuild(own, speedOf), target: MEGABYTES_PER_SECOND_MIN },
    },
    ...[own, whole].map((of): Verdict => {
      const text = `MB of growth, ${of.name}`;
      const measured = medianOfBuild(of, growth);
      return { name: "T8", text, measured, target: GROWTH_MB_MAX, bound: "at most" };
    }),
  ]);
}
