/**
 * Keeps the data directory private: it has guests' data, hashes of credentials and charges. Our
 * processes create private files by their umask; these checks cover older and hand-made files.
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
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { controlPath, journalPath } from "../../config.ts";
import { freeMib } from "../../lib/disk-room.ts";
import { idOfInstallation } from "../../lib/installation.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import type { Logger } from "../../lib/log.ts";
import { ROOM_MIB, refusalByMachine, refusedStart } from "../../lib/refused-starts.ts";

/** Permissions of the group and of others. */
const FOREIGN_RIGHTS = 0o077;
/** Its reader refuses it when others can read it: its keys may be known. */
const SECRETS = "secrets.json";
/** Every data directory has one of these. */
const MARKS: readonly string[] = ["lock.db", SECRETS];
/** Names that our processes create at the top level, with SQLite's extra files. */
const OURS =
  /^(engine|redis|pids|outbox|feeds|requests|lock\.pid|((lock|control|advisor|checkout|console|deliveries|feeds|guest|kpi|mail|oauth|sandbox-provider|traffic)\.db|(demo|installation|restored)\.json).*)$/;

/**
 * Removes group and world permissions of the data directory and of our files in it, and logs the
 * changed paths. Other files keep their permissions. A missing directory is ignored.
 *
 * @throws StartRefused when the directory is open to others and belongs to another user or has
 * other
 *   files (it may be a home or /tmp), or when this user cannot read and write our files in it.
 */
export function makePrivate(dataDir: string, log: Logger): void {
  const stat = statOf(dataDir);
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw refusedStart("data_dir_is_file", { path: dataDir });
  refuseUnlessUsable(dataDir);
  const names = namesIn(dataDir);
  if ((stat.mode & FOREIGN_RIGHTS) !== 0) {
    if (stat.uid !== process.getuid?.()) {
      const remedy = "make this user the owner, then chmod 700";
      throw new StartRefused(`${dataDir} is open to others and belongs to another user: ${remedy}`);
    }
    if (names.length > 0 && !MARKS.some((name) => names.includes(name))) {
      throw new StartRefused(
        `${dataDir} is open to others and contains other files: set DATA_DIR to a new directory`,
      );
    }
  }
  const changed = [dataDir, ...entriesOf(dataDir)].filter(isTightened);
  if (changed.length > 0) log.warn("removed group and world permissions", { changed });
}

/**
 * Prevents a start that would create an empty file in place of a lost one.
 *
 * @throws StartRefused when an installation has no journal, or a journal with clients' commands has
 *   no control store.
 */
export function refuseUnlessWhole(dataDir: string): void {
  const [journal, control] = [journalPath(dataDir), controlPath(dataDir)];
  if (!existsSync(journal)) {
    // The installation id is written after the journal.
    if (idOfInstallation(dataDir) === null) return;
    const remedy = "restore it, or start with an empty DATA_DIR";
    throw new StartRefused(`journal_gone: ${journal} is missing: ${remedy}`);
  }
  if (existsSync(control) || !hasClients(journal)) return;
  throw new StartRefused(`${control} is gone, and the journal needs it: restore it`);
}

/** @throws StartRefused when the disk is almost full. */
export function refuseUnlessRoom(dataDir: string): void {
  const free = freeMib(dataDir);
  if (free >= ROOM_MIB) return;
  throw refusedStart("disk_full", { path: dataDir, free: Math.floor(free), needed: ROOM_MIB });
}

/** Whether the journal has a command with a key, which needs a credential. */
function hasClients(journal: string): boolean {
  try {
    using db = openForReading(journal);
    return new SqliteJournalReader(db).hasKeys();
  } catch {
    // The engine reports damage.
    return false;
  }
}

/** Our files and directories below `directory`, at any depth. */
function entriesOf(directory: string): string[] {
  const below = (names: RegExp) =>
    namesIn(directory)
      .filter((name) => names.test(name))
      .flatMap((name) => treeOf(join(directory, name)));
  const ours = below(OURS);
  for (const path of ours) refuseUnlessUsable(path);
  return ours;
}

/** `path` and everything below it; links are not followed. */
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

/** Undefined for a missing directory. */
function statOf(dataDir: string) {
  try {
    return statSync(dataDir, { throwIfNoEntry: false });
  } catch (cause) {
    throw refusalByMachine(dataDir, cause);
  }
}

/** Removes the permissions; false when nothing changes. Links are skipped: they may lead out. */
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
