/**
 * The note that a directory was restored: what is unknown since when, and whether the payment
 * provider has been asked. It outlives every crash until it has.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsyncPath } from "../../engine/shell/durable.ts";

export interface Restoration {
  readonly restored_at: string;
  /** When the back-up began. */
  readonly taken_at: string;
  readonly from_installation_id: string | null;
  /** Of the last row that was restored. */
  readonly last_stamp: string;
  /** The original will never run again, so nobody else answers for its charges. */
  readonly refunds_orphans: boolean;
  /** When the payment provider had been asked and all was settled; null until then. */
  readonly reconciled_at: string | null;
}

function restorationPath(dataDir: string): string {
  return join(dataDir, "restored.json");
}

/** True when the directory came from a back-up. */
export function isRestored(dataDir: string): boolean {
  return existsSync(restorationPath(dataDir));
}

/** The note, or null when the directory is no restored one. */
export function readRestoration(dataDir: string): Restoration | null {
  if (!isRestored(dataDir)) return null;
  return JSON.parse(readFileSync(restorationPath(dataDir), "utf8")) as Restoration;
}

/** True until the payment provider of a restored directory has been asked. */
export function awaitsReconciliation(dataDir: string): boolean {
  return readRestoration(dataDir)?.reconciled_at === null;
}

/** Writes the note whole. */
export function writeRestoration(dataDir: string, restoration: Restoration): void {
  const path = restorationPath(dataDir);
  const text = `${JSON.stringify(restoration, null, 2)}\n`;
  writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.tmp`, path);
  fsyncPath(dataDir);
}
