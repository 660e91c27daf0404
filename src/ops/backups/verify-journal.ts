/** Verifies a copied journal from the first row to the last. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { evolve } from "../../../engine/core/evolve.ts";
import { State } from "../../../engine/core/state/state.ts";
import { checkingSegments } from "../../../engine/log/archive/segments.ts";
import { damagedRecords } from "../../../engine/log/care/record-check.ts";
import { BEGINNING } from "../../../engine/log/head.ts";
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { JournalTail } from "../../../engine/log/journal-tail.ts";
import { journalIdOf, lanesOf } from "../../../engine/log/meta.ts";
import { openForReading } from "../../../engine/log/schema.ts";

/** Identity and last row of a journal; journals with equal facts are equal. */
export interface JournalFacts {
  readonly journal_id: string;
  readonly lanes: number;
  readonly row: number;
  readonly chain: string;
  /** Engine time of the last row, RFC 3339. */
  readonly last_stamp: string;
  /** A rebuild restores them from the journal. */
  readonly damaged_records: readonly string[];
}

/** Called with the number of verified rows and their total. */
export type OnRows = (rows: number, of: number) => void;

/**
 * Checks all of the journal at `path`: every byte of its segments, CRC, order and chain of every
 * row, the fold, and every record of the projections.
 *
 * @throws Damage naming the damaged part.
 */
export function verifyJournal(path: string, onRows: OnRows): JournalFacts {
  using db = openForReading(path);
  const journal = new SqliteJournalReader(db);
  for (const _place of checkingSegments(path, BEGINNING, journal.archivedHead()));
  const of = journal.head().row;
  const state = new State({ tracksExpiry: false });
  const tail = new JournalTail(journal, BEGINNING);
  while (tail.readPage((row) => evolve(state, row, null))) onRows(tail.head.row, of);
  onRows(tail.head.row, of);
  return {
    journal_id: journalIdOf(path),
    lanes: lanesOf(path),
    ...tail.head,
    last_stamp: instantIso(state.stamp),
    // They can be rebuilt from the journal, so the back-up is valid.
    damaged_records: damagedRecords(db).map(({ message }) => message),
  };
}
