/** SQLite files beside the journal, written by the worker and every api process. */
import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";

/**
 * Long, because several processes may open a new file at once and the switch to WAL is exclusive.
 */
const OPEN_TIMEOUT_MS = 5_000;

/** The file has the format of another version, and only that one may use it. */
export class OtherFormat extends Error {
  override readonly name = "OtherFormat";

  readonly path: string;
  readonly format: number;
  readonly known: number;

  constructor(path: string, format: number, known: number) {
    super(`${path} has format ${format}, this version reads format ${known}`);
    this.path = path;
    this.format = format;
    this.known = known;
  }
}

export interface StoreFile {
  /** SQL of the tables of a new file. */
  readonly tables: string;
  readonly format: number;
  /** `full`: every commit survives a power cut. */
  readonly synchronous: "normal" | "full";
  /** How long a write waits for another process. */
  readonly busyTimeoutMs: number;
}

/**
 * Opens the file, or creates it with access for its owner only.
 *
 * @throws OtherFormat; SQLite's error for a file that is not a database.
 */
export function openStoreFile(path: string, file: StoreFile): Database {
  // SQLite's companion files get the permissions of the file.
  closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { strict: true });
  try {
    db.run(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`);
    db.run("PRAGMA journal_mode = WAL");
    db.run(`PRAGMA synchronous = ${file.synchronous}`);
    db.transaction(() => makeTables(db, path, file)).immediate();
    db.run(`PRAGMA busy_timeout = ${file.busyTimeoutMs}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeTables(db: Database, path: string, { tables, format }: StoreFile): void {
  const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  const known = found?.user_version ?? 0;
  if (known === format) return;
  if (known !== 0) throw new OtherFormat(path, known, format);
  db.run(tables);
  db.run(`PRAGMA user_version = ${format}`);
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
