/** The state at an earlier row, by folding the journal up to it: for a process of its own. */
import type { Database } from "bun:sqlite";
import { evolve } from "../core/evolve.ts";
import { State } from "../core/state/state.ts";
import { BEGINNING, type Head } from "./head.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { JournalTail } from "./journal-tail.ts";
import { JOURNAL_ID, readMeta } from "./meta.ts";
import { loadSnapshot, snapshotFiles } from "./snapshot.ts";

/**
 * The state after `row`, from the newest snapshot up to it, else from the beginning. `path` is the
 * journal that `db` has open.
 *
 * @throws Damage when a row is damaged; Error when the journal ends before `row`.
 */
export function pastState(db: Database, path: string, row: number): State {
  const journal = new SqliteJournalReader(db);
  const base = newestUpTo(path, readMeta(db, JOURNAL_ID) ?? "", row);
  const isOurs = base !== null && journal.chainAt(base.head.row) === base.head.chain;
  const state = isOurs ? base.state : new State({ tracksExpiry: false });
  const tail = new JournalTail(journal, isOurs ? base.head : BEGINNING);
  const isEnough = () => state.row === row;
  while (!isEnough()) {
    const isMore = tail.readPage((each) => evolve(state, each, null), isEnough);
    if (!isMore && !isEnough()) throw new Error(`the journal ends before row ${row}`);
  }
  return state;
}

function newestUpTo(
  path: string,
  journalId: string,
  row: number,
): { state: State; head: Head } | null {
  for (const file of snapshotFiles(path)) {
    if (file.row > row || file.journalId !== journalId) continue;
    const loaded = loadSnapshot(file.path, { journalId, tracksExpiry: false });
    if (loaded) return loaded;
  }
  return null;
}
