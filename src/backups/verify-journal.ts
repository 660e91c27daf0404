/** Reading a copied journal as its next engine will, from the first row to the last. */
import { instantIso } from "../../engine/core/calendar.ts";
import { evolve } from "../../engine/core/evolve.ts";
import { State } from "../../engine/core/state.ts";
import { BEGINNING } from "../../engine/shell/head.ts";
import { journalIdOf, lanesOf } from "../../engine/shell/journal.ts";
import { SqliteJournalReader } from "../../engine/shell/journal-reader.ts";
import { JournalTail } from "../../engine/shell/journal-tail.ts";
import { damagedRecords } from "../../engine/shell/record-check.ts";
import { openForReading } from "../../engine/shell/schema.ts";
import { checkingSegments } from "../../engine/shell/segments.ts";

/** How far a journal goes; equal facts, equal journals. */
export interface JournalFacts {
  readonly journal_id: string;
  readonly lanes: number;
  readonly row: number;
  readonly chain: string;
  /** Engine time of the last row, RFC 3339. */
  readonly last_stamp: string;
  /** Records that are not as they were written: a rebuild makes them anew from the journal. */
  readonly damaged_records: readonly string[];
}

/** Told how many rows of how many are done. */
export type TellRows = (rows: number, of: number) => void;

/**
 * Opens the journal at `path` and goes through all of it: every byte of its segments, CRC, order
 * and chain of every row, the fold, and every record of the projections.
 *
 * @throws Damage naming what of the journal is not as it was written.
 */
export function verifyJournal(path: string, tell: TellRows): JournalFacts {
  using db = openForReading(path);
  const journal = new SqliteJournalReader(db);
  for (const _place of checkingSegments(path, BEGINNING, journal.archivedHead()));
  const of = journal.head().row;
  const state = new State({ tracksExpiry: false });
  const tail = new JournalTail(journal, BEGINNING);
  while (tail.readPage((row) => evolve(state, row, null))) tell(tail.head.row, of);
  tell(tail.head.row, of);
  return {
    journal_id: journalIdOf(path),
    lanes: lanesOf(path),
    ...tail.head,
    last_stamp: instantIso(state.stamp),
    // They follow from the journal, so they spoil no back-up: one precedes their repair.
    damaged_records: damagedRecords(db).map(({ message }) => message),
  };
}
