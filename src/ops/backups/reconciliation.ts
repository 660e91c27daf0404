/**
 * Reconciles with the payment provider: daily, and a restored installation once before it takes
 * payments. The result goes to the log, as notices to the tenants' audit, and after a restore to
 * `restored.json`.
 */
import { createHash } from "node:crypto";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { afterReconciling } from "../../../jobs/payments/after-reconciling.ts";
import { DailyReconciliation } from "../../../jobs/payments/daily-reconciliation.ts";
import type { Payments } from "../../../jobs/payments/payments.ts";
import type { PaymentProvider } from "../../../jobs/payments/provider.ts";
import type { PaymentWork } from "../../../jobs/payments/queue.ts";
import {
  type Reconciliation,
  reconcile,
  type TenantFindings,
} from "../../../jobs/payments/reconcile.ts";
import { writeNotice } from "../../access/control/notices.ts";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { controlPath } from "../../config.ts";
import type { Log, Role, Service } from "../../lib/service.ts";
import { randomHex } from "../../lib/trace.ts";
import { type Restoration, readRestoration, writeRestoration } from "./restoration.ts";

/** The provider's clock may be behind ours by this much. */
const SLACK_MS = 3_600_000;
const LISTED_MAX = 100;
/** An admin command may be writing. */
const BUSY_TIMEOUT_MS = 10_000;

interface DailyOptions extends Omit<OnceReconciledOptions, "payments"> {
  readonly payments: Pick<Payments, "worker">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
}

export interface OnceReconciledOptions {
  readonly payments: Role;
  readonly provider: PaymentProvider;
  readonly records: RecordReaderOn;
  readonly log: Log;
}

/** Start of the period in which charges may be missing from a restored journal, epoch ms. */
export function unknownSinceMs({ last_stamp }: Restoration): number {
  return Date.parse(last_stamp) - SLACK_MS;
}

/** The payments service; in a restored directory it starts after the reconciliation. */
export function onceReconciled(
  dataDir: string,
  secrets: Secrets,
  { payments, provider, records, log }: OnceReconciledOptions,
): Service {
  const restoration = readRestoration(dataDir);
  if (restoration === null || restoration.reconciled_at !== null) return payments;
  const sinceMs = unknownSinceMs(restoration);
  const refundsOrphans = restoration.refunds_orphans;
  const onDone = (found: Reconciliation) => {
    reportIn(dataDir, secrets, found, { log, run: restoration.restored_at });
    writeRestoration(dataDir, { ...restoration, reconciled_at: new Date().toISOString() });
  };
  const pass = () => reconcile({ provider, records, sinceMs, refundsOrphans, log });
  return afterReconciling({ payments, pass, onDone, refundsOrphans, log });
}

/** Reconciles every day; the findings of a day are reported once. */
export function dailyReconciliation(
  dataDir: string,
  secrets: Secrets,
  { payments, provider, records, now, log }: DailyOptions,
): Service {
  const report = (found: Reconciliation) => {
    reportIn(dataDir, secrets, found, { log, run: instantIso(now()).slice(0, 10) });
  };
  const { worker } = payments;
  const settle = (work: PaymentWork) => worker.settle(work);
  return new DailyReconciliation({ provider, records, settle, report, now, log });
}

/** Reports in the control store of a directory. */
function reportIn(
  dataDir: string,
  secrets: Secrets,
  found: Reconciliation,
  options: Omit<ReportOptions, "store">,
): void {
  const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
  try {
    store.db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    reportFindings(found, { store, ...options });
  } finally {
    store.close();
  }
}

export interface ReportOptions {
  readonly store: ControlStore;
  readonly log: Log;
  /** Names this run: a repeated report under the same name writes its notices once. */
  readonly run: string;
}

/** Logs the findings and writes a notice for every affected tenant. */
export function reportFindings(
  { charges, findings }: Reconciliation,
  options: ReportOptions,
): void {
  const { store, log, run } = options;
  const isFound = findings.length > 0;
  const message = "reconciled with the payment provider";
  log(isFound ? "error" : "info", message, { charges, findings: findings.map(summaryOf) });
  store.write(() => {
    for (const found of findings) {
      const { tenant_id, mode } = found;
      if (tenant_id === null || mode === null) continue;
      const actor = { kind: "system", id: "payments" } as const;
      const cause = { tenant_id, mode, actor, trace_id: randomHex(16) };
      const data = summaryOf(found);
      const id = uuidOf(`payments.reconciled ${run} ${tenant_id} ${mode}`);
      writeNotice(store, cause, { type: "payments.reconciled", data }, id);
    }
  });
}

/** Totals, and the first findings of each kind. */
function summaryOf({ orphans, differences }: TenantFindings) {
  const totals = new Map<string, OrphanTotal>();
  for (const { state, currency, amount } of orphans) {
    const at = `${state} ${currency}`;
    const total = totals.get(at) ?? { state, currency, charges: 0, amount: 0 };
    totals.set(at, { ...total, charges: total.charges + 1, amount: total.amount + amount });
  }
  return {
    orphan_totals: [...totals.values()],
    orphans: orphans.slice(0, LISTED_MAX),
    difference_count: differences.length,
    differences: differences.slice(0, LISTED_MAX),
  };
}

interface OrphanTotal {
  readonly state: TenantFindings["orphans"][number]["state"];
  readonly currency: string;
  readonly charges: number;
  readonly amount: number;
}

/** The same id for the same text. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
