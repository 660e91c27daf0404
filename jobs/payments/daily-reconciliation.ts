/**
 * Compares the charges of the last day with the provider, once a day: an event that was lost, or a
 * refund that failed weeks later, is found here. What differs is read again; what still differs is
 * reported.
 */
import type { Payment } from "../../engine/core/records.ts";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import type { PaymentProvider } from "./provider.ts";
import type { PaymentWork } from "./queue.ts";
import { type Reconciliation, reconcile } from "./reconcile.ts";

const LOOK_EVERY_MS = 60_000;
/** After the rush of a start. */
const FIRST_AFTER_MS = 600_000;
const EVERY_MS = 24 * 3_600_000;
/** After a failure. */
const AGAIN_AFTER_MS = 3_600_000;
/** A run covers a little more than the time since the one before. */
const WINDOW_MS = 26 * 3_600_000;

export interface DailyReconciliationOptions {
  readonly provider: PaymentProvider;
  readonly records: RecordReaderOn;
  /** Settles due work; resolves when it is done. */
  readonly settle: (work: PaymentWork) => Promise<void>;
  readonly report: (found: Reconciliation) => void;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Runs ten minutes after the start and then daily. */
export class DailyReconciliation implements Service {
  readonly id = "daily reconciliation";
  readonly #options: DailyReconciliationOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => {
    if (this.#options.now() >= this.#nextMs) void this.run();
  });
  #nextMs: number;

  constructor(options: DailyReconciliationOptions) {
    this.#options = options;
    this.#nextMs = options.now() + FIRST_AFTER_MS;
  }

  start(): void {
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** One pass; a failure is logged and repeated an hour later. */
  async run(): Promise<void> {
    const { provider, records, settle, report, now, log } = this.#options;
    this.#nextMs = now() + EVERY_MS;
    const sinceMs = now() - WINDOW_MS;
    const recheck = async ({ payment_id, provider_ref, booking_id }: Payment) => {
      await settle({ kind: "payment", id: payment_id });
      if (provider_ref !== null) await settle({ kind: "dispute", id: provider_ref });
      const refundIds = records.booking(booking_id)?.refund_ids ?? [];
      for (const id of refundIds) await settle({ kind: "refund", id });
    };
    const pass = () =>
      reconcile({ provider, records, sinceMs, refundsOrphans: false, recheck, log });
    try {
      const found = await pass();
      // What a booking changed while its charge was listed is equal in the next pass.
      report(found.findings.length === 0 ? found : foundAgain(found, await pass()));
    } catch (error) {
      this.#nextMs = now() + AGAIN_AFTER_MS;
      log("warn", "cannot reconcile with the payment provider", { error: String(error) });
    }
  }
}

/** The findings of a pass about payments that the pass before had found too. */
function foundAgain(before: Reconciliation, { charges, findings }: Reconciliation): Reconciliation {
  const known = new Set(
    before.findings.flatMap(({ orphans, differences }) => {
      return [...orphans, ...differences].map(({ payment_id }) => payment_id);
    }),
  );
  const again = findings.map(({ orphans, differences, ...realm }) => ({
    ...realm,
    orphans: orphans.filter(({ payment_id }) => known.has(payment_id)),
    differences: differences.filter(({ payment_id }) => known.has(payment_id)),
  }));
  const found = again.filter((each) => each.orphans.length + each.differences.length > 0);
  return { charges, findings: found };
}
