/**
 * Whatever lasts is nobody else's to read: the journal with the guests' data, the hashes of
 * credentials, the ledger of charges. What our processes make is private from its making, because
 * they start with a umask that says so; here is what was made before, by hand or by an earlier
 * version.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { SqliteJournalReader } from "../../engine/shell/journal-reader.ts";
import { openForReading } from "../../engine/shell/schema.ts";
import { freeMib } from "../base/disk-room.ts";
import { idOfInstallation } from "../base/installation.ts";
import type { Logger } from "../base/log.ts";
import { ROOM_MIB, refusalByMachine, refusedStart } from "../base/refused-starts.ts";
import { controlPath, journalPath } from "../config.ts";
import { StartRefused } from "../lifecycle.ts";

/** Rights of the group and of all others. */
const FOREIGN_RIGHTS = 0o077;
/** Refused by its own reader when others could read it: its keys may be known by now. */
const SECRETS = "secrets.json";
/** One of these is in every directory that a supervisor or an admin command has worked in. */
const MARKS: readonly string[] = ["lock.db", SECRETS];
/** What our processes make at the top, with what SQLite puts beside a file. */
const OURS =
  /^(engine|redis|pids|outbox|feeds|requests|lock\.pid|((lock|control|advisor|deliveries|feeds|kpi|mail|sandbox-provider|traffic)\.db|(demo|installation|restored)\.json).*)$/;

/**
 * Takes the rights of group and others from an existing data directory and what is ours in it, and
 * logs what it changed. Anything else, in a home say, keeps its rights. A directory that is missing
 * is no concern of this.
 *
 * @throws StartRefused when others have rights in the directory and it is not this user's, or holds
 *   what is not ours: to shut a home or /tmp would do more harm than good; when this user may not
 *   read and write what is ours in it.
 */
export function makePrivate(dataDir: string, log: Logger): void {
  const stat = statOf(dataDir);
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw refusedStart("data_dir_is_file", { path: dataDir });
  refuseUnlessUsable(dataDir);
  const names = namesIn(dataDir);
  if ((stat.mode & FOREIGN_RIGHTS) !== 0) {
    if (stat.uid !== process.getuid?.()) {
      throw new StartRefused(`${dataDir} is open to others and not this user's: own it, chmod 700`);
    }
    if (names.length > 0 && !MARKS.some((name) => names.includes(name))) {
      throw new StartRefused(
        `${dataDir} is open to others and holds other things: set DATA_DIR to a directory of its own`,
      );
    }
  }
  const changed = [dataDir, ...entriesOf(dataDir)].filter(isTightened);
  if (changed.length > 0) log.warn("took the rights of others from files of ours", { changed });
}

/**
 * What a start would otherwise make anew, empty, in place of what was lost.
 *
 * @throws StartRefused when the journal is gone from an installation, or the control store from
 *   beside a journal that clients have written to.
 */
export function refuseUnlessWhole(dataDir: string): void {
  const [journal, control] = [journalPath(dataDir), controlPath(dataDir)];
  if (!existsSync(journal)) {
    // Written when there was a journal, and not before.
    if (idOfInstallation(dataDir) === null) return;
    const remedy = "restore it, or begin anew in an empty DATA_DIR";
    throw new StartRefused(`journal_gone: there is no ${journal} beside what needs it: ${remedy}`);
  }
  if (existsSync(control) || !hasClients(journal)) return;
  throw new StartRefused(`${control} is gone, and the journal needs it: restore it`);
}

/** @throws StartRefused when Redis and SQLite would soon find no room to write in. */
export function refuseUnlessRoom(dataDir: string): void {
  const free = freeMib(dataDir);
  if (free >= ROOM_MIB) return;
  throw refusedStart("disk_full", { path: dataDir, free: Math.floor(free), needed: ROOM_MIB });
}

/** Whether a command came with a key, which takes a credential. */
function hasClients(journal: string): boolean {
  try {
    using db = openForReading(journal);
    return new SqliteJournalReader(db).hasKeys();
  } catch {
    // Damage is the engine's to name.
    return false;
  }
}

/** Files and directories of ours below `directory`, at any depth. */
function entriesOf(directory: string): string[] {
  const below = (names: RegExp) =>
    namesIn(directory)
      .filter((name) => names.test(name))
      .flatMap((name) => treeOf(join(directory, name)));
  const ours = below(OURS);
  for (const path of ours) refuseUnlessUsable(path);
  return ours;
}

/** `path` and what lies below it; links are not followed. */
function treeOf(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.isFile() ? [path] : [];
  return [path, ...namesIn(path).flatMap((name) => treeOf(join(path, name)))];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    throw notUsable(directory, cause);
  }
}

/** @throws StartRefused when this user may not read and write `path`. */
function refuseUnlessUsable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw notUsable(path, cause);
  }
}

function notUsable(path: string, cause: unknown): StartRefused {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "EROFS") return refusedStart("data_dir_unwritable", { path, code }, cause);
  return refusedStart("data_dir_not_ours", { path }, cause);
}

/** Nothing when there is none yet. */
function statOf(dataDir: string) {
  try {
    return statSync(dataDir, { throwIfNoEntry: false });
  } catch (cause) {
    throw refusalByMachine(dataDir, cause);
  }
}

/** False when there was nothing to take. A link's own rights mean nothing, and it may lead out. */
function isTightened(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || !(stat.isFile() || stat.isDirectory())) return false;
  if ((stat.mode & FOREIGN_RIGHTS) === 0) return false;
  try {
    chmodSync(path, stat.mode & 0o700);
  } catch (cause) {
    throw notUsable(path, cause);
  }
  return true;
}
