/**
 * Holds on a slow disk (T2): every sync of our processes and of peer 2's Redis takes 1.8 ms longer,
 * as on a disk over a network. Whoever answers each write after a sync of its own waits for as many
 * of them; a group waits for one.
 */
import type { Bench } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import { type HoldLoad, holdOurs } from "./holds.ts";
import type { Run } from "./measure.ts";
import { runPeer } from "./peer-runs.ts";
import { groupOf, medianOf, type Series } from "./report.ts";
import type { Group, Verdict } from "./result.ts";

/** The name that `--only` knows, behind that of the holds. */
export const SLOW_DISK = "slow-disk";
export const STAGE = "holds, slow disk";
const CONNECTIONS = 64;
const DELAY_MICROS = 1_800;
/** The tracer is nobody's parent: the process it slows down keeps its pid and its signals. */
const TRACER = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"];
const SYNCS = "fdatasync,fsync";
const DELAY = ["-e", `trace=${SYNCS}`, "-e", `inject=${SYNCS}:delay_exit=${DELAY_MICROS}`];
const SLOWED = [...TRACER, ...DELAY];

type Side = "ours" | "peer 2";

/** Who takes part: the peer only where it was asked for. */
export function sidesOf(hasPeers: boolean): readonly Side[] {
  return hasPeers ? ["ours", "peer 2"] : ["ours"];
}

/** What came of the series; null when syncs cannot be slowed down on this machine. */
export class SlowHolds {
  readonly #runs: Readonly<Record<Side, Run[]>> = { ours: [], "peer 2": [] };

  add(side: Side, run: Run): void {
    this.#runs[side].push(run);
  }

  get group(): Group {
    const all = sidesOf(true).flatMap((side) => this.#seriesOf(side));
    const title = `POST /v1/holds, ${CONNECTIONS} connections, every sync ${DELAY_MICROS} µs slower`;
    return groupOf({ id: SLOW_DISK, title, compares: "speed", baseline: "peer 2" }, all);
  }

  /** Holds a second, ours ÷ peer 2; null when either was not measured. */
  get ratio(): number | null {
    const [[ours], [theirs]] = [this.#seriesOf("ours"), this.#seriesOf("peer 2")];
    const speed = (run: Run) => run.requestsPerSecond;
    return ours && theirs ? medianOf(ours, speed) / medianOf(theirs, speed) : null;
  }

  get verdicts(): Verdict[] {
    const [ours] = this.#seriesOf("ours");
    if (ours === undefined) return [];
    const where = `${CONNECTIONS} connections, slow disk`;
    const { ratio } = this;
    const p99 = { measured: medianOf(ours, (run) => run.p99Ms), target: 25, goal: 15 };
    return [
      ...(ratio === null
        ? []
        : [
            {
              ...{ name: "T2", text: `ours ÷ peer 2, ${where}`, measured: ratio },
              ...{ target: 1.5, goal: 2, bound: "at least" as const },
            },
          ]),
      { name: "T2", text: `p99 ms of a hold, ${where}`, ...p99, bound: "at most" },
    ];
  }

  get ratioLines(): string[] {
    return this.ratio === null ? [] : [`t2_ratio=${this.ratio.toFixed(3)}`];
  }

  #seriesOf(side: Side): Series[] {
    const runs = this.#runs[side];
    return runs.length > 0 ? [{ name: side, runs }] : [];
  }
}

function canSlowDown(): boolean {
  if (Bun.which("strace") === null) return false;
  return Bun.spawnSync(["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "true"]).success;
}

/** All rounds. Throws when a hold is refused or something is not conserved. */
export async function measureSlowHolds(fixture: Fixture, bench: Bench): Promise<SlowHolds | null> {
  const { timing, holdRuns, peers, progress, directory } = bench;
  if (!canSlowDown()) {
    progress.note("No slow disk: strace, which slows the syncs down, cannot run on this machine.");
    return null;
  }
  const holds = new SlowHolds();
  const load: HoldLoad = { connections: CONNECTIONS, crowd: "spread", ...timing };
  for (let round = 0; round < holdRuns; round += 1) {
    for (const side of sidesOf(peers)) {
      const run = await progress.run(STAGE, { what: side, round, of: holdRuns }, () =>
        side === "ours"
          ? holdOurs(fixture, load, SLOWED)
          : runPeer("peer 2", { directory, storeWrapper: SLOWED }, load),
      );
      if (run !== null) holds.add(side, run);
    }
  }
  return holds;
}
