/** SQLite files beside the journal, which the worker and every api process write side by side. */
import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";

/** Several processes may open a new file at once, and switching to WAL needs it exclusively. */
const OPEN_TIMEOUT_MS = 5_000;

/** The file was written by a version with another format: only that one may go on with it. */
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
  /** SQL that makes the tables of a new file. */
  readonly tables: string;
  readonly format: number;
  /** `full` makes every commit survive a power cut. */
  readonly synchronous: "normal" | "full";
  /** How long a write waits for another process. */
  readonly busyTimeoutMs: number;
}

/**
 * Opens the file, making it when it is missing, readable by nobody else.
 *
 * @throws OtherFormat, and what SQLite says of a file that is none of its own.
 */
export function openStoreFile(path: string, file: StoreFile): Database {
  // What SQLite puts beside a file has the rights of the file.
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

/** True of an error that means no more than that another process is writing. */
export function isBusy(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}

/** Why a file takes no writes. */
export type StorageTrouble = "disk_full" | "read_only" | "io_error";

const TROUBLES: readonly (readonly [StorageTrouble, RegExp])[] = [
  ["disk_full", /^(SQLITE_FULL|ENOSPC|EDQUOT)/],
  ["read_only", /^(SQLITE_READONLY|SQLITE_CANTOPEN|EROFS|EACCES)/],
  ["io_error", /^(SQLITE_IOERR|EIO)/],
];

/** The trouble that an error of SQLite or the system tells of; null for any other error. */
export function storageTroubleOf(error: unknown): StorageTrouble | null {
  const code = String((error as { readonly code?: unknown } | null)?.code);
  return TROUBLES.find(([, codes]) => codes.test(code))?.[0] ?? null;
}
