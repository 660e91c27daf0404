/**
 * One process has a data directory to itself: its supervisor, or a command that wants no service on
 * it. The lock is an open SQLite transaction: the kernel releases it when the process dies, however
 * it dies, so there is never a stale lock to clear by hand.
 */
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusalByMachine, refusedStart } from "./refused-starts.ts";

export interface Lock {
  release(): void;
}

/**
 * Takes `DATA_DIR/lock.db` for the life of the process, making the directory if it is missing.
 *
 * @throws StartRefused naming the process that holds it, or saying why the directory is of no use.
 */
export function takeLock(dataDir: string): Lock {
  const pidPath = join(dataDir, "lock.pid");
  let database: Database | null = null;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const opened = new Database(join(dataDir, "lock.db"));
    database = opened;
    opened.run("PRAGMA busy_timeout = 0");
    opened.run("BEGIN EXCLUSIVE");
    writeFileSync(pidPath, `${process.pid}\n`);
    return { release: () => opened.close() };
  } catch (cause) {
    database?.close();
    const isHeld = (cause as { readonly code?: unknown }).code === "SQLITE_BUSY";
    if (isHeld) throw refusedStart("data_dir_in_use", { path: dataDir, pid: readPid(pidPath) });
    throw refusalByMachine(dataDir, cause);
  }
}

/** The pid is only for the message: the lock itself is what counts. */
function readPid(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "(unknown)";
  }
}
