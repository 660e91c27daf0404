/** Reading a copied journal as its next engine will, from the first row to the last. */
import { instantIso } from "../../engine/core/calendar.ts";
import { evolve } from "../../engine/core/evolve.ts";
import { State } from "../../engine/core/state.ts";
import { journalIdOf, lanesOf } from "../../engine/shell/journal.ts";
import { JournalTail } from "../../engine/shell/journal-tail.ts";
import { checkProjections } from "../../engine/shell/record-check.ts";
import { openForReading } from "../../engine/shell/schema.ts";
import { GENESIS_CHAIN } from "../../engine/shell/stored-row.ts";

/** How far a journal goes; equal facts, equal journals. */
export interface JournalFacts {
  readonly journal_id: string;
  readonly lanes: number;
  readonly row: number;
  readonly chain: string;
  /** Engine time of the last row, RFC 3339. */
  readonly last_stamp: string;
  /** Finished records, all of which were read. */
  readonly records: number;
}

/** Told how many rows of how many are done. */
export type TellRows = (rows: number, of: number) => void;

/**
 * Opens the journal at `path` and goes through all of it: CRC, order and chain of every row, the
 * fold, and every record of the projections.
 *
 * @throws Damage naming what is not as it was written.
 */
export function verifyJournal(path: string, tell: TellRows): JournalFacts {
  using db = openForReading(path);
  const of = db
    .query<{ head: number }, []>("SELECT coalesce(max(row), 0) AS head FROM journal")
    .get()!.head;
  const state = new State({ tracksExpiry: false });
  const tail = new JournalTail(db, { row: 0, chain: GENESIS_CHAIN });
  while (tail.readPage((row) => evolve(state, row, null))) tell(tail.head.row, of);
  tell(tail.head.row, of);
  return {
    journal_id: journalIdOf(path),
    lanes: lanesOf(path),
    ...tail.head,
    last_stamp: instantIso(state.stamp),
    records: checkProjections(db),
  };
}
