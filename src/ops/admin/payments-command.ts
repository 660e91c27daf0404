/** Compares the payment provider's charges with the journal. */
import { existsSync } from "node:fs";
import { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { missingForPayments, openPaymentProvider } from "../../../jobs/payments/providers.ts";
import {
  type Difference,
  isSettled,
  type Orphan,
  reconcile,
  type TenantFindings,
} from "../../../jobs/payments/reconcile.ts";
import { journalPath, readConfig } from "../../config.ts";
import { flag, parsed, UsageError, type Values } from "../../lib/command-line.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { logger, logOf } from "../../lib/log.ts";
import { reportFindings, unknownSinceMs } from "../backups/reconciliation.ts";
import { readRestoration } from "../backups/restoration.ts";
import { command, type Session } from "../cli/command.ts";
import { printing, withInstallation } from "./command.ts";

const OPTIONS = {
  since: parsed(
    "INSTANT",
    "only charges changed since (after a restore since the back-up, else all)",
    (given, name) => {
      const sinceMs = Date.parse(given);
      if (Number.isNaN(sinceMs)) throw new UsageError(`${name} must be an RFC 3339 instant`);
      return sinceMs;
    },
  ),
  "refund-orphans": flag(
    "refund charges that are missing from the journal, or whose payment failed there",
  ),
};

function sinceRestoreMs(dataDir: string): number {
  const restoration = readRestoration(dataDir);
  return restoration === null ? 0 : unknownSinceMs(restoration);
}

/** Each finding with what an operator can do about it. */
function withNextSteps({ orphans, differences, ...realm }: TenantFindings) {
  return {
    ...realm,
    orphans: orphans.map((found) => ({ ...found, next_step: orphanStep(found) })),
    differences: differences.map((found) => ({ ...found, next_step: differenceStep(found) })),
  };
}

const GIVE_BACK = "npm run admin -- payments reconcile --refund-orphans";

function orphanStep({ state }: Orphan): string | null {
  return state === "open" || state === "standing" ? GIVE_BACK : null;
}

function differenceStep({ payment_id, provider, journal }: Difference): string {
  const isTaken = provider.state === "captured";
  if (journal.state === "failed") return isTaken ? GIVE_BACK : "none: no money was taken";
  if (provider.state === "captured_twice") {
    return `refund the charge of ${payment_id} at the provider that has another reference`;
  }
  if (!isTaken) return `find out at the provider why ${payment_id} is not captured`;
  if (provider.refunded !== journal.refunded) {
    return "none: a running worker reads the refunds again within a day";
  }
  return `compare the amounts of ${payment_id} at the provider`;
}

function run({ env }: Session, given: Values<typeof OPTIONS>) {
  const config = readConfig(env);
  const path = journalPath(config.dataDir);
  const missing = missingForPayments(config);
  if (missing !== null) throw new StartRefused(`payments are not configured: set ${missing}`);
  if (!existsSync(path)) throw new StartRefused(`no journal at ${path}: set DATA_DIR`);
  const { since: sinceMs = sinceRestoreMs(config.dataDir), "refund-orphans": refundsOrphans } =
    given;
  const log = logOf(logger("admin", config));
  return withInstallation(env, async ({ store }) => {
    const provider = await openPaymentProvider(config);
    const db = openForReading(path);
    try {
      const records = new RecordReaderOn(db);
      const found = await reconcile({ provider, records, sinceMs, refundsOrphans, log });
      // Without refunds nothing changes, so no notice is written.
      if (refundsOrphans) reportFindings(found, { store, log, run: new Date().toISOString() });
      const since = new Date(sinceMs).toISOString();
      const findings = found.findings.map(withNextSteps);
      return { since, is_settled: isSettled(found), charges: found.charges, findings };
    } finally {
      db.close();
      provider.close();
    }
  });
}

export const paymentsReconcile = command({
  name: "payments reconcile",
  summary: "compare the payment provider's charges with the journal",
  options: OPTIONS,
  run: printing(run),
});
