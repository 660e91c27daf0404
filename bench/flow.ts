/** The whole journey of an agent: search, quote, hold, book, read, cancel. */
import { join } from "node:path";
import { journalPath } from "../src/config.ts";
import { mintDelegation } from "../src/ops/demo/mint-delegation.ts";
import type { Bench } from "./bench.ts";
import { diskOf, shareOf } from "./disk.ts";
import { Fixture } from "./fixture.ts";
import { checkConservation } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { type Figures, runGenerator } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { groupOf, medianOf, type Series } from "./report.ts";
import type { Group, Verdict } from "./result.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

const AGENTS = 32;
const TOKEN_TTL_S = 600;
/** More than any front end remembers: each flow comes with a token that was not seen lately. */
const TRAVELERS = 4_000;

export interface FlowOptions extends Timing {
  readonly baseUrl: string;
  readonly secret: string;
  /** Delegation tokens that outlive the run, each another traveler's. */
  readonly delegations: readonly string[];
  readonly agents: number;
}

/** A whole flow counts as one request; its latency is that of its six calls together. */
export interface FlowResult extends Figures {
  /** Idempotency keys of all holds that were answered with 2xx. */
  readonly holdKeys: readonly string[];
}

/** The flows of this checkout, and of an earlier one where there is one to be held against. */
export interface FlowSeries {
  readonly group: Group;
  readonly verdicts: readonly Verdict[];
  /** `flow_ratio=…`: flows a second ÷ those of the commit before. */
  readonly ratioLines: readonly string[];
}

/**
 * Measures whole flows of 32 agents, each run on a fresh copy, and checks that what was
 * acknowledged is conserved, unless an earlier checkout ran: its journal may have another format.
 * Both checkouts take turns; each seeds its own data. Throws when a call of a flow is refused.
 */
export async function measureFlow(fixture: Fixture, bench: Bench): Promise<FlowSeries> {
  const { timing, holdRuns, before, directory, progress } = bench;
  const ours = { name: `${AGENTS} agents`, fixture, runs: [] as Run[] };
  const sides = [ours];
  if (before === null) {
    progress.note("No flow_ratio: --before names the checkout that flows are held against.");
  } else {
    const name = `${ours.name}, before (${before.commit})`;
    const make = () => Fixture.make(join(directory, "before"), undefined, before.root);
    const seeded = await progress.step("flow, seeding", name, make);
    sides.push({ name, fixture: seeded, runs: [] });
  }
  for (let round = 0; round < holdRuns; round += 1) {
    for (const side of sides) {
      const weighs = side === ours && round === 0;
      const flow = async (copy: Installation) => {
        const path = journalPath(copy.dataDir);
        const seeded = weighs ? diskOf(path) : null;
        const run = await runFlow(side.fixture, copy, timing);
        if (seeded) progress.note(diskRemark(shareOf(seeded, diskOf(path), run.holdKeys.length)));
        return run;
      };
      const at = { what: side.name, round, of: holdRuns };
      const run = await progress.run("flow", at, () => side.fixture.withCopy(null, flow));
      side.runs.push(run);
    }
  }
  return flowSeriesOf(sides);
}

/** A kilobyte each is a gigabyte for a million. */
function diskRemark(share: string): string {
  return `A flow takes ${share} in the journal: as many GB a year of a million bookings.`;
}

/** What is told of runs: ours, and those of the commit before if there are any. */
export function flowSeriesOf([ours, before]: readonly Series[]): FlowSeries {
  if (ours === undefined) throw new Error("no flows were measured");
  const title = "search, quote, hold, book, read, cancel as one request";
  const about = { id: "flow", title, compares: "speed" } as const;
  if (before === undefined) {
    return { group: groupOf({ ...about, baseline: null }, [ours]), verdicts: [], ratioLines: [] };
  }
  const speed = (run: Run) => run.requestsPerSecond;
  const measured = medianOf(ours, speed) / medianOf(before, speed);
  const text = "whole flows a second ÷ the commit before";
  return {
    group: groupOf({ ...about, baseline: before.name }, [ours, before]),
    verdicts: [{ name: "T10", text, measured, target: 2, goal: 3, bound: "at least" }],
    ratioLines: [`flow_ratio=${measured.toFixed(3)}`],
  };
}

async function runFlow(
  fixture: Fixture,
  copy: Installation,
  timing: Timing,
): Promise<FlowResult & Run> {
  const { baseUrl, demo } = copy;
  const mint = (traveler: number) =>
    mintDelegation(demo.delegation, { sub: `traveler-${traveler}`, ttlS: TOKEN_TTL_S });
  const delegations = await Promise.all(Array.from({ length: TRAVELERS }, (_, i) => mint(i)));
  const who = { baseUrl, secret: demo.agent.secret, delegations, agents: AGENTS };
  // A flow is six calls, of which three are journaled.
  const options: FlowOptions = { ...who, ...warmedUpBy(timing, 1 / 20) };
  const run = await measure(copy, (onMeasuring) =>
    runGenerator<FlowResult>("flow-worker.ts", options, onMeasuring),
  );
  if (fixture.isOwn) checkConservation(fixture, copy, run.holdKeys);
  return run;
}
