/** How long the holds of one tenant take while another changes its supply without a pause. */
import type { Bench, Measured } from "./bench.ts";
import { type Bulk, startImport, startUpdates } from "./bulk.ts";
import type { Fixture } from "./fixture.ts";
import { checkConservation } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { assertAllGood, type Figures, runGenerator } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import type { Progress } from "./progress.ts";
import { groupOf, medianOf, type Series } from "./report.ts";
import { shown, type Verdict } from "./result.ts";
import type { Timing } from "./timing.ts";

/** Far below what the machine can do: what is measured is waiting, not capacity. */
const HOLDS_PER_SECOND = 50;
/** p99 of a hold while another tenant is busy ÷ p99 while it is quiet. */
const RATIO_MAX = 3;

export interface SteadyOptions {
  readonly seconds: number;
  /** At a fixed rate every side has as many requests in as many seconds. */
  readonly warmupSeconds: number;
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
export const STALL_TURNS: readonly Others[] = ["quiet", "import", "updates", "quiet"];

/**
 * Measures holds with and without another tenant's changes, each round on one fresh copy, and
 * checks that what was acknowledged is conserved.
 *
 * @throws Error when a hold or one of the other's changes is refused.
 */
export async function measureStalls(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { timing, runs, progress } = bench;
  const measured: Record<Others, Run[]> = { quiet: [], import: [], updates: [] };
  for (let round = 0; round < runs; round += 1) {
    await fixture.withCopy("spread", async (copy) => {
      const holdKeys: string[] = [];
      for (const [turn, others] of STALL_TURNS.entries()) {
        const keyPrefix = `${others}-${turn}-`;
        const hold = () => holdAgainst(fixture, { copy, others, timing, keyPrefix, progress });
        const run = await progress.run("stalls", { what: OTHERS[others], round, of: runs }, hold);
        measured[others].push(run);
        holdKeys.push(...run.holdKeys);
      }
      checkConservation(fixture, copy, holdKeys);
    });
  }
  const seriesOf = (others: Others): Series => ({
    name: OTHERS[others],
    runs: measured[others],
  });
  const quiet = seriesOf("quiet");
  const series = { quiet, import: seriesOf("import"), updates: seriesOf("updates") };
  const title = `POST /v1/holds, ${HOLDS_PER_SECOND} a second`;
  const about = { id: "holds", title, compares: "p99Ms", baseline: quiet.name } as const;
  return {
    groups: [groupOf(about, Object.values(series))],
    verdicts: stallVerdicts(series),
  };
}

interface Turn {
  readonly copy: Installation;
  readonly others: Others;
  readonly timing: Timing;
  readonly keyPrefix: string;
  readonly progress: Progress;
}

async function holdAgainst(
  fixture: Fixture,
  { copy, others, timing, keyPrefix, progress }: Turn,
): Promise<SteadyResult & Run> {
  const options: SteadyOptions = {
    ...{ baseUrl: copy.baseUrl, secret: copy.demo.agent.secret },
    ...{ seconds: timing.seconds, warmupSeconds: timing.seconds / 2 },
    quoteIds: fixture.quotes.spread.map(({ quote_id }) => quote_id),
    ...{ keyPrefix, perSecond: HOLDS_PER_SECOND },
  };
  const bulk = await startBulk(copy, others);
  const run = await measure(copy, (onMeasuring) =>
    runGenerator<SteadyResult>("steady-worker.ts", options, onMeasuring),
  );
  const done = await bulk?.stop();
  if (done !== undefined) progress.note(`${OTHERS[others]}: ${shown(done, 0)} in one run.`);
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
