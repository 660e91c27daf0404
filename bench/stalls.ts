/** How long the holds of one tenant take while another changes its supply without a pause. */
import type { Bench, Measured } from "./bench.ts";
import { importing, updating } from "./bulk.ts";
import type { Fixture } from "./fixture.ts";
import { type HoldRun, holdInTurns, quietAround } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { assertAllGood, driveClient, type SteadyTask } from "./load.ts";
import { measure } from "./measure.ts";
import type { Verdict } from "./result.ts";
import { judged, Samples } from "./samples.ts";
import type { Timing } from "./timing.ts";

/** Far below what the machine can do: waiting is measured, not capacity. */
const HOLDS_PER_SECOND = 50;
/** p99 of a hold while another tenant is busy ÷ p99 while it is quiet. */
const RATIO_MAX = 3;

const QUIET = "no other is busy";
const BUSY = [
  { name: "another imports properties", start: importing },
  { name: "another sends 512 KiB of rates in a row", start: updating },
];
export const STALL_TURNS = quietAround(QUIET, BUSY);

/**
 * Measures holds with and without another tenant's changes, each round on a fresh copy.
 *
 * @throws Error when a hold or a change is refused, or a hold is not conserved.
 */
export async function measureStalls(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { timing, runs } = bench;
  const samples = new Samples();
  const hold = steadyHolds(fixture, timing);
  for (let round = 0; round < runs; round += 1) {
    const about = { stage: "stalls", turns: STALL_TURNS, samples, hold, round, of: runs };
    await fixture.withCopy("spread", (copy) => holdInTurns(fixture, copy, bench, about));
  }
  const title = `POST /v1/holds, ${HOLDS_PER_SECOND} a second`;
  const about = { id: "holds", title, compares: "p99Ms", baseline: QUIET } as const;
  return { groups: samples.group(about), verdicts: stallVerdicts(samples) };
}

/** `HOLDS_PER_SECOND` holds a second. Throws when one is refused. */
export function steadyHolds({ quotes }: Fixture, { seconds }: Timing) {
  const quoteIds = quotes.spread.map(({ quote_id }) => quote_id);
  return async (copy: Installation, keyPrefix: string): Promise<HoldRun> => {
    const { baseUrl, demo } = copy;
    const task: SteadyTask = {
      ...{ kind: "steady", baseUrl, secret: demo.agent.secret, quoteIds, keyPrefix },
      ...{ perSecond: HOLDS_PER_SECOND, seconds, warmupSeconds: seconds / 2 },
    };
    const run = await measure(copy, (onMeasuring) => driveClient(task, onMeasuring));
    assertAllGood("holds", run);
    return run;
  };
}

/** p99 of holds while another is busy ÷ that of the quiet turns of the same rounds. */
export function stallVerdicts(samples: Samples): Verdict[] {
  return judged(
    BUSY.map(({ name }) => ({
      ...{ name: "stalls", text: `p99 of a hold while ${name} ÷ quiet` },
      measured: samples.ratio("holds", name, QUIET, "p99Ms"),
      ...{ target: RATIO_MAX, bound: "at most" },
    })),
  );
}
