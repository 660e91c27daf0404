/** What the runs of the search part come to: tables, targets, ratios. */
import { totalOf } from "./measure.ts";
import { figuresOf, groupOf, medianOf, type Series } from "./report.ts";
import { type Group, type Line, shown, type Verdict } from "./result.ts";
import type { ImportRun } from "./search-import.ts";
import { CHANGES, type Change, type CoreRun, SEARCHES, type Searched } from "./search-tasks.ts";
import { CITY_SIZE, GRAND_ROOM_TYPES, LARGE_CITY_SIZE } from "./search-tenant.ts";
import {
  CONNECTIONS,
  FEW_CONNECTIONS,
  type HttpRuns,
  PEER,
  type Turn,
  turnNames,
} from "./search-turns.ts";
import { summarize } from "./stats.ts";

/** Of what was not asked for there is nothing. */
export interface SearchSeries {
  /** Of the large tenant. */
  readonly properties: number;
  readonly core: readonly CoreRun[];
  readonly http: HttpRuns | null;
  readonly imported: ImportRun | null;
}

const IMPORT_SECONDS_MAX = 300;

const CHANGE_NAMES: Readonly<Record<Change, string>> = {
  hold: "a hold",
  release: "a release",
  cell: "an ARI update of one night",
  month: "an ARI update of 30 nights",
};

function searchNames(properties: number): Record<Searched, string> {
  return {
    all: `the whole tenant of ${shown(properties, 0)}`,
    large: `a destination of ${LARGE_CITY_SIZE}`,
    small: `a destination of ${CITY_SIZE}`,
    one: "one property, by its slug",
  };
}

/** None where nothing was measured. */
function lineOf<R>(
  name: string,
  runs: readonly R[],
  readers: Parameters<typeof figuresOf<R>>[1],
): Line[] {
  if (runs.length === 0) return [];
  return [{ name, runs: runs.length, figures: figuresOf(runs, readers), cpuByProcess: {} }];
}

function coreGroups({ core, properties }: SearchSeries): Group[] {
  const names = searchNames(properties);
  return [
    {
      ...{ id: "core", title: "one search in the core, three nights, complete" },
      ...{ compares: "callMicros", baseline: names.small },
      lines: SEARCHES.flatMap((searched) =>
        lineOf(names[searched], core, { callMicros: (run) => run.searches[searched].micros }),
      ),
    },
    {
      ...{ id: "index", title: "what the index adds to a change, per night" },
      ...{ compares: "callMicros", baseline: CHANGE_NAMES.hold },
      lines: CHANGES.flatMap((change) =>
        lineOf(CHANGE_NAMES[change], core, { callMicros: (run) => run.changes[change] }),
      ),
    },
  ];
}

/** Memory, where it was looked at: of a process of its own, and of one that has answered. */
function replicaGroup({ core, http, properties }: SearchSeries): Group[] {
  const alone = lineOf("in a process of its own", core, {
    startSeconds: (run) => run.startSeconds,
    rssMb: (run) => run.rssBytes / 1e6,
    peakRssMb: (run) => run.peakRssBytes / 1e6,
  });
  const api = lineOf("in the api, after its searches", http ? [http.api] : [], {
    rssMb: (memory) => memory.rssBytes / 1e6,
    peakRssMb: (memory) => memory.peakRssBytes / 1e6,
  });
  const title = `a replica of ${shown(properties, 0)} properties`;
  const lines = [...alone, ...api];
  return [{ id: "replica", title, compares: "rssMb", baseline: null, lines }];
}

function seriesOf({ http, properties }: SearchSeries, turn: Turn): Series | null {
  const runs = http?.runs.get(turn);
  return runs ? { name: turnNames(properties)[turn], runs } : null;
}

function httpGroups(series: SearchSeries): Group[] {
  const of = (...turns: readonly Turn[]) => turns.flatMap((turn) => seriesOf(series, turn) ?? []);
  const at = `${CONNECTIONS} connections`;
  const few = `${FEW_CONNECTIONS} connections`;
  const destination = (size: number) => `POST /v1/search, a destination of ${size}`;
  const about = { compares: "speed", baseline: PEER } as const;
  return [
    groupOf(
      { ...about, id: "20", title: `${destination(CITY_SIZE)}, ${at}` },
      of("small", "same", "large", "peer"),
    ),
    groupOf(
      { ...about, id: "500", title: `${destination(LARGE_CITY_SIZE)}, ${few}` },
      of("city", "peer city"),
    ),
    groupOf({ ...about, id: "offers", title: `quotes and offers, ${at}` }, of("quotes", "offers")),
  ];
}

/** In the order of the page. */
export function searchGroups(series: SearchSeries): Group[] {
  const groups = [...httpGroups(series), ...coreGroups(series), ...replicaGroup(series)];
  return groups.filter(({ lines }) => lines.length > 0);
}

