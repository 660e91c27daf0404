/**
 * The exclusive lock of a data directory, for its supervisor or for a command that needs a stopped
 * service. It is an open SQLite transaction, which the kernel releases when the process ends, so a
 * lock is never stale.
 */
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusalByMachine, refusedStart } from "./refused-starts.ts";

export interface Lock {
  release(): void;
}

/**
 * Takes `DATA_DIR/lock.db` until released, and creates a missing directory.
 *
 * @throws StartRefused naming the process that holds it, or the problem of the directory.
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

/** For the message only. */
function readPid(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "(unknown)";
  }
}
