/**
 * `restored.json` marks a restored directory and says whether it has been reconciled with the
 * payment provider. A crash before that repeats the reconciliation.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsyncPath } from "../../../engine/log/files.ts";

export interface Restoration {
  readonly restored_at: string;
  /** Start of the back-up. */
  readonly taken_at: string;
  readonly from_installation_id: string | null;
  /** Of the last restored row. */
  readonly last_stamp: string;
  /** True when the original will never run again, so that its later charges can be refunded. */
  readonly refunds_orphans: boolean;
  /** Null until the reconciliation is complete. */
  readonly reconciled_at: string | null;
}

const RETRIED_MS = 30 * 86_400_000;

function restorationPath(dataDir: string): string {
  return join(dataDir, "restored.json");
}

/** Whether the directory was restored from a back-up. */
export function isRestored(dataDir: string): boolean {
  return existsSync(restorationPath(dataDir));
}

/** Null when the directory was not restored. */
export function readRestoration(dataDir: string): Restoration | null {
  if (!isRestored(dataDir)) return null;
  return JSON.parse(readFileSync(restorationPath(dataDir), "utf8")) as Restoration;
}

/** True for a restored directory until its reconciliation is complete. */
export function awaitsReconciliation(dataDir: string): boolean {
  return readRestoration(dataDir)?.reconciled_at === null;
}

/** True in the month after a restore: bookings that it lost may be tried again. */
export function isRecentlyRestored(dataDir: string): boolean {
  const restoration = readRestoration(dataDir);
  return restoration !== null && Date.now() - Date.parse(restoration.restored_at) < RETRIED_MS;
}

/** Replaces the file atomically. */
export function writeRestoration(dataDir: string, restoration: Restoration): void {
  const path = restorationPath(dataDir);
  const text = `${JSON.stringify(restoration, null, 2)}\n`;
  writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.tmp`, path);
  fsyncPath(dataDir);
}
