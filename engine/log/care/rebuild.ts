/**
 * Rebuilds the projections from the journal, after they are lost or damaged; this empties the
 * quarantine. `subject_keys` is not a projection (an erasure deletes from it) and stays unchanged.
 */
import type { Database } from "bun:sqlite";
import { evolve } from "../../core/evolve.ts";
import { State } from "../../core/state/state.ts";
import { BesideWriter } from "../beside-writer.ts";
import { BEGINNING } from "../head.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { JournalTail } from "../journal-tail.ts";
import { noteProjected } from "../meta.ts";
import { RecordStore } from "../record-store.ts";
import { KINDS, STORED_KINDS } from "../stored-record.ts";
import { readingJournal } from "./damage.ts";
import { unlistAll } from "./quarantine.ts";
import { checkProjections } from "./record-check.ts";

const ROWS_PER_FLUSH = 1_000;

/** Rows folded; records written and verified. */
export interface Rebuilt {
  readonly rows: number;
  readonly records: number;
}

/** Called about every 1,000 rows and at the end: rows folded, of how many. */
export type Progress = (rows: number, of: number) => void;

/**
 * Writes the records of every kind again and reads them all back, as `checkProjections` does. All
 * in one transaction: readers see the old records or the new ones, and a crash leaves the old.
 * Records go to SQLite in batches, so memory holds only open ones.
 *
 * @throws Damage when a row is damaged, RecordDamaged when a record is; nothing is changed then.
 */
export function rebuildProjections(db: Database, progress: Progress = () => {}): Rebuilt {
  const rebuild = db.transaction(() => {
    for (const kind of STORED_KINDS) db.run(`DELETE FROM ${KINDS[kind].table}`);
    db.run("DELETE FROM desk");
    unlistAll(db);
    const journal = new SqliteJournalReader(db);
    const of = journal.head().row;
    const records = new RecordStore(db, () => null);
    const writer = new BesideWriter(db);
    const state = new State({ tracksExpiry: false });
    const tail = new JournalTail(journal, BEGINNING);
    const flush = (rows: number) => {
      writer.write(records.changes());
      records.clear();
      progress(rows, of);
    };
    tail.readAll((row) => {
      evolve(state, row, records);
      if (row.row % ROWS_PER_FLUSH === 0) flush(row.row);
    });
    flush(tail.head.row);
    if (tail.head.row > 0) noteProjected(db, tail.head);
    return { rows: tail.head.row, records: checkProjections(db) };
  });
  return readingJournal(() => rebuild.immediate());
}
