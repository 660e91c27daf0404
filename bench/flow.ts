/** The whole journey of an agent: search, quote, hold, book, read, cancel. */
import { mintDelegation } from "../src/demo/mint-delegation.ts";
import type { Bench, Measured } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import { checkConservation } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { type Figures, runGenerator } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { groupOf } from "./report.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

const AGENTS = 32;
const TOKEN_TTL_S = 600;

export interface FlowOptions extends Timing {
  readonly baseUrl: string;
  readonly secret: string;
  /** A delegation token that outlives the run. */
  readonly delegation: string;
  readonly agents: number;
}

/** A whole flow counts as one request; its latency is that of its six calls together. */
export interface FlowResult extends Figures {
  /** Idempotency keys of all holds that were answered with 2xx. */
  readonly holdKeys: readonly string[];
}

/**
 * Measures whole flows of 32 agents, each run on a fresh copy, and checks that what was
 * acknowledged is conserved. Throws when a call of a flow is refused.
 */
export async function measureFlow(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { timing, runs, progress } = bench;
  const what = `${AGENTS} agents`;
  const measured: Run[] = [];
  for (let round = 0; round < runs; round += 1) {
    const run = () => fixture.withCopy(null, (copy) => runFlow(fixture, copy, timing));
    measured.push(await progress.run("flow", { what, round, of: runs }, run));
  }
  const title = "search, quote, hold, book, read, cancel as one request";
  const about = { id: "flow", title, compares: "speed", baseline: null } as const;
  return { groups: [groupOf(about, [{ name: what, runs: measured }])], verdicts: [] };
}

async function runFlow(fixture: Fixture, copy: Installation, timing: Timing): Promise<Run> {
  const { baseUrl, demo } = copy;
  const token = { sub: "traveler-1", ttlS: TOKEN_TTL_S };
  const delegation = await mintDelegation(demo.delegation, token);
  const who = { baseUrl, secret: demo.agent.secret, delegation, agents: AGENTS };
  // A flow is six calls, of which three are journaled.
  const options: FlowOptions = { ...who, ...warmedUpBy(timing, 1 / 20) };
  const run = await measure(copy, (onMeasuring) =>
    runGenerator<FlowResult>("flow-worker.ts", options, onMeasuring),
  );
  checkConservation(fixture, copy, run.holdKeys);
  return run;
}
