/** What the runs of the search part come to: tables, targets, ratios. */
import { figuresOf } from "./report.ts";
import { type Group, type Line, shown, type Verdict } from "./result.ts";
import { CHANGES, type Change, type CoreRun, SEARCHES, type Searched } from "./search-tasks.ts";
import { CITY_SIZE, LARGE_CITY_SIZE } from "./search-tenant.ts";
import { summarize } from "./stats.ts";

export interface SearchSeries {
  /** Of the large tenant. */
  readonly properties: number;
  readonly core: readonly CoreRun[];
}

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

function lineOf<R>(
  name: string,
  runs: readonly R[],
  readers: Parameters<typeof figuresOf<R>>[1],
): Line {
  return { name, runs: runs.length, figures: figuresOf(runs, readers), cpuByProcess: {} };
}

function coreGroups({ core, properties }: SearchSeries): Group[] {
  if (core.length === 0) return [];
  const names = searchNames(properties);
  return [
    {
      ...{ id: "core", title: "one search in the core, three nights, complete" },
      ...{ compares: "callMicros", baseline: names.small },
      lines: SEARCHES.map((searched) =>
        lineOf(names[searched], core, { callMicros: (run) => run.searches[searched].micros }),
      ),
    },
    {
      ...{ id: "index", title: "what the index adds to a change, per night" },
      ...{ compares: "callMicros", baseline: CHANGE_NAMES.hold },
      lines: CHANGES.map((change) =>
        lineOf(CHANGE_NAMES[change], core, { callMicros: (run) => run.changes[change] }),
      ),
    },
    {
      ...{ id: "replica", title: `a replica of ${shown(properties, 0)} properties` },
      ...{ compares: "rssMb", baseline: null },
      lines: [
        lineOf("in a process of its own", core, {
          startSeconds: (run) => run.startSeconds,
          rssMb: (run) => run.rssBytes / 1e6,
          peakRssMb: (run) => run.peakRssBytes / 1e6,
        }),
      ],
    },
  ];
}

/** In the order of the page. */
export function searchGroups(series: SearchSeries): Group[] {
  return coreGroups(series);
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

/** What the issue asks of search. */
export function searchVerdicts(series: SearchSeries): Verdict[] {
  return coreVerdicts(series);
}
