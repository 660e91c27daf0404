/**
 * One process has a data directory to itself: its supervisor, or a command that wants no service on
 * it. The lock is an open SQLite transaction: the kernel releases it when the process dies, however
 * it dies, so there is never a stale lock to clear by hand.
 */
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../lifecycle.ts";

export interface Lock {
  release(): void;
}

/**
 * Takes `DATA_DIR/lock.db` for the life of the process, making the directory if it is missing.
 *
 * @throws StartRefused naming the process that holds it.
 */
export function takeLock(dataDir: string): Lock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const pidPath = join(dataDir, "lock.pid");
  const database = new Database(join(dataDir, "lock.db"));
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if ((cause as { code?: unknown }).code !== "SQLITE_BUSY") throw cause;
    throw new StartRefused(`${dataDir} is in use by process ${readPid(pidPath)}`, { cause });
  }
  writeFileSync(pidPath, `${process.pid}\n`);
  return { release: () => database.close() };
}

/** The pid is only for the message: the lock itself is what counts. */
function readPid(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "(unknown)";
  }
}
