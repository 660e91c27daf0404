/** Compares the payment provider's charges with the journal. */
import { existsSync } from "node:fs";
import { RecordReaderOn } from "../../../engine/log/record-store.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { missingForPayments, openPaymentProvider } from "../../../jobs/payments/providers.ts";
import { isSettled, reconcile } from "../../../jobs/payments/reconcile.ts";
import { type Environment, journalPath, readConfig } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { logger, logOf } from "../../lib/log.ts";
import { reportFindings, unknownSinceMs } from "../backups/reconciliation.ts";
import { readRestoration } from "../backups/restoration.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import { type Command, type Installation, onInstallation } from "./command.ts";

function sinceOf(args: Arguments, dataDir: string): number {
  if (args.isSet("since")) {
    const sinceMs = Date.parse(args.text("since"));
    if (Number.isNaN(sinceMs)) throw new UsageError("--since must be an RFC 3339 instant");
    return sinceMs;
  }
  const restoration = readRestoration(dataDir);
  return restoration === null ? 0 : unknownSinceMs(restoration);
}

function run(env: Environment, args: Arguments) {
  const config = readConfig(env);
  const path = journalPath(config.dataDir);
  const missing = missingForPayments(config);
  if (missing !== null) throw new StartRefused(`payments are not configured: set ${missing}`);
  if (!existsSync(path)) throw new StartRefused(`no journal at ${path}: set DATA_DIR`);
  const sinceMs = sinceOf(args, config.dataDir);
  const refundsOrphans = args.isSet("refund-orphans");
  const log = logOf(logger("admin", config));
  const work = async ({ store }: Installation) => {
    const provider = openPaymentProvider(config);
    const db = openForReading(path);
    try {
      const records = new RecordReaderOn(db);
      const found = await reconcile({ provider, records, sinceMs, refundsOrphans, log });
      // Without refunds nothing changes, so no notice is written.
      if (refundsOrphans) reportFindings(found, { store, log, run: new Date().toISOString() });
      return { since: new Date(sinceMs).toISOString(), is_settled: isSettled(found), ...found };
    } finally {
      db.close();
      provider.close();
    }
  };
  return onInstallation(() => null, work)(env, args);
}

export const paymentsReconcile: Command = {
  name: "payments reconcile",
  summary: "compare the payment provider's charges with the journal",
  options: {
    since: {
      value: "INSTANT",
      help: "only charges changed since (after a restore since the back-up, else all)",
    },
    "refund-orphans": { help: "refund charges that are missing from the journal" },
  },
  run,
};
