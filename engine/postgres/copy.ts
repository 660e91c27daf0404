/**
 * The copy of a shared journal on this machine's disk. All of it can be made again from the
 * journal, so a damaged one is removed and made anew, never accepted as a loss.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Damage } from "../core/damage.ts";
import type { State } from "../core/state/state.ts";
import { fsyncPath } from "../log/files.ts";
import { Journal } from "../log/journal.ts";
import { type RecordStore, recordStoreOf } from "../log/record-store.ts";
import { recover } from "../log/recover.ts";

export interface CopyOptions {
  /** Of the database; what belongs to it is beside it. */
  readonly path: string;
  /** Of the journal. */
  readonly journalId: string;
  readonly lanes: number;
  readonly erasures: string;
  readonly warn: (message: string, fields?: object) => void;
  /** Called repeatedly during a fold. */
  readonly onProgress: () => void;
}

/** A copy and the fold of its rows. */
export interface Copy {
  readonly journal: Journal;
  readonly records: RecordStore;
  readonly state: State;
  /** Folds it again. */
  readonly reload: () => State;
}

/**
 * Opens the copy, or begins one; an older process of this machine is fenced.
 *
 * @throws Damage `journal_of_other_store` when there is a journal that is no copy; it stays as it
 *   is.
 */
export function openCopy(options: CopyOptions): Copy {
  const { path, warn } = options;
  refuseOwnJournal(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Before the first file of the copy: only what is marked is ever removed.
  mark(path, MARK);
  if (existsSync(markPath(path, ANEW))) removeCopy(path);
  try {
    return folded(options);
  } catch (error) {
    if (!(error instanceof Damage) || error.damage === "journal_of_other_store") throw error;
    warn("the copy of the journal is made anew", { damage: error.message });
    removeCopy(path);
    return folded(options);
  }
}

/** Beside a copy: says that it is one. */
const MARK = "copy";
/** Beside a copy that differs from its journal: it is to be made anew. */
const ANEW = "anew";

function markPath(path: string, name: string): string {
  return path.replace(/db$/, name);
}

function mark(path: string, name: string): void {
  writeFileSync(markPath(path, name), "", { mode: 0o600 });
  fsyncPath(dirname(path));
}

/** Has the copy removed at the next start: it is not what its journal is. */
export function makeAnew(path: string): void {
  mark(path, ANEW);
}

/**
 * Files without the mark of a copy are all that there is of a journal, even if damaged or in part.
 *
 * @throws Damage `journal_of_other_store` when there is one.
 */
export function refuseOwnJournal(path: string): void {
  if (existsSync(markPath(path, MARK)) || !existsSync(dirname(path))) return;
  if (filesOf(path).length === 0) return;
  throw new Damage("journal_of_other_store", "this journal is not a copy of another one");
}

function folded({ path, journalId, lanes, erasures, warn, onProgress }: CopyOptions): Copy {
  const journal = new Journal(path, { lanes, erasures, copyOf: journalId });
  try {
    journal.takeEpoch();
    const { keys } = journal;
    const of = { path, journalId, tracksExpiry: true, isCopy: true, keys, warn, onProgress };
    const reload = () => recover(journal.db, of).state;
    return { journal, records: recordStoreOf(journal), state: reload(), reload };
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** The database and all that was made from it; the time line is the machine's. */
function filesOf(path: string): string[] {
  const own = basename(path).replace(/db$/, "");
  const others = [MARK, "time"].map((name) => own + name);
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(own) && !others.includes(name))
    .map((name) => join(dirname(path), name));
}

function removeCopy(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { recursive: true });
}
