/**
 * The series of holds: ours spread, ours on one hot room type and the peers take turns within each
 * round, so that whatever else the machine does falls on all of them alike.
 */
import type { Bench } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import { type HoldLoad, holdOurs } from "./holds.ts";
import { type Run, totalOf } from "./measure.ts";
import { type PeerName, runPeer } from "./peer-runs.ts";
import { groupOf, medianOf, type Series } from "./report.ts";
import { type Group, shown, type Verdict } from "./result.ts";

export const CONNECTIONS = [32, 256] as const;
type Connections = (typeof CONNECTIONS)[number];
type Contender = "spread" | "hot" | PeerName;

/** Rounds a peer takes part in; peer 2 is in all of them, being the one that counts. */
const PEER_ROUNDS: Readonly<Record<PeerName, number>> = {
  "peer 2": Number.POSITIVE_INFINITY,
  "peer 1b": 2,
  "peer 1a": 1,
};

/** The one process of either side that takes one thing at a time. */
const WRITERS: Readonly<Record<"spread" | "peer 2", string>> = {
  spread: "engine",
  "peer 2": "redis-server",
};

/** All series of holds of one benchmark. */
export class HoldSeries {
  readonly #runs = new Map<string, Run[]>();

  add(contender: Contender, connections: Connections, run: Run): void {
    const key = keyOf(contender, connections);
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), run]);
  }

  get(contender: Contender, connections: Connections): Series | null {
    const runs = this.#runs.get(keyOf(contender, connections));
    return runs ? { name: nameOf(contender), runs } : null;
  }

  /** One group for each number of connections that was measured. */
  get groups(): Group[] {
    const contenders: Contender[] = ["spread", "hot", "peer 2", "peer 1b", "peer 1a"];
    return CONNECTIONS.flatMap((connections) => {
      const all = contenders.flatMap((contender) => this.get(contender, connections) ?? []);
      const title = `POST /v1/holds, ${connections} connections`;
      const about = { id: String(connections), title, compares: "speed" } as const;
      return all.length > 0 ? [groupOf({ ...about, baseline: "peer 2" }, all)] : [];
    });
  }
}

const keyOf = (contender: Contender, connections: Connections) => `${contender}/${connections}`;

function nameOf(contender: Contender): string {
  return contender.startsWith("peer") ? contender : `ours ${contender}`;
}

/** Who takes part in a round. */
export function contendersOf(round: number, hasPeers: boolean): Contender[] {
  const own: Contender[] = ["spread", "hot"];
  if (!hasPeers) return own;
  const names = Object.keys(PEER_ROUNDS) as PeerName[];
  return [...own, ...names.filter((name) => round < PEER_ROUNDS[name])];
}

/**
 * Ours again with so many idempotency keys in the journal, which stay in the fixture. Throws as
 * `measureHolds` does.
 */
export async function measureWithKeys(
  fixture: Fixture,
  { timing, holdRuns, only, progress }: Bench,
  keys: number,
): Promise<Group> {
  await progress.step("holds with keys", `writing ${keys} keys`, async () => fixture.addKeys(keys));
  const all: Series[] = [];
  for (const connections of CONNECTIONS) {
    if (!only.has("holds", String(connections))) continue;
    const what = `ours spread, ${connections} connections`;
    const runs: Run[] = [];
    for (let round = 0; round < holdRuns; round += 1) {
      const load = { connections, crowd: "spread", ...timing } as const;
      const at = { what, round, of: holdRuns };
      runs.push(await progress.run("holds with keys", at, () => holdOurs(fixture, load)));
    }
    all.push({ name: what, runs });
  }
  const title = `POST /v1/holds, ${shown(keys, 0)} keys present`;
  return groupOf({ id: "keys", title, compares: "speed", baseline: null }, all);
}

/** Runs all rounds. Throws when a hold is refused or something is not conserved. */
export async function measureHolds(fixture: Fixture, bench: Bench): Promise<HoldSeries> {
  const { timing, holdRuns, peers, only, progress } = bench;
  const series = new HoldSeries();
  for (const connections of CONNECTIONS) {
    if (!only.has("holds", String(connections))) continue;
    for (let round = 0; round < holdRuns; round += 1) {
      for (const contender of contendersOf(round, peers)) {
        const what = `${nameOf(contender)}, ${connections} connections`;
        const load = { connections, ...timing };
        const run = await progress.run("holds", { what, round, of: holdRuns }, () =>
          runOne(contender, { fixture, directory: bench.directory }, load),
        );
        if (run === null) progress.note(`${contender} cannot run on this machine.`);
        else series.add(contender, connections, run);
      }
    }
  }
  return series;
}

function runOne(
  contender: Contender,
  { fixture, directory }: { fixture: Fixture; directory: string },
  load: Omit<HoldLoad, "crowd">,
): Promise<Run | null> {
  if (contender === "spread" || contender === "hot") {
    return holdOurs(fixture, { ...load, crowd: contender });
  }
  return runPeer(contender, { directory }, { ...load, crowd: "spread" });
}

