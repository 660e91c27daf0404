/**
 * The series of holds: ours spread, ours on one hot room type and the peers take turns in each
 * round, so that other load of the machine affects all of them alike.
 */
import type { Bench, Measured } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import { holdOurs, holdPeer, type PeerName } from "./holds.ts";
import type { Run } from "./measure.ts";
import { type Group, shown, type Verdict } from "./result.ts";
import { judged, quotient, ratioLines, Samples, sampleOf } from "./samples.ts";

/** The name of a series is that of its line. */
type Contender = "ours spread" | "ours hot" | "ours" | PeerName;

interface Level {
  /** As `--only` knows it. */
  readonly id: string;
  readonly connections: number;
  readonly title: string;
  /** A command that runs a program on a slow disk; empty for the disk as it is. */
  readonly wrapper: readonly string[];
  readonly stage: string;
}

const DELAY_MICROS = 1_800;
/** As a disk over a network. The traced process keeps its pid and its signals (`-D`). */
const TRACER = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"];
const SYNCS = "fdatasync,fsync";
const DELAY = ["-e", `trace=${SYNCS}`, "-e", `inject=${SYNCS}:delay_exit=${DELAY_MICROS}`];

function level(id: string, connections: number, isSlow = false): Level {
  const title = `POST /v1/holds, ${connections} connections`;
  return isSlow
    ? {
        ...{ id, connections, wrapper: [...TRACER, ...DELAY], stage: "holds, slow disk" },
        title: `${title}, every sync ${DELAY_MICROS} µs slower`,
      }
    : { id, connections, wrapper: [], stage: "holds", title };
}

const SLOW_DISK = "slow-disk";
export const LEVELS = [level("32", 32), level("256", 256), level(SLOW_DISK, 64, true)] as const;
const CONNECTIONS = [32, 256] as const;

/** Peer 1b takes part in the first rounds only; peer 2, which decides, in all of them. */
const ROUNDS_OF_1B = 2;

/** The series of a round of a level. */
export function contendersOf(
  { id }: Pick<Level, "id">,
  round: number,
  hasPeers: boolean,
): Contender[] {
  if (id === SLOW_DISK) return hasPeers ? ["ours", "peer 2"] : ["ours"];
  const peers: Contender[] = round < ROUNDS_OF_1B ? ["peer 2", "peer 1b"] : ["peer 2"];
  return ["ours spread", "ours hot", ...(hasPeers ? peers : [])];
}

/** Runs all rounds. Throws when a hold is refused or something is not conserved. */
export async function measureHolds(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { only, progress, full } = bench;
  const samples = new Samples();
  for (const each of LEVELS.filter(({ id }) => only.has("holds", id))) {
    if (each.wrapper.length > 0 && !canTrace()) {
      progress.note("No slow disk: strace, which delays the syncs, cannot run on this machine.");
    } else await measureLevel(each, samples, fixture, bench);
  }
  for (const remark of writerRemarks(samples)) progress.note(remark);
  if (full) await measureWithKeys(samples, fixture, bench);
  return {
    groups: groupsOf(samples),
    verdicts: holdVerdicts(samples),
    ratioLines: holdRatioLines(samples),
  };
}

async function measureLevel(
  { id, connections, stage, wrapper }: Level,
  samples: Samples,
  fixture: Fixture,
  { timing, holdRuns, peers, progress, directory }: Bench,
): Promise<void> {
  const load = { connections, ...timing };
  const hold = (contender: Contender): Promise<Run | null> => {
    if (contender === "peer 1b" || contender === "peer 2") {
      return holdPeer(contender, { directory, storeWrapper: wrapper }, load);
    }
    const crowd = contender === "ours hot" ? "hot" : "spread";
    return holdOurs(fixture, { ...load, crowd }, wrapper);
  };
  for (let round = 0; round < holdRuns; round += 1) {
    for (const contender of contendersOf({ id }, round, peers)) {
      const at = { what: `${contender}, ${connections} connections`, round, of: holdRuns };
      const run = await progress.run(stage, at, () => hold(contender));
      if (run === null) progress.note(`${contender} cannot run on this machine.`);
      else samples.add(id, contender, sampleOf(run));
    }
  }
}

function canTrace(): boolean {
  return Bun.which("strace") !== null && Bun.spawnSync([...TRACER, "true"]).success;
}

/** Keys in the journal at the holds of a full run. */
const KEYS = 10_000_000;

/** Ours again with 10 M idempotency keys in the journal, which stay in the fixture. */
async function measureWithKeys(samples: Samples, fixture: Fixture, bench: Bench): Promise<void> {
  const { timing, holdRuns, only, progress } = bench;
  const stage = "holds with keys";
  await progress.step(stage, `writing ${KEYS} keys`, async () => fixture.addKeys(KEYS));
  for (const connections of CONNECTIONS) {
    if (!only.has("holds", String(connections))) continue;
    const what = `ours spread, ${connections} connections`;
    for (let round = 0; round < holdRuns; round += 1) {
      const load = { connections, crowd: "spread", ...timing } as const;
      const work = () => holdOurs(fixture, load);
      samples.add(
        "keys",
        what,
        sampleOf(await progress.run(stage, { what, round, of: holdRuns }, work)),
      );
    }
  }
}

