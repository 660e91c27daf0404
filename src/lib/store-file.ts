/**
 * SQLite files beside the journal, written by the worker and every api process. One that is damaged
 * or has another format refuses the start.
 */
import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { noteChangedRows } from "./changed-rows.ts";
import { isHome, isSharedInstallation } from "./installation.ts";
import { awaitPassingOn } from "./passing-on.ts";
import { refusedStart } from "./refused-starts.ts";

/**
 * Long, because several processes may open a new file at once and the switch to WAL is exclusive.
 */
const OPEN_TIMEOUT_MS = 5_000;

export interface StoreFile {
  /** SQL of the tables of a new file. */
  readonly tables: string;
  readonly format: number;
  /** SQL that brings a file from each older format to the next; the first is from format 1. */
  readonly upgrades?: readonly string[];
  /** `full`: every commit survives a power cut. */
  readonly synchronous: "normal" | "full";
  /** How long a write waits for another process. */
  readonly busyTimeoutMs: number;
  /** True for a file that is not in back-ups because it can be removed; default false. */
  readonly isRecreated?: boolean;
  /** True for a file that the worker writes all the time; default false. */
  readonly isOfWorker?: boolean;
  /** True for a file that each of several machines has of its own; default false. */
  readonly isLocal?: boolean;
}

/**
 * Opens the file, or creates it with access for its owner only.
 *
 * @throws StartRefused when the file is damaged or has another format.
 */
export function openStoreFile(path: string, file: StoreFile): Database {
  // SQLite's companion files get the permissions of the file.
  closeSync(openSync(path, "a", 0o600));
  const named = file.isRecreated ? withRemoval(path) : path;
  return refusingDamage(named, () => open(path, file));
}

function open(path: string, file: StoreFile): Database {
  const db = new Database(path, { strict: true });
  try {
    db.run(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`);
    db.run("PRAGMA journal_mode = WAL");
    db.run(`PRAGMA synchronous = ${file.synchronous}`);
    const isUpgraded = db.transaction(() => makeTables(db, path, file)).immediate();
    if (!file.isLocal && isSharedInstallation(dirname(path))) {
      if (!isHome(dirname(path))) throw refusedStart("not_home", { path: dirname(path) });
      noteChangedRows(db, isUpgraded);
      awaitPassingOn(db, file.isOfWorker ? "worker" : "clients");
    }
    // Reads the schema: the first statement of a caller would find its damage too late.
    db.query("SELECT count(*) FROM sqlite_schema").get();
    db.run(`PRAGMA busy_timeout = ${file.busyTimeoutMs}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Returns whether it was a file of an older format. */
function makeTables(
  db: Database,
  path: string,
  { tables, format, upgrades = [] }: StoreFile,
): boolean {
  const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  const known = found?.user_version ?? 0;
  if (known === format) return false;
  const steps = known === 0 ? [tables] : upgrades.slice(known - 1);
  if (known > format || steps.length === 0) {
    throw refusedStart("file_of_other_format", { file: path, format: known, known: format });
  }
  for (const step of steps) db.run(step);
  db.run(`PRAGMA user_version = ${format}`);
  return known > 0;
}

/** The name of a file in a refusal that otherwise asks for a back-up. */
export function withRemoval(path: string): string {
  return `${path} (not in back-ups: remove ${path}* to recreate it)`;
}

/**
 * Runs `work` on the file `named`.
 *
 * @throws StartRefused when SQLite finds the file damaged; other errors unchanged.
 */
export function refusingDamage<T>(named: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw refusalOf(named, cause);
  }
}

/** As `refusingDamage`, for a start that may find damage that opening does not. */
export async function startingOn(named: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (cause) {
    throw refusalOf(named, cause);
  }
}

function refusalOf(file: string, cause: unknown): unknown {
  const { code, message } = cause as Error & { readonly code?: unknown };
  const isDamaged = code === "SQLITE_NOTADB" || String(code).startsWith("SQLITE_CORRUPT");
  return isDamaged ? refusedStart("file_damaged", { file, problem: message }, cause) : cause;
}

/** True for SQLite's error when another process is writing. */
export function isBusy(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}

/** Why a file accepts no writes. */
export type StorageTrouble = "disk_full" | "read_only" | "io_error";

const TROUBLES: readonly (readonly [StorageTrouble, RegExp])[] = [
  ["disk_full", /^(SQLITE_FULL|ENOSPC|EDQUOT)/],
  ["read_only", /^(SQLITE_READONLY|SQLITE_CANTOPEN|EROFS|EACCES)/],
  ["io_error", /^(SQLITE_IOERR|EIO)/],
];

/** The storage trouble of an error of SQLite or the system; null for other errors. */
export function storageTroubleOf(error: unknown): StorageTrouble | null {
  const code = String((error as { readonly code?: unknown } | null)?.code);
  return TROUBLES.find(([, codes]) => codes.test(code))?.[0] ?? null;
}