type Figure = (run: Run) => number;
const speed: Figure = (run) => run.requestsPerSecond;
const cpu: Figure = (run) => totalOf(run.cpuMicrosPerRequest);
const cpuOf =
  (process: string): Figure =>
  (run) =>
    run.cpuMicrosPerRequest[process] ?? 0;

/** Our median ÷ another's; null when either was not measured. */
function ratio(
  ours: Series | null,
  theirs: Series | null,
  [figure, theirFigure = figure]: readonly [Figure, Figure?] = [speed],
): number | null {
  return ours && theirs ? medianOf(ours, figure) / medianOf(theirs, theirFigure) : null;
}

interface HoldTarget extends Pick<Verdict, "name" | "target" | "goal" | "bound"> {
  readonly what: string;
  readonly connections: Connections;
  readonly ours: "spread" | "hot";
  readonly theirs: Exclude<Contender, "hot">;
  readonly figures?: readonly [Figure, Figure?];
}

const TARGETS: readonly HoldTarget[] = [
  ...(
    [
      ["peer 2", 32, 0.75, 1],
      ["peer 2", 256, 1, 1.3],
      ["peer 1b", 32, 3, 4],
      ["peer 1b", 256, 5, 7],
    ] as const
  ).map(([theirs, connections, target, goal]): HoldTarget => {
    const what = `ours ÷ ${theirs}`;
    const level = { connections, target, goal, bound: "at least" } as const;
    return { name: "T1", what, ours: "spread", theirs, ...level };
  }),
  {
    // What more cores cannot help.
    ...{ name: "T1w", what: "CPU of the engine ÷ that of peer 2's Redis", bound: "at most" },
    ...{ ours: "spread", theirs: "peer 2", connections: 256, target: 0.7, goal: 0.4 },
    figures: [cpuOf(WRITERS.spread), cpuOf(WRITERS["peer 2"])],
  },
  ...CONNECTIONS.map((connections): HoldTarget => {
    const level = { connections, target: 0.9, goal: 1, bound: "at least" } as const;
    return { name: "T3", what: "hot ÷ spread", ours: "hot", theirs: "spread", ...level };
  }),
  ...CONNECTIONS.map((connections): HoldTarget => {
    const level = connections === 32 ? { target: 1.5, goal: 1 } : { target: 1, goal: 0.7 };
    const sides = { ours: "spread", theirs: "peer 2", figures: [cpu] } as const;
    const what = "CPU of all processes ÷ peer 2";
    return { name: "T4", what, connections, bound: "at most", ...sides, ...level };
  }),
];

/** T1, T3 and T4, as far as they were measured. */
export function verdictsOf(series: HoldSeries): Verdict[] {
  return TARGETS.flatMap(({ what, connections, ours, theirs, figures, ...target }) => {
    const [our, their] = [series.get(ours, connections), series.get(theirs, connections)];
    const measured = ratio(our, their, figures);
    if (measured === null) return [];
    return [{ ...target, text: `${what}, ${connections} connections`, measured }];
  });
}

/**
 * The ratios in a form that a program can read, as far as they were measured: `holds_32_ratio` and
 * `holds_256_ratio` of peer 2 and, with `_1b`, of peer 1b, `writer_ratio` at 256 connections, and
 * `hot_ratio`, the lower one of both numbers of connections.
 */
export function ratioLines(series: HoldSeries): string[] {
  const of = (name: string, value: number | null) =>
    value === null ? [] : [`${name}=${value.toFixed(3)}`];
  const beside = (theirs: PeerName, suffix: string) =>
    CONNECTIONS.flatMap((connections) => {
      const value = ratio(series.get("spread", connections), series.get(theirs, connections));
      return of(`holds_${connections}_ratio${suffix}`, value);
    });
  const hot = CONNECTIONS.map((n) => ratio(series.get("hot", n), series.get("spread", n)));
  const known = hot.filter((value) => value !== null);
  const writers = [cpuOf(WRITERS.spread), cpuOf(WRITERS["peer 2"])] as const;
  return [
    ...beside("peer 2", ""),
    ...beside("peer 1b", "_1b"),
    ...of("writer_ratio", ratio(series.get("spread", 256), series.get("peer 2", 256), writers)),
    ...of("hot_ratio", known.length > 0 ? Math.min(...known) : null),
  ];
}

/**
 * Where more cores end: what of a hold the one serial process takes, and from how many cores on,
 * the generator's apart, it is that process which limits a side and no longer the machine.
 */
export function writerRemarks(series: HoldSeries): string[] {
  return CONNECTIONS.flatMap((connections) =>
    (["spread", "peer 2"] as const).flatMap((side) => {
      const of = series.get(side, connections);
      if (of === null) return [];
      const process = WRITERS[side];
      const [writer, all] = [medianOf(of, cpuOf(process)), medianOf(of, cpu)];
      const name = `${nameOf(side)}, ${connections} connections`;
      const share = `${shown(writer, 0)} of ${shown(all, 0)} µs a hold are of ${process}`;
      const limit = `from ${(all / writer).toFixed(1)} cores on it is the limit`;
      return [`${name}: ${share}; ${limit}, ${shown(1e6 / writer, 0)} holds a second.`];
    }),
  );
}
