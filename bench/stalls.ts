/** How long the holds of one tenant take while another changes its supply without a pause. */
import { type Bulk, startImport, startUpdates } from "./bulk.ts";
import type { Fixture } from "./fixture.ts";
import { checkConservation, type Timing } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { assertAllGood, type Figures, runGenerator } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { medianOf, type Series, type Verdict } from "./report.ts";

/** Far below what the machine can do: what is measured is waiting, not capacity. */
const HOLDS_PER_SECOND = 50;
/** p99 of a hold while another tenant is busy ÷ p99 while it is quiet. */
const RATIO_MAX = 3;

export interface SteadyOptions extends Timing {
  readonly baseUrl: string;
  readonly secret: string;
  readonly quoteIds: readonly string[];
  /** Hold n carries the Idempotency-Key `<keyPrefix><n>`. */
  readonly keyPrefix: string;
  readonly perSecond: number;
}

export interface SteadyResult extends Figures {
  /** Idempotency keys of all holds that were answered with 2xx. */
  readonly holdKeys: readonly string[];
}

const OTHERS = {
  quiet: "no other is busy",
  import: "another imports properties",
  updates: "another sends 512 KiB of rates in a row",
} as const;
type Others = keyof typeof OTHERS;

export type StallSeries = Readonly<Record<Others, Series>>;

/** Quiet at both ends: processes are slow while they are new, and have much to collect later. */
const ROUND: readonly Others[] = ["quiet", "import", "updates", "quiet"];

/**
 * Measures holds with and without another tenant's changes, each round on one fresh copy, and
 * checks that what was acknowledged is conserved.
 *
 * @throws Error when a hold or one of the other's changes is refused.
 */
export async function measureStalls(
  fixture: Fixture,
  timing: Timing,
  runs: number,
): Promise<StallSeries> {
  const measured: Record<Others, Run[]> = { quiet: [], import: [], updates: [] };
  for (let round = 0; round < runs; round += 1) {
    await fixture.withCopy("spread", async (copy) => {
      const holdKeys: string[] = [];
      for (const [turn, others] of ROUND.entries()) {
        const keyPrefix = `${others}-${turn}-`;
        const run = await holdAgainst(fixture, { copy, others, timing, keyPrefix });
        measured[others].push(run);
        holdKeys.push(...run.holdKeys);
      }
      checkConservation(fixture, copy, holdKeys);
    });
  }
  const seriesOf = (others: Others): Series => ({
    name: `POST /v1/holds, ${HOLDS_PER_SECOND} a second, ${OTHERS[others]}`,
    runs: measured[others],
  });
  return { quiet: seriesOf("quiet"), import: seriesOf("import"), updates: seriesOf("updates") };
}

interface Turn {
  readonly copy: Installation;
  readonly others: Others;
  readonly timing: Timing;
  readonly keyPrefix: string;
}

async function holdAgainst(
  fixture: Fixture,
  { copy, others, timing, keyPrefix }: Turn,
): Promise<SteadyResult & Run> {
  const options: SteadyOptions = {
    ...{ baseUrl: copy.baseUrl, secret: copy.demo.agent.secret, ...timing },
    quoteIds: fixture.quotes.spread.map(({ quote_id }) => quote_id),
    ...{ keyPrefix, perSecond: HOLDS_PER_SECOND },
  };
  const bulk = await startBulk(copy, others);
  const run = await measure(copy, (onMeasuring) =>
    runGenerator<SteadyResult>("steady-worker.ts", options, onMeasuring),
  );
  const done = await bulk?.stop();
  if (done !== undefined) console.log(`${OTHERS[others]}: ${done} in one run`);
  assertAllGood("holds", run);
  return run;
}

async function startBulk(copy: Installation, others: Others): Promise<Bulk | null> {
  if (others === "quiet") return null;
  return others === "import" ? startImport(copy, others) : startUpdates(copy, others);
}

/** What holds took while another was busy, by what they took while all was quiet. */
export function stallVerdicts(series: StallSeries): Verdict[] {
  const p99Ms = (of: Series) => medianOf(of, (run) => run.p99Ms);
  return (["import", "updates"] as const).map((others) => ({
    name: "stalls",
    text: `p99 of a hold while ${OTHERS[others]} ÷ quiet`,
    measured: p99Ms(series[others]) / p99Ms(series.quiet),
    target: RATIO_MAX,
    bound: "at most",
  }));
}