/** One group for each level that was measured. */
export function groupsOf(samples: Samples): Group[] {
  const title = `POST /v1/holds, ${shown(KEYS, 0)} keys present`;
  return [
    ...LEVELS.flatMap(({ id, title }) =>
      samples.group({ id, title, compares: "speed", baseline: "peer 2" }),
    ),
    ...samples.group({ id: "keys", title, compares: "speed", baseline: null }),
  ];
}

const PEER_TARGETS = [
  ["peer 2", 32, 0.75, 1],
  ["peer 2", 256, 1, 1.3],
  ["peer 1b", 32, 3, 4],
  ["peer 1b", 256, 5, 7],
] as const;

/** CPU of the one serial process of a side: more cores do not reduce it. */
const WRITERS = { "ours spread": "engine", "peer 2": "redis-server" } as const;
type Side = keyof typeof WRITERS;

function writerOf(samples: Samples, side: Side, connections: number): number | null {
  return samples.median(String(connections), side, { process: WRITERS[side] });
}

function writerRatio(samples: Samples): number | null {
  return quotient(writerOf(samples, "ours spread", 256), writerOf(samples, "peer 2", 256));
}

/** T1 to T4, as far as they were measured. */
export function holdVerdicts(samples: Samples): Verdict[] {
  const slow = "64 connections, slow disk";
  return judged([
    ...PEER_TARGETS.map(([peer, connections, target, goal]) => ({
      ...{ name: "T1", text: `ours ÷ ${peer}, ${connections} connections`, target, goal },
      measured: samples.ratio(String(connections), "ours spread", peer),
      bound: "at least" as const,
    })),
    {
      ...{ name: "T1w", text: "CPU of the engine ÷ that of peer 2's Redis, 256 connections" },
      ...{ measured: writerRatio(samples), target: 0.7, goal: 0.4, bound: "at most" },
    },
    ...CONNECTIONS.map((connections) => ({
      ...{ name: "T3", text: `hot ÷ spread, ${connections} connections`, target: 0.9, goal: 1 },
      measured: samples.ratio(String(connections), "ours hot", "ours spread"),
      bound: "at least" as const,
    })),
    ...CONNECTIONS.map((connections) => ({
      ...{ name: "T4", text: `CPU of all processes ÷ peer 2, ${connections} connections` },
      ...(connections === 32 ? { target: 1.5, goal: 1 } : { target: 1, goal: 0.7 }),
      measured: samples.ratio(String(connections), "ours spread", "peer 2", "cpuMicros"),
      bound: "at most" as const,
    })),
    {
      ...{ name: "T2", text: `ours ÷ peer 2, ${slow}`, target: 1.5, goal: 2, bound: "at least" },
      measured: samples.ratio(SLOW_DISK, "ours", "peer 2"),
    },
    {
      ...{ name: "T2", text: `p99 ms of a hold, ${slow}`, target: 25, goal: 15, bound: "at most" },
      measured: samples.median(SLOW_DISK, "ours", "p99Ms"),
    },
  ]);
}

/** As far as they were measured; of the hot room type the lower ratio. */
export function holdRatioLines(samples: Samples): string[] {
  const to = (peer: PeerName, connections: number) =>
    samples.ratio(String(connections), "ours spread", peer);
  const hot = CONNECTIONS.flatMap(
    (connections) => samples.ratio(String(connections), "ours hot", "ours spread") ?? [],
  );
  return ratioLines({
    ...{ holds_32_ratio: to("peer 2", 32), holds_256_ratio: to("peer 2", 256) },
    ...{ holds_32_ratio_1b: to("peer 1b", 32), holds_256_ratio_1b: to("peer 1b", 256) },
    writer_ratio: writerRatio(samples),
    hot_ratio: hot.length > 0 ? Math.min(...hot) : null,
    t2_ratio: samples.ratio(SLOW_DISK, "ours", "peer 2"),
  });
}

/** The share of the serial process in a hold, and from how many cores on it is the limit. */
export function writerRemarks(samples: Samples): string[] {
  return CONNECTIONS.flatMap((connections) =>
    (Object.keys(WRITERS) as Side[]).flatMap((side) => {
      const writer = writerOf(samples, side, connections);
      const all = samples.median(String(connections), side, "cpuMicros");
      if (writer === null || all === null) return [];
      const name = `${side}, ${connections} connections`;
      const share = `${shown(writer, 0)} of ${shown(all, 0)} µs a hold are of ${WRITERS[side]}`;
      const limit = `from ${(all / writer).toFixed(1)} cores on it is the limit`;
      return [`${name}: ${share}; ${limit}, ${shown(1e6 / writer, 0)} holds a second.`];
    }),
  );
}
