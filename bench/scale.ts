/**
 * The journal in PostgreSQL, with a standby that each commit waits for, compared with that of one
 * machine, and takeovers by another machine. All of it is on this machine, so figures lack the
 * network and include the standby's work.
 */
import { join } from "node:path";
import { POSTGRES_MISSING } from "../test/support/postgres.ts";
import type { Bench, Measured } from "./bench.ts";
import { Fixture } from "./fixture.ts";
import { holdOurs } from "./holds.ts";
import { type Installation, OWN_ROOT } from "./installation.ts";
import { measureLoad, type Run } from "./measure.ts";
import type { FigureName, Group, Verdict } from "./result.ts";
import { judged, ratioLines, Samples, sampleOf } from "./samples.ts";
import { DRILL_KINDS, type Drill, type DrillKind, drilled } from "./scale-drills.ts";
import { SharedStore } from "./scale-machines.ts";
import { searchBody } from "./search-body.ts";
import { CITY } from "./tenant.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

const EMBEDDED = "embedded";
const SHARED = "PostgreSQL and a standby";
export const SIDES = [EMBEDDED, SHARED] as const;

const MANY_CONNECTIONS = 128;
const SEARCH_CONNECTIONS = 32;
const SEARCHES = 1_200;

interface LoadEntry {
  /** As `--only` knows it. */
  readonly series: "holds" | "search";
  readonly title: string;
  readonly compares: FigureName;
}

/** What both sides are compared by, under the id of its group. */
export const LOADS = {
  lone: { series: "holds", title: "POST /v1/holds, 1 connection", compares: "p50Ms" },
  many: {
    ...{ series: "holds", compares: "speed" },
    title: `POST /v1/holds, ${MANY_CONNECTIONS} connections`,
  },
  search: {
    ...{ series: "search", compares: "speed" },
    title: `POST /v1/search, a destination of 20, ${SEARCH_CONNECTIONS} connections`,
  },
} as const satisfies Readonly<Record<string, LoadEntry>>;
type Load = keyof typeof LOADS;

/** Measures the wanted series. Throws when an answer is not as expected. */
export async function measureScale(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { progress, directory, only } = bench;
  if (POSTGRES_MISSING !== null) {
    progress.note(`scale is skipped: ${POSTGRES_MISSING}.`);
    return { groups: [], verdicts: [] };
  }
  const samples = new Samples();
  const failures: Error[] = [];
  const store = new SharedStore(directory);
  try {
    const place = join(directory, "shared");
    const make = () => Fixture.make(place, undefined, OWN_ROOT, store.surround);
    const shared = await progress.step("scale, seeding", "the same supply in PostgreSQL", make);
    await measureLoads({ [EMBEDDED]: fixture, [SHARED]: shared }, bench, samples);
    for (const kind of DRILL_KINDS.filter(({ series }) => only.has("scale", series))) {
      const drills = drilled(kind, { fixture: shared, store, bench });
      await drills.then(
        (found) => addDrills(samples, kind, found),
        (error: Error) => failures.push(error),
      );
    }
  } finally {
    await store.stop();
  }
  return {
    groups: scaleGroups(samples),
    verdicts: scaleVerdicts(samples),
    ratioLines: scaleRatioLines(samples),
    failures,
  };
}

async function measureLoads(
  fixtures: Readonly<Record<(typeof SIDES)[number], Fixture>>,
  { only, holdRuns, timing, progress }: Bench,
  samples: Samples,
): Promise<void> {
  const loads = Object.keys(LOADS) as Load[];
  for (const load of loads.filter((each) => only.has("scale", LOADS[each].series))) {
    for (let round = 0; round < holdRuns; round += 1) {
      for (const side of SIDES) {
        const at = { what: `${LOADS[load].title}, ${side}`, round, of: holdRuns };
        const work = () => measured(load, fixtures[side], timing);
        samples.add(load, side, sampleOf(await progress.run("scale", at, work)));
      }
    }
  }
}

/** Each run is on a fresh copy; acknowledged holds are conserved. */
function measured(load: Load, fixture: Fixture, timing: Timing): Promise<Run> {
  if (load === "search") return fixture.withCopy(null, (copy) => searchOn(copy, timing));
  const connections = load === "lone" ? 1 : MANY_CONNECTIONS;
  // One connection would take minutes for as many.
  const length = load === "lone" ? warmedUpBy(timing, 1 / 10) : timing;
  return holdOurs(fixture, { connections, crowd: "spread", ...length });
}

function searchOn(copy: Installation, timing: Timing): Promise<Run> {
  const bodies = Array.from({ length: SEARCHES }, (_, n) => JSON.stringify(searchBody(n, CITY)));
  const headers = { authorization: `Bearer ${copy.demo.agent.secret}` };
  const url = `${copy.baseUrl}/v1/search`;
  const request = { url, method: "POST", headers, bodies } as const;
  const connections = SEARCH_CONNECTIONS;
  return measureLoad(copy, { ...request, connections, ...warmedUpBy(timing, 1 / 3) });
}

