/** Whether journal, records and receipts tell the same of every payment. */
import type { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { Books } from "./books.ts";
import { differencesOf, type LedgerDifference } from "./compare.ts";
import type { LedgerJournal } from "./journal.ts";
import { mayMove, movementsIn } from "./movement.ts";

const PAGE = 1_000;

export interface Verified {
  /** The last row that was compared. */
  readonly row: number;
  readonly payments: number;
  readonly refunds: number;
  readonly movements: number;
  readonly differences: number;
}

/**
 * Compares all payments, and passes each difference on as it is found. The journal is read first,
 * then the rows that came meanwhile together with the records, as they are at one instant.
 *
 * @throws Damage when a block of the journal is damaged.
 */
export function verifyLedger(
  journal: LedgerJournal,
  onDifference: (difference: LedgerDifference) => void,
): Verified {
  using books = new Books();
  let movements = take(journal, books);
  return journal.atOneInstant(() => {
    movements += take(journal, books);
    noteRecords(journal.records, books);
    const counts = { payments: 0, refunds: 0, differences: 0 };
    for (const [sums, refunds] of books.payments()) {
      counts.payments += 1;
      counts.refunds += refunds.length;
      for (const difference of differencesOf(sums, refunds, journal.records)) {
        counts.differences += 1;
        onDifference(difference);
      }
    }
    for (const { id } of books.unnamedRefunds()) {
      counts.differences += 1;
      onDifference(unnamed(id));
    }
    return { row: journal.row, movements, ...counts };
  });
}

/** Adds the rows that were not read yet; returns the number of movements. */
function take(journal: LedgerJournal, books: Books): number {
  let count = 0;
  for (const row of journal.rows(mayMove)) {
    for (const movement of movementsIn(row)) {
      books.take(movement);
      count += 1;
    }
  }
  return count;
}

/** So that a record of which no event tells is compared too. */
function noteRecords(records: RecordReaderOn, books: Books): void {
  for (const kind of ["payment", "refund"] as const) {
    for (let after = ""; ; ) {
      const ids =
        kind === "payment" ? records.paymentIds(after, PAGE) : records.refundIds(after, PAGE);
      books.note(kind, ids);
      const last = ids.at(-1);
      if (last === undefined) break;
      after = last;
    }
  }
}

function unnamed(id: string): LedgerDifference {
  const next_step = "stop the service, then run: npm run admin -- projections rebuild";
  const it = { id, booking_id: null, what: "refund record", next_step };
  return { ...it, events: null, recorded: "without a request" };
}
