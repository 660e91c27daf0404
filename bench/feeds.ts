/**
 * How fast feeds are built, in how much memory, how fast a stored one is served, and what holds
 * feel of builds.
 */
import { join } from "node:path";
import type { Bench, Measured } from "./bench.ts";
import {
  type BuildsOfSize,
  buildGroup,
  measureBuilds,
  medianOfBuild,
  SIZES,
  speedOf,
} from "./feed-builds.ts";
import { sellFeedHotels } from "./feed-tenant.ts";
import {
  CONNECTIONS,
  type FeedBench,
  HOLD_TURN_NAMES,
  type HoldTurn,
  holdTurns,
  SERVED,
  type Served,
  serveTurns,
} from "./feed-turns.ts";
import { Fixture } from "./fixture.ts";
import type { Run } from "./measure.ts";
import { groupOf, medianOf, type Series } from "./report.ts";
import type { Group, Verdict } from "./result.ts";

const MEGABYTES_PER_SECOND_MIN = 50;
const MEGABYTES_PER_SECOND_GOAL = 100;
const GROWTH_MB_MAX = 64;
const GROWTH_MB_GOAL = 32;
const NOT_MODIFIED_MIN = 2_000;
const HOLDS_RATIO_MIN = 0.9;

export interface FeedSeries {
  readonly builds: readonly BuildsOfSize[];
  readonly served: ReadonlyMap<Served, Series>;
  readonly holds: Readonly<Record<HoldTurn, Series>>;
}

/** Measures builds on journals of their own, and the rest on copies of an installation. */
export async function measureFeeds(bench: Bench): Promise<Measured> {
  const { directory, timing, runs, progress } = bench;
  const builds: BuildsOfSize[] = [];
  for (const size of SIZES) builds.push(await measureBuilds(bench, size));
  const make = () =>
    Fixture.make(join(directory, "feeds"), (seeded) => sellFeedHotels(seeded, SIZES[0]));
  const fixture = await progress.step("feeds, preparing", "seeding an installation", make);
  const series = { builds, ...(await measureTurns({ fixture, timing, progress }, runs)) };
  return { groups: groupsOf(series), verdicts: feedVerdicts(series) };
}

async function measureTurns(bench: FeedBench, runs: number): Promise<Omit<FeedSeries, "builds">> {
  const served = new Map<Served, Run[]>(SERVED.map((turn) => [turn, []]));
  const bytes = new Map<Served, number>();
  const holds: Record<HoldTurn, Run[]> = { quiet: [], building: [] };
  for (let round = 0; round < runs; round += 1) {
    for (const [turn, { run, bodyBytes }] of await serveTurns(bench, { round, of: runs })) {
      served.get(turn)!.push(run);
      bytes.set(turn, bodyBytes);
    }
    for (const [turn, run] of await holdTurns(bench, { round, of: runs })) holds[turn].push(run);
  }
  const kilobytes = (turn: Served) => `${((bytes.get(turn) ?? 0) / 1e3).toFixed(0)} kB`;
  return {
    served: new Map(
      [...served].map(([turn, runs]) => {
        return [turn, { name: `${turn}, ${kilobytes(turn)}`, runs }];
      }),
    ),
    holds: {
      quiet: { name: HOLD_TURN_NAMES.quiet, runs: holds.quiet },
      building: { name: HOLD_TURN_NAMES.building, runs: holds.building },
    },
  };
}

function groupsOf({ builds, served, holds }: FeedSeries): Group[] {
  const at = `${CONNECTIONS} connections`;
  const get = { id: "served", title: `GET a stored feed, ${at}`, baseline: null } as const;
  const hold = { id: "holds", title: `POST /v1/holds, ${at}`, baseline: holds.quiet.name } as const;
  return [
    ...builds.map(buildGroup),
    groupOf({ ...get, compares: "speed" }, [...served.values()]),
    groupOf({ ...hold, compares: "speed" }, Object.values(holds)),
  ];
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

function buildVerdicts({ size, own, whole }: BuildsOfSize): Verdict[] {
  const name = "T8";
  return [
    {
      ...{ name, text: `MB/s, ${size} properties: ${own.name}`, bound: "at least" },
      ...{ measured: medianOfBuild(own, speedOf), target: MEGABYTES_PER_SECOND_MIN },
      goal: MEGABYTES_PER_SECOND_GOAL,
    },
    ...[own, whole].map((of): Verdict => {
      const text = `MB of growth, ${size} properties: ${of.name}`;
      const measured = medianOfBuild(of, ({ growthBytes }) => growthBytes / 1e6);
      const level = { target: GROWTH_MB_MAX, goal: GROWTH_MB_GOAL, bound: "at most" } as const;
      return { name, text, measured, ...level };
    }),
  ];
}
