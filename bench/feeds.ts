/**
 * How fast feeds are built, in how much memory, how fast a stored one is served, and what holds
 * feel of builds.
 */
import { join } from "node:path";
import {
  type BuildsOfSize,
  buildTable,
  measureBuilds,
  medianOfBuild,
  SIZES,
  speedOf,
} from "./feed-builds.ts";
import { sellFeedHotels } from "./feed-tenant.ts";
import {
  CONNECTIONS,
  type FeedBench,
  type HoldTurn,
  holdTurns,
  SERVED,
  type Served,
  serveTurns,
} from "./feed-turns.ts";
import { Fixture } from "./fixture.ts";
import type { Timing } from "./holds.ts";
import type { Run } from "./measure.ts";
import { medianOf, type Series, type Verdict } from "./report.ts";

const MEGABYTES_PER_SECOND_MIN = 50;
const GROWTH_MB_MAX = 64;
const NOT_MODIFIED_MIN = 2_000;
const HOLDS_RATIO_MIN = 0.9;

export interface FeedSeries {
  readonly builds: readonly BuildsOfSize[];
  readonly served: ReadonlyMap<Served, Series>;
  readonly holds: Readonly<Record<HoldTurn, Series>>;
}

/** Measures builds on journals of their own, and the rest on copies of an installation. */
export async function measureFeeds(
  directory: string,
  timing: Timing,
  runs: number,
): Promise<FeedSeries> {
  const builds: BuildsOfSize[] = [];
  for (const size of SIZES) {
    console.log(`building feeds of ${size} properties`);
    builds.push(await measureBuilds(join(directory, `feeds-${size}`), size, runs));
  }
  console.log(`putting ${SIZES[0]} properties on sale`);
  const fixture = await Fixture.make(join(directory, "feeds"), (seeded) =>
    sellFeedHotels(seeded, SIZES[0]),
  );
  return { builds, ...(await measureTurns({ fixture, timing }, runs)) };
}

async function measureTurns(bench: FeedBench, runs: number): Promise<Omit<FeedSeries, "builds">> {
  const served = new Map<Served, Run[]>(SERVED.map((turn) => [turn, []]));
  const bytes = new Map<Served, number>();
  const holds: Record<HoldTurn, Run[]> = { quiet: [], building: [] };
  for (let round = 0; round < runs; round += 1) {
    for (const [turn, { run, bodyBytes }] of await serveTurns(bench)) {
      served.get(turn)!.push(run);
      bytes.set(turn, bodyBytes);
    }
    for (const [turn, run] of await holdTurns(bench)) holds[turn].push(run);
  }
  const kilobytes = (turn: Served) => `${((bytes.get(turn) ?? 0) / 1e3).toFixed(0)} kB`;
  const hold = `POST /v1/holds, ${CONNECTIONS} connections`;
  return {
    served: new Map(
      [...served].map(([turn, runs]) => {
        return [turn, { name: `GET a stored feed, ${turn}, ${kilobytes(turn)}`, runs }];
      }),
    ),
    holds: {
      quiet: { name: `${hold}, no feed is built`, runs: holds.quiet },
      building: { name: `${hold}, feeds are built all the time`, runs: holds.building },
    },
  };
}

/** All series of the whole service, in the order in which they are shown. */
export function allFeeds({ served, holds }: FeedSeries): Series[] {
  return [...served.values(), ...Object.values(holds)];
}

/** Builds as a table of their own. */
export function feedBuildTable({ builds }: FeedSeries): string {
  return buildTable(builds.flatMap(({ own, whole, libraries }) => [own, whole, ...libraries]));
}

/** What issue and design ask of feeds. */
export function feedVerdicts({ builds, served, holds }: FeedSeries): Verdict[] {
  const perSecond = (of: Series) => medianOf(of, (run) => run.requestsPerSecond);
  const name = "feeds";
  return [
    ...builds.flatMap(buildVerdicts),
    {
      ...{ name, text: "answers a second that a stored feed has not changed", bound: "at least" },
      ...{ measured: perSecond(served.get("not modified")!), target: NOT_MODIFIED_MIN },
    },
    {
      ...{ name, text: "holds a second while feeds are built ÷ quiet", bound: "at least" },
      ...{ measured: perSecond(holds.building) / perSecond(holds.quiet), target: HOLDS_RATIO_MIN },
    },
  ];
}

function buildVerdicts({ own, whole }: BuildsOfSize): Verdict[] {
  const name = "T8";
  return [
    {
      ...{ name, text: `MB/s, ${own.name}`, bound: "at least" },
      ...{ measured: medianOfBuild(own, speedOf), target: MEGABYTES_PER_SECOND_MIN },
    },
    ...[own, whole].map((of): Verdict => {
      const text = `MB of growth, ${of.name}`;
      const measured = medianOfBuild(of, ({ growthBytes }) => growthBytes / 1e6);
      return { name, text, measured, target: GROWTH_MB_MAX, bound: "at most" };
    }),
  ];
}
