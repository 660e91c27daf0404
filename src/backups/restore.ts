/**
 * An installation from a back-up: a new one, with an id of its own, that knows what the back-up
 * knows and notes that it was restored until it has been reconciled with the payment provider.
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
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import { fsyncPath } from "../../engine/shell/durable.ts";
import { headPath } from "../../engine/shell/journal.ts";
import { writeInstallation } from "../base/installation.ts";
import { takeLock } from "../base/lock.ts";
import { changeSound } from "../control/checked-rows.ts";
import { openControlDatabase } from "../control/schema.ts";
import { StartRefused } from "../lifecycle.ts";
import { copyDatabase, type Progress } from "./backup.ts";
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
  /** The back-up. */
  readonly source: string;
  /** Must be empty, not there yet, or restored and never run. */
  readonly dataDir: string;
  /** Suspends every agent that is no operator. */
  readonly suspendsAgents: boolean;
  /** The original will never run again: what it charged after the back-up is refunded. */
  readonly refundsOrphans: boolean;
  /** What the sandbox provider knows now; null for what it knew at the back-up. */
  readonly ledger: string | null;
  readonly progress: Progress;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly installationId: string;
  readonly suspendedAgents: number;
}

/**
 * Restores the back-up to `dataDir`, which appears when it is whole.
 *
 * @throws StartRefused when the back-up is not what was written, or the directory is of no use.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { source, progress, ledger } = options;
  const named = resolve(options.dataDir);
  const dataDir = existsSync(named) ? realpathSync(named) : named;
  refuseUnlessFree(dataDir);
  progress.step("checking the back-up");
  const manifest = await readManifest(source);
  if (ledger !== null && !existsSync(ledger)) throw new StartRefused(`there is no ${ledger}`);
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
      progress.step(`no ${DELIVERIES_FILE} in it: endpoints get the events of five days once more`);
    }
    if (ledger !== null) {
      rmSync(join(temporary, LEDGER_FILE), { force: true });
      copyDatabase(ledger, join(temporary, LEDGER_FILE));
    }
    progress.step("verifying the restored journal");
    verifyAgainst(manifest, join(temporary, JOURNAL_FILE), progress);
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
    return { manifest, installationId, suspendedAgents };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @throws StartRefused when the directory is in use, or holds what a restore would destroy. */
function refuseUnlessFree(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  if (existsSync(join(dataDir, "lock.db"))) takeLock(dataDir).release();
  // An engine leaves its witness at once; without one no row can have been added.
  const isUnused = isRestored(dataDir) && !existsSync(headPath(join(dataDir, JOURNAL_FILE)));
  if (!isUnused) throw new StartRefused(`${dataDir} is not empty: move it away, or set DATA_DIR`);
}

function putInPlace(temporary: string, dataDir: string): void {
  try {
    if (existsSync(dataDir)) rmSync(dataDir, { recursive: true });
    renameSync(temporary, dataDir);
    fsyncPath(dirname(dataDir));
  } catch (cause) {
    const message = `${dataDir} cannot be replaced: restore to a directory in it`;
    throw new StartRefused(message, { cause });
  }
}

function verifyAgainst({ journal }: Manifest, path: string, progress: Progress): void {
  try {
    const found = verifyJournal(path, progress.rows);
    if (Bun.deepEquals(found, journal)) return;
    const places = `row ${found.row}, the manifest says row ${journal.row}`;
    throw new StartRefused(`backup_damaged: the journal ends at ${places}`);
  } catch (cause) {
    if (!(cause instanceof Damage || cause instanceof RecordDamaged)) throw cause;
    throw new StartRefused(`backup_damaged: ${cause.message}`, { cause });
  }
}

/**
 * Suspends all that may act but operators, and returns how many. Webhook endpoints are paused:
 * what happens here from now on is nobody's news while the original runs.
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
