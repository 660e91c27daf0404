/**
 * Restores a back-up as a new installation with its own id, to be reconciled with the payment
 * provider at its first start.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Damage } from "../../../engine/core/damage.ts";
import { eraseKeys, readErasures } from "../../../engine/log/erasures.ts";
import { fsyncPath } from "../../../engine/log/files.ts";
import { headPath } from "../../../engine/log/journal.ts";
import { openForWriting } from "../../../engine/log/schema.ts";
import { changeSound } from "../../access/control/checked-rows.ts";
import { openControlDatabase } from "../../access/control/schema.ts";
import { writeInstallation } from "../../lib/installation.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { takeLock } from "../../lib/lock.ts";
import { copyDatabase, erasuresBeside, type Progress } from "./backup.ts";
import {
  CONTROL_FILE,
  DELIVERIES_FILE,
  JOURNAL_FILE,
  LEDGER_FILE,
  type Manifest,
  readManifest,
} from "./manifest.ts";
import { isRestored, writeRestoration } from "./restoration.ts";
import { verifyJournal } from "./verify-journal.ts";

export interface RestoreOptions {
  /** Directory of the back-up. */
  readonly source: string;
  /** Must be empty, missing, or restored and never run. */
  readonly dataDir: string;
  /** Suspends every agent except operators. */
  readonly suspendsAgents: boolean;
  /** Refunds charges after the back-up; the original will never run again. */
  readonly refundsOrphans: boolean;
  /** Another list of erased guests than the one beside the back-up; null for none. */
  readonly erasures: string | null;
  /** Ledger of the sandbox provider to use; null for that of the back-up. */
  readonly ledger: string | null;
  readonly progress: Progress;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly installationId: string;
  readonly suspendedAgents: number;
  /** Guests that were erased after the back-up, and are again. */
  readonly erasedGuests: number;
}

/**
 * Restores the back-up to `dataDir`, which appears only when it is complete.
 *
 * @throws StartRefused when the back-up is damaged, or the directory is in use or not empty.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { source, progress, ledger } = options;
  const named = resolve(options.dataDir);
  const dataDir = existsSync(named) ? realpathSync(named) : named;
  refuseUnlessFree(dataDir);
  progress.step("checking the back-up");
  const manifest = await readManifest(source);
  const { erasures } = options;
  if (erasures !== null && !existsSync(erasures))
    throw new StartRefused(`${erasures} does not exist`);
  if (ledger !== null && !existsSync(ledger)) throw new StartRefused(`${ledger} does not exist`);
  const temporary = `${dataDir}.restoring-${process.pid}`;
  mkdirSync(join(temporary, dirname(JOURNAL_FILE)), { recursive: true, mode: 0o700 });
  try {
    for (const { path } of manifest.files) {
      progress.step(`restoring ${path}`);
      const directory = dirname(join(temporary, path));
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      copyFileSync(join(source, path), join(temporary, path));
      fsyncPath(join(temporary, path));
      fsyncPath(directory);
    }
    if (!manifest.files.some(({ path }) => path === DELIVERIES_FILE)) {
      progress.step(`no ${DELIVERIES_FILE}: endpoints receive the events of five days again`);
    }
    if (ledger !== null) {
      rmSync(join(temporary, LEDGER_FILE), { force: true });
      copyDatabase(ledger, join(temporary, LEDGER_FILE));
    }
    progress.step("verifying the restored journal");
    verifyAgainst(manifest, join(temporary, JOURNAL_FILE), progress);
    const erasedGuests = eraseAgain(join(temporary, JOURNAL_FILE), options);
    const suspendedAgents = options.suspendsAgents ? suspendAgents(temporary) : 0;
    writeRestoration(temporary, {
      restored_at: new Date().toISOString(),
      taken_at: manifest.taken_at,
      from_installation_id: manifest.installation_id,
      last_stamp: manifest.journal.last_stamp,
      refunds_orphans: options.refundsOrphans,
      reconciled_at: null,
    });
    const installationId = writeInstallation(temporary);
    fsyncPath(join(temporary, dirname(JOURNAL_FILE)));
    fsyncPath(temporary);
    putInPlace(temporary, dataDir);
    return { manifest, installationId, suspendedAgents, erasedGuests };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Deletes the keys of guests that were erased after the back-up was taken. */
function eraseAgain(path: string, { source, erasures, progress }: RestoreOptions): number {
  const lists = [erasuresBeside(source), ...(erasures === null ? [] : [erasures])];
  const ids = [...new Set(lists.flatMap(readErasures))];
  if (ids.length === 0) return 0;
  progress.step(`erasing the guests of ${ids.length} bookings again`);
  const db = openForWriting(path);
  try {
    const count = eraseKeys(db, ids);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return count;
  } finally {
    db.close();
  }
}

/** @throws StartRefused when the directory is in use or has data. */
function refuseUnlessFree(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  if (existsSync(join(dataDir, "lock.db"))) takeLock(dataDir).release();
  // An engine writes its witness first; without one no row has been added since the restore.
  const isUnused = isRestored(dataDir) && !existsSync(headPath(join(dataDir, JOURNAL_FILE)));
  if (!isUnused) throw new StartRefused(`${dataDir} is not empty: move it away, or set DATA_DIR`);
}

function putInPlace(temporary: string, dataDir: string): void {
  try {
    if (existsSync(dataDir)) rmSync(dataDir, { recursive: true });
    renameSync(temporary, dataDir);
    fsyncPath(dirname(dataDir));
  } catch (cause) {
    const message = `${dataDir} cannot be replaced: restore to a subdirectory of it`;
    throw new StartRefused(message, { cause });
  }
}

function verifyAgainst({ journal }: Manifest, path: string, progress: Progress): void {
  try {
    const found = verifyJournal(path, progress.rows);
    if (Bun.deepEquals(found, journal)) return;
    const rows = `row ${found.row}, the manifest says row ${journal.row}`;
    throw new StartRefused(`backup_damaged: the journal ends at ${rows}`);
  } catch (cause) {
    if (!(cause instanceof Damage)) throw cause;
    throw new StartRefused(`backup_damaged: ${cause.message}`, { cause });
  }
}

/**
 * Suspends all active agents except operators, and returns their number. Pauses webhook endpoints,
 * because the original may still send to them.
 */
function suspendAgents(dataDir: string): number {
  using db = openControlDatabase(join(dataDir, CONTROL_FILE));
  const changes = db.transaction(() => {
    const paused = "state = 'paused', reason = 'operator', version = version + 1";
    changeSound(db, "webhook_endpoint", ["state = 'active'"], [paused]);
    const acting = "kind <> 'operator' AND state = 'active'";
    return changeSound(db, "agent", [acting], ["state = 'suspended', version = version + 1"]);
  });
  const count = changes();
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return count;
}
