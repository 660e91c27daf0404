/** The whole journey of an agent: search, quote, hold, book, read, cancel. */
import { join } from "node:path";
import { mintDelegation } from "../src/ops/demo/mint-delegation.ts";
import type { Bench, Measured } from "./bench.ts";
import { Fixture } from "./fixture.ts";
import { checkConservation } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { driveClient, type FlowTask } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { judged, ratioLines, Samples, sampleOf } from "./samples.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

const AGENTS = 32;
const TOKEN_TTL_S = 600;
/** More than any front end remembers: each flow has a token that was not seen recently. */
const TRAVELERS = 4_000;

const OURS = `${AGENTS} agents`;

/**
 * Measures whole flows of 32 agents, each run on a fresh copy. Both checkouts take turns; each
 * seeds its own data. Throws when a call of a flow is refused or a hold is not conserved.
 */
export async function measureFlow(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { timing, holdRuns, before, directory, progress } = bench;
  const earlier = before === null ? null : `${OURS}, before (${before.commit})`;
  const sides = [{ name: OURS, fixture }];
  if (before === null || earlier === null) {
    progress.note("No flow_ratio: --before names the checkout that flows are compared with.");
  } else {
    const make = () => Fixture.make(join(directory, "before"), undefined, before.root);
    sides.push({
      name: earlier,
      fixture: await progress.step("flow, seeding", earlier, make),
    });
  }
  const samples = new Samples();
  for (let round = 0; round < holdRuns; round += 1) {
    for (const { name, fixture } of sides) {
      const flow = () => fixture.withCopy(null, (copy) => runFlows(fixture, copy, timing));
      const run = await progress.run("flow", { what: name, round, of: holdRuns }, flow);
      samples.add("flow", name, sampleOf(run));
    }
  }
  return flowFigures(samples, earlier);
}

/** `earlier` is the series of the earlier checkout, if there is one. */
export function flowFigures(samples: Samples, earlier: string | null): Measured {
  const measured = earlier === null ? null : samples.ratio("flow", OURS, earlier);
  const title = "search, quote, hold, book, read, cancel as one request";
  const text = "whole flows a second ÷ the commit before";
  return {
    groups: samples.group({ id: "flow", title, compares: "speed", baseline: earlier }),
    verdicts: judged([{ name: "T10", text, measured, target: 2, goal: 3, bound: "at least" }]),
    ratioLines: ratioLines({ flow_ratio: measured }),
  };
}

async function runFlows(fixture: Fixture, copy: Installation, timing: Timing): Promise<Run> {
  const { baseUrl, demo } = copy;
  const mint = (traveler: number) =>
    mintDelegation(demo.delegation, { sub: `traveler-${traveler}`, ttlS: TOKEN_TTL_S });
  const delegations = await Promise.all(Array.from({ length: TRAVELERS }, (_, i) => mint(i)));
  const { secret } = demo.agent;
  // A flow is six calls, of which three are journaled.
  const length = warmedUpBy(timing, 1 / 20);
  const task: FlowTask = {
    ...{ kind: "flows", baseUrl, secret, delegations, agents: AGENTS },
    ...length,
  };
  const run = await measure(copy, (onMeasuring) => driveClient(task, onMeasuring));
  // The journal of an earlier checkout may have another format.
  if (fixture.isOwn) checkConservation(fixture, copy, run.keys);
  return run;
}
