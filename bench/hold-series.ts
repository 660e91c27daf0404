/**
 * The series of holds: ours spread, ours on one hot room type and the peers take turns within each
 * round, so that whatever else the machine does falls on all of them alike.
 */
import type { Fixture } from "./fixture.ts";
import { type HoldLoad, holdOurs, type Timing } from "./holds.ts";
import { type Run, totalOf } from "./measure.ts";
import type { Options } from "./options.ts";
import { type PeerName, runPeer } from "./peer-runs.ts";
import { medianOf, type Series, type Verdict } from "./report.ts";

const CONNECTIONS = [32, 256] as const;
type Connections = (typeof CONNECTIONS)[number];
type Contender = "spread" | "hot" | PeerName;

/** Rounds a peer takes part in; peer 2 is in all of them, being the one that counts. */
const PEER_ROUNDS: Readonly<Record<PeerName, number>> = {
  "peer 2": Number.POSITIVE_INFINITY,
  "peer 1b": 2,
  "peer 1a": 1,
};

/** All series of holds of one benchmark. */
export class HoldSeries {
  readonly #runs = new Map<string, Run[]>();

  add(contender: Contender, connections: Connections, run: Run): void {
    const name = nameOf(contender, connections);
    this.#runs.set(name, [...(this.#runs.get(name) ?? []), run]);
  }

  get(contender: Contender, connections: Connections): Series | null {
    const name = nameOf(contender, connections);
    const runs = this.#runs.get(name);
    return runs ? { name, runs } : null;
  }

  get all(): Series[] {
    return [...this.#runs].map(([name, runs]) => ({ name, runs }));
  }
}

function nameOf(contender: Contender, connections: Connections): string {
  const who = contender.startsWith("peer") ? contender : `ours ${contender}`;
  return `POST /v1/holds, ${who}, ${connections} connections`;
}

export interface HoldBenchmark {
  readonly fixture: Fixture;
  /** For the stores of the peers. */
  readonly directory: string;
  readonly timing: Timing;
  readonly options: Options;
}

function contendersOf(round: number, { peers }: Options): Contender[] {
  const own: Contender[] = ["spread", "hot"];
  if (!peers) return own;
  const names = Object.keys(PEER_ROUNDS) as PeerName[];
  return [...own, ...names.filter((name) => round < PEER_ROUNDS[name])];
}

/**
 * Ours again with so many idempotency keys in the journal, which stay in the fixture. Throws as
 * `measureHolds` does.
 */
export async function measureWithKeys(
  { fixture, timing, options }: HoldBenchmark,
  keys: number,
): Promise<Series[]> {
  fixture.addKeys(keys);
  const all: Series[] = [];
  for (const connections of CONNECTIONS) {
    const runs: Run[] = [];
    for (let round = 0; round < options.runs; round += 1) {
      runs.push(await holdOurs(fixture, { connections, crowd: "spread", ...timing }));
    }
    all.push({ name: `${nameOf("spread", connections)}, ${keys} keys present`, runs });
  }
  return all;
}

/** Runs all rounds. Throws when a hold is refused or something is not conserved. */
export async function measureHolds(benchmark: HoldBenchmark): Promise<HoldSeries> {
  const { options, timing } = benchmark;
  const series = new HoldSeries();
  for (const connections of CONNECTIONS) {
    for (let round = 0; round < options.runs; round += 1) {
      for (const contender of contendersOf(round, options)) {
        const run = await runOne(contender, benchmark, { connections, ...timing });
        if (run === null) continue;
        series.add(contender, connections, run);
        const figure = `${run.requestsPerSecond.toFixed(0)}/s, p99 ${run.p99Ms.toFixed(1)} ms`;
        console.log(`${nameOf(contender, connections)}, run ${round + 1}: ${figure}`);
      }
    }
  }
  return series;
}

function runOne(
  contender: Contender,
  { fixture, directory }: HoldBenchmark,
  load: Omit<HoldLoad, "crowd">,
): Promise<Run | null> {
  if (contender === "spread" || contender === "hot") {
    return holdOurs(fixture, { ...load, crowd: contender });
  }
  return runPeer(contender, directory, { ...load, crowd: "spread" });
}

const speed = (run: Run) => run.requestsPerSecond;

/** Our median ÷ another's; null when either was not measured. */
function ratio(ours: Series | null, theirs: Series | null): number | null {
  return ours && theirs ? medianOf(ours, speed) / medianOf(theirs, speed) : null;
}

/** T1, T3 and T4, as far as they were measured. */
export function verdictsOf(series: HoldSeries): Verdict[] {
  const atLeast = (name: string, text: string, measured: number | null, target: number) =>
    measured === null ? [] : [{ name, text, measured, target, bound: "at least" as const }];
  const against = (peer: PeerName, connections: Connections, target: number) =>
    atLeast(
      "T1",
      `ours ÷ ${peer}, ${connections} connections`,
      ratio(series.get("spread", connections), series.get(peer, connections)),
      target,
    );
  const perConnections = CONNECTIONS.flatMap((connections): Verdict[] => {
    const spread = series.get("spread", connections);
    if (!spread) return [];
    const at = `${connections} connections`;
    const cpu = medianOf(spread, (run) => totalOf(run.cpuMicrosPerRequest));
    return [
      ...atLeast("T3", `hot ÷ spread, ${at}`, ratio(series.get("hot", connections), spread), 0.9),
      { name: "T4", text: `CPU µs per hold, ${at}`, measured: cpu, target: 100, bound: "at most" },
    ];
  });
  return [
    ...against("peer 2", 32, 1),
    ...against("peer 2", 256, 1.5),
    ...against("peer 1b", 32, 3),
    ...against("peer 1b", 256, 6),
    ...perConnections,
  ];
}

/** `holds_32_ratio=…` and `holds_256_ratio=…`: ours ÷ peer 2; empty without the peer. */
export function ratioLines(series: HoldSeries): string[] {
  return CONNECTIONS.flatMap((connections) => {
    const value = ratio(series.get("spread", connections), series.get("peer 2", connections));
    return value === null ? [] : [`holds_${connections}_ratio=${value.toFixed(3)}`];
  });
}
