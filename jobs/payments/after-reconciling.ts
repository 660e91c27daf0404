/**
 * Payments of a restored installation: they start after the provider has reported charges that the
 * journal lost, so that no guest is charged again while a lost charge is undecided.
 */
import type { Log, Role, Service } from "../../src/lib/service.ts";
import { isSettled, NotReconciled, type Reconciliation, type reconcile } from "./reconcile.ts";

const AGAIN_AFTER_MS = 1_000;

export interface AfterReconcilingOptions {
  readonly payments: Role;
  /** One pass, see `reconcile`. */
  readonly pass: () => ReturnType<typeof reconcile>;
  /** Makes it durable that the reconciliation is done; called once. */
  readonly onDone: (reconciliation: Reconciliation) => void;
  readonly refundsOrphans: boolean;
  readonly log: Log;
}

/** Starts `payments` when every orphan is settled or, without refunds, has been reported. */
export function afterReconciling(options: AfterReconcilingOptions): Service {
  const { payments, pass, onDone, refundsOrphans, log } = options;
  const stopping = new AbortController();
  let run: Promise<void> = Promise.resolve();
  const settle = async () => {
    while (!stopping.signal.aborted) {
      try {
        const found = await pass();
        if (isSettled(found) || !refundsOrphans) return onDone(found);
      } catch (error) {
        log("error", "cannot reconcile with the payment provider", { error: String(error) });
        if (!(error instanceof NotReconciled)) throw error;
      }
      await Bun.sleep(AGAIN_AFTER_MS);
    }
  };
  const begin = async () => {
    await settle();
    if (!stopping.signal.aborted) await payments.start();
  };
  return {
    id: "reconciliation",
    start() {
      run = begin().catch((error) => {
        log("error", "payments do not start", { error: String(error) });
      });
    },
    async drain(untilMs) {
      stopping.abort();
      await payments.drain(untilMs);
    },
    async stop() {
      stopping.abort();
      await run;
      await payments.stop();
    },
  };
}
