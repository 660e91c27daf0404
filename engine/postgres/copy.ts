/**
 * The copy of a shared journal on this machine's disk. All of it can be made again from the
 * journal, so a damaged one is removed and made anew, never accepted as a loss.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Damage } from "../core/damage.ts";
import type { State } from "../core/state/state.ts";
import { Journal } from "../log/journal.ts";
import { IS_COPY, JOURNAL_ID, readMeta } from "../log/meta.ts";
import { type RecordStore, recordStoreOf } from "../log/record-store.ts";
import { recover } from "../log/recover.ts";
import { openForReading } from "../log/schema.ts";

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
 * @throws Damage `journal_of_other_store` when the file is no copy; it stays as it is.
 */
export function openCopy(options: CopyOptions): Copy {
  try {
    return folded(options);
  } catch (error) {
    if (!(error instanceof Damage) || error.damage === "journal_of_other_store") throw error;
    options.warn("the copy of the journal is made anew", { damage: error.message });
    removeCopy(options.path);
    return folded(options);
  }
}

/** @throws Damage `journal_of_other_store` when there is a journal that is no copy. */
export function refuseOwnJournal(path: string): void {
  if (!existsSync(path)) return;
  using db = openForReading(path);
  const isOwn = readMeta(db, JOURNAL_ID) !== null && readMeta(db, IS_COPY) === null;
  if (isOwn)
    throw new Damage("journal_of_other_store", "this journal is not a copy of another one");
}

function folded({ path, journalId, lanes, erasures, warn, onProgress }: CopyOptions): Copy {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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

/** Removes the database and all that was made from it; the time line of the machine stays. */
function removeCopy(path: string): void {
  const own = basename(path).replace(/db$/, "");
  for (const name of readdirSync(dirname(path))) {
    const isOfCopy = name.startsWith(own) && !name.endsWith(".time");
    if (isOfCopy) rmSync(join(dirname(path), name), { recursive: true });
  }
}