const WAITS = "the longest that a hold takes";
const PAUSES = "the longest time without an acknowledgement";

/** A series of drills is one sample: its percentiles are those of all of them. */
export function addDrills(
  samples: Samples,
  { name, fault }: Pick<DrillKind, "name" | "fault">,
  drills: readonly Drill[],
): void {
  const lost = drills.reduce((sum, each) => sum + each.lost, 0);
  const add = (group: string, figure: "firstMs" | "pauseMs" | "waitMs") => {
    const values = drills.map((drill) => drill[figure]);
    const [p50Ms, p99Ms] = [percentile(values, 0.5), percentile(values, 0.99)];
    samples.add(group, name, { figures: { p50Ms, p99Ms, drills: drills.length, lost } });
  };
  // A leader that is asked to end may acknowledge holds that begin afterwards.
  if (fault === "end") add("pauses", "pauseMs");
  else add("first", "firstMs");
  add("waits", "waitMs");
}

/** By the nearest rank: of few values the largest is the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** In the order of the page. */
export function scaleGroups(samples: Samples): Group[] {
  const loads = (Object.keys(LOADS) as Load[]).flatMap((id) => {
    const { title, compares } = LOADS[id];
    return samples.group({ id, title, compares, baseline: EMBEDDED });
  });
  const about = { compares: "p99Ms", baseline: null } as const;
  return [
    ...loads,
    ...samples.group({ ...about, id: "first", title: "from a fault to the first hold after it" }),
    ...samples.group({ ...about, id: "pauses", title: PAUSES }),
    ...samples.group({ ...about, id: "waits", title: WAITS }),
  ];
}

const [KILLED, SUSPENDED, DATABASE, HANDOVER] = DRILL_KINDS.map(({ name }) => name);
const TAKEOVER_MS_MAX = 3_000;
const DATABASE_MS_MAX = 5_000;
const HANDOVER_MS_MAX = 1_000;

/** Every target, as far as it was measured. */
export function scaleVerdicts(samples: Samples): Verdict[] {
  const atMost = { name: "scale", bound: "at most" } as const;
  const atLeast = { name: "scale", bound: "at least" } as const;
  const lone = (figure: "p50Ms" | "p99Ms") => samples.ratio("lone", SHARED, EMBEDDED, figure);
  const p99 = (group: string, series: string) => samples.median(group, series, "p99Ms");
  return judged([
    { ...atMost, text: "p50 of a lone hold ÷ embedded", measured: lone("p50Ms"), target: 3 },
    { ...atMost, text: "p99 of a lone hold ÷ embedded", measured: lone("p99Ms"), target: 3 },
    {
      ...{ ...atLeast, text: `holds a second, ${MANY_CONNECTIONS} connections ÷ embedded` },
      ...{ measured: samples.ratio("many", SHARED, EMBEDDED), target: 0.5 },
    },
    {
      ...{ ...atLeast, text: "searches a second, one destination ÷ embedded" },
      ...{ measured: samples.ratio("search", SHARED, EMBEDDED), target: 0.95 },
    },
    ...[KILLED!, SUSPENDED!].map((name) => ({
      ...{ ...atMost, text: `p99 ms to the first hold, ${name}` },
      ...{ measured: p99("first", name), target: TAKEOVER_MS_MAX },
    })),
    {
      ...{ ...atMost, text: `p99 ms to the first hold, ${DATABASE}` },
      ...{ measured: p99("first", DATABASE!), target: DATABASE_MS_MAX },
    },
    {
      ...{ ...atMost, text: `p99 ms without an acknowledgement, ${HANDOVER}` },
      ...{ measured: p99("pauses", HANDOVER!), target: HANDOVER_MS_MAX },
    },
    ...DRILL_KINDS.map(({ name }) => ({
      ...{ ...atMost, text: `acknowledged holds lost, ${name}` },
      ...{ measured: samples.median("waits", name, "lost"), target: 0 },
    })),
  ]);
}

/** PostgreSQL ÷ embedded, for programs. */
export function scaleRatioLines(samples: Samples): string[] {
  return ratioLines({
    scale_lone_p50_ratio: samples.ratio("lone", SHARED, EMBEDDED, "p50Ms"),
    scale_lone_p99_ratio: samples.ratio("lone", SHARED, EMBEDDED, "p99Ms"),
    scale_holds_ratio: samples.ratio("many", SHARED, EMBEDDED),
    scale_search_ratio: samples.ratio("search", SHARED, EMBEDDED),
  });
}
