/**
 * The projections from the journal alone, and whether they still are what was written. An operator
 * rebuilds them after losing them; `subject_keys` is no projection (its loss is what an erasure is)
 * and stays as it is.
 */
import type { Database } from "bun:sqlite";
import { evolve } from "../core/evolve.ts";
import type { Booking, Hold, Payment, Refund } from "../core/records.ts";
import { State } from "../core/state.ts";
import { Damage, readingJournal } from "./damage.ts";
import { JournalTail } from "./journal-tail.ts";
import { RecordStore } from "./record-store.ts";
import { crcOf, GENESIS_CHAIN } from "./stored-row.ts";

const ROWS_PER_FLUSH = 1_000;
const PAGE_RECORDS = 256;

/** Per table, what each column must repeat of the document beside it. */
const COLUMNS = {
  holds: { id: (hold: Hold) => hold.hold_id },
  bookings: {
    id: (booking: Booking) => booking.booking_id,
    tenant_id: (booking: Booking) => booking.tenant_id,
    confirmation_code: (booking: Booking) => booking.confirmation_code,
    room_type_id: (booking: Booking) => booking.quote.room_type_id,
    state: (booking: Booking) => booking.state,
  },
  payments: {
    id: (payment: Payment) => payment.payment_id,
    state: (payment: Payment) => payment.state,
  },
  refunds: {
    id: (refund: Refund) => refund.refund_id,
    state: (refund: Refund) => refund.state,
  },
} as const;

type Table = keyof typeof COLUMNS;
const TABLES = Object.keys(COLUMNS) as Table[];

interface StoredRecord extends Readonly<Record<string, unknown>> {
  readonly at: number;
  readonly id: string;
  readonly doc: string;
  readonly crc: number;
}

/** What a rebuild came to: rows of the journal folded, records written and then verified. */
export interface Rebuilt {
  readonly rows: number;
  readonly records: number;
}

/** Told about every 1,000 rows, and at the end: rows folded, of how many. */
export type Progress = (rows: number, of: number) => void;

/**
 * Writes holds, bookings, payments and refunds anew and reads them all back, as `checkProjections`
 * does. One transaction, so that readers see the old records or the new ones and a crash leaves the
 * old; the records go to SQLite in batches, so memory holds only what is open.
 *
 * @throws Damage when a row is not as it was written, or a record is not; nothing is changed then.
 */
export function rebuildProjections(db: Database, progress: Progress = () => {}): Rebuilt {
  const rebuild = db.transaction(() => {
    for (const table of TABLES) db.run(`DELETE FROM ${table}`);
    const of = db
      .query<{ head: number }, []>("SELECT coalesce(max(row), 0) AS head FROM journal")
      .get()!.head;
    const records = new RecordStore(db, () => null);
    const state = new State({ tracksExpiry: false });
    const tail = new JournalTail(db, { row: 0, chain: GENESIS_CHAIN });
    const flush = (rows: number) => {
      records.flush();
      records.clear();
      progress(rows, of);
    };
    tail.readAll((row) => {
      evolve(state, row, records);
      if (row.row % ROWS_PER_FLUSH === 0) flush(row.row);
    });
    flush(tail.head.row);
    return { rows: tail.head.row, records: checkProjections(db) };
  });
  return readingJournal(() => rebuild.immediate());
}

/**
 * Reads every record once: its CRC, the columns that repeat it, and that the indexes lead to it.
 * Returns how many there are.
 *
 * @throws Damage `record_damaged`; the remedy is `rebuildProjections`.
 */
export function checkProjections(db: Database): number {
  return readingJournal(() => {
    let count = 0;
    for (const table of TABLES) {
      count += checkRecords(db, table);
      checkIndexes(db, table);
    }
    return count;
  });
}

/** Finished records of all kinds, about: what `checkProjections` would read. */
export function countRecords(db: Database): number {
  const most = TABLES.map((table) => `coalesce((SELECT max(rowid) FROM ${table}), 0)`);
  return db.query<{ count: number }, []>(`SELECT ${most.join(" + ")} AS count`).get()!.count;
}

function checkRecords(db: Database, table: Table): number {
  const columns = Object.entries<(doc: never) => string>(COLUMNS[table]);
  const names = columns.map(([name]) => name).join(", ");
  const page = db.prepare<StoredRecord, [number, number]>(
    `SELECT rowid AS at, doc, crc, ${names} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  let count = 0;
  for (let last = 0; ; ) {
    const records = page.all(last, PAGE_RECORDS);
    count += records.length;
    for (const record of records) {
      const doc = crcOf(record.doc) === record.crc ? (JSON.parse(record.doc) as never) : null;
      if (doc === null || columns.some(([name, of]) => record[name] !== of(doc))) {
        throw new Damage("record_damaged", `${table} ${record.id} is not as it was written`);
      }
    }
    if (records.length < PAGE_RECORDS) return count;
    last = records.at(-1)!.at;
  }
}

function checkIndexes(db: Database, table: Table): void {
  const verdict = db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${table})`)
    .all()
    .map((line) => line.integrity_check);
  if (verdict.join() !== "ok") throw new Damage("record_damaged", `${table}: ${verdict[0]}`);
}