const speedOf = (series: Series) => medianOf(series, (run) => run.requestsPerSecond);
const cpuOf = (series: Series) =>
  medianOf(series, ({ cpuMicrosPerRequest }) => totalOf(cpuMicrosPerRequest));

function httpVerdicts(all: SearchSeries): Verdict[] {
  const [small, same, large] = [
    seriesOf(all, "small"),
    seriesOf(all, "same"),
    seriesOf(all, "large"),
  ];
  const [quotes, offers] = [seriesOf(all, "quotes"), seriesOf(all, "offers")];
  if (!small || !same || !large || !quotes || !offers) return [];
  const tenant = `a tenant of ${shown(all.properties, 0)}`;
  const where = `destinations of ${CITY_SIZE}, ${tenant}`;
  const quotients = [
    [same, "the same destination"],
    [large, "all in turn"],
  ] as const;
  return [
    {
      ...{ name: "R1", text: `searches a second: ${where}`, bound: "at least" },
      ...{ measured: speedOf(large), target: 10_000 },
    },
    {
      ...{ name: "R1", text: `µs of CPU a search: ${where}`, bound: "at most" },
      ...{ measured: cpuOf(large), target: 100 },
    },
    ...quotients.map(([series, which]): Verdict => {
      const text = `CPU a search: ${tenant}, ${which} ÷ a tenant of ${CITY_SIZE}`;
      const measured = cpuOf(series) / cpuOf(small);
      return { name: "R1", text, measured, target: 1.1, goal: 1, bound: "at most" };
    }),
    {
      ...{ name: "R4", text: "µs of CPU a quote", bound: "at most" },
      ...{ measured: cpuOf(quotes), target: 70 },
    },
    {
      ...{ name: "R4", text: `µs of CPU: the offers of ${GRAND_ROOM_TYPES} room types` },
      ...{ measured: cpuOf(offers), target: 250, bound: "at most" },
    },
  ];
}

function coreVerdicts({ core, properties }: SearchSeries): Verdict[] {
  if (core.length === 0) return [];
  const median = (figure: (run: CoreRun) => number) => summarize(core.map(figure)).median;
  const names = searchNames(properties);
  const micros = (searched: Searched) => median((run) => run.searches[searched].micros);
  return [
    {
      ...{ name: "R2", text: `ms of CPU in the core: ${names.all}`, bound: "at most" },
      ...{ measured: micros("all") / 1000, target: 10 },
    },
    {
      ...{ name: "R2", text: `µs of CPU in the core: ${names.large}`, bound: "at most" },
      ...{ measured: micros("large"), target: 400 },
    },
    {
      ...{ name: "R3", text: "MB of a replica, settled", bound: "at most" },
      ...{ measured: median((run) => run.rssBytes / 1e6), target: 600, goal: 400 },
    },
    {
      ...{ name: "R3", text: "s from a snapshot to the first search", bound: "at most" },
      ...{ measured: median((run) => run.startSeconds), target: 5, goal: 2 },
    },
    ...CHANGES.map((change): Verdict => {
      const text = `µs per night of the index: ${CHANGE_NAMES[change]}`;
      const measured = median((run) => run.changes[change]);
      return { name: "R5", text, measured, target: 1, bound: "at most" };
    }),
  ];
}

function importVerdicts({ imported }: SearchSeries): Verdict[] {
  if (!imported) return [];
  const text = `s to import ${shown(imported.properties, 0)} properties as NDJSON`;
  const measured = imported.seconds;
  return [{ name: "R3", text, measured, target: IMPORT_SECONDS_MAX, bound: "at most" }];
}

/** R1 to R5, as far as they were measured. */
export function searchVerdicts(series: SearchSeries): Verdict[] {
  const verdicts = [httpVerdicts(series), coreVerdicts(series), importVerdicts(series)].flat();
  return verdicts.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/**
 * Ours ÷ the peer, searches a second: `search_ratio=…` for a destination of 20 properties,
 * `search_500_ratio=…` of 500. `search_core_ratio=…` is the CPU of its database for a search ÷ that
 * of our core. Empty without the peer.
 */
export function searchRatioLines(series: SearchSeries): string[] {
  const ratio = (name: string, ours: Turn, theirs: Turn) => {
    const [own, peer] = [seriesOf(series, ours), seriesOf(series, theirs)];
    return own && peer ? [`${name}=${(speedOf(own) / speedOf(peer)).toFixed(3)}`] : [];
  };
  return [
    ...ratio("search_ratio", "large", "peer"),
    ...ratio("search_500_ratio", "city", "peer city"),
    ...coreRatio(series),
  ];
}

function coreRatio({ core, http }: SearchSeries): string[] {
  const runs = http?.runs.get("peer");
  if (!runs || core.length === 0) return [];
  const database = summarize(runs.map((run) => run.cpuMicrosPerRequest.postgres ?? 0)).median;
  const ours = summarize(core.map((run) => run.searches.small.micros)).median;
  return [`search_core_ratio=${(database / ours).toFixed(3)}`];
}
