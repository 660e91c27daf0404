/**
 * Whatever lasts is nobody else's to read: the journal with the guests' data, the hashes of
 * credentials, the ledger of charges. What our processes make is private from its making, because
 * they start with a umask that says so; here is what was made before, by hand or by an earlier
 * version.
 */
import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../base/log.ts";
import { StartRefused } from "../lifecycle.ts";

/** Rights of the group and of all others. */
const FOREIGN_RIGHTS = 0o077;
/** Refused by its own reader when others could read it: its keys may be known by now. */
const SECRETS = "secrets.json";
/** One of these is in every directory that a supervisor or an admin command has worked in. */
const MARKS: readonly string[] = ["lock.db", SECRETS];

/**
 * Takes the rights of group and others from an existing data directory and everything in it, and
 * logs what it changed. A directory that is missing is no concern of this.
 *
 * @throws StartRefused when others have rights in the directory and it is not this user's, or holds
 *   what is not ours: to shut a home or /tmp would do more harm than good.
 */
export function makePrivate(dataDir: string, log: Logger): void {
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return;
  const names = readdirSync(dataDir);
  if ((stat.mode & FOREIGN_RIGHTS) !== 0) {
    if (stat.uid !== process.getuid?.()) {
      throw new StartRefused(`${dataDir} is open to others and not this user's: own it, chmod 700`);
    }
    if (names.length > 0 && !MARKS.some((name) => names.includes(name))) {
      throw new StartRefused(
        `${dataDir} is open to others and holds other things: chmod 700 it, or set DATA_DIR`,
      );
    }
  }
  const changed = [dataDir, ...entriesOf(dataDir)].filter(isTightened);
  if (changed.length > 0) log.warn("took the rights of others from files of ours", { changed });
}

/** Files and directories below `directory`, at any depth. */
function entriesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => path !== join(directory, SECRETS));
}

/** False when there was nothing to take. A link's own rights mean nothing, and it may lead out. */
function isTightened(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || !(stat.isFile() || stat.isDirectory())) return false;
  if ((stat.mode & FOREIGN_RIGHTS) === 0) return false;
  chmodSync(path, stat.mode & 0o700);
  return true;
}
