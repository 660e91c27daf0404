/**
 * The projections from the journal alone, and whether they still are what was written. An operator
 * rebuilds them after losing them; `subject_keys` is no projection (its loss is what an erasure is)
 * and stays as it is.
 */
import type { Database } from "bun:sqlite";
import { evolve } from "../core/evolve.ts";
import { decodeRow } from "../core/row-codec.ts";
import { State } from "../core/state.ts";
import { Damage, readingJournal } from "./damage.ts";
import type { Head } from "./head.ts";
import { crcOf, GENESIS_CHAIN, verifyRow } from "./journal.ts";
import { RecordStore } from "./record-store.ts";
import { rowsAfter } from "./recover.ts";

const ROWS_PER_FLUSH = 1_000;
const PAGE_RECORDS = 256;

/** Per table, the columns that repeat a field of the document; the first is its id. */
const COLUMNS = {
  holds: { id: "hold_id" },
  bookings: {
    id: "booking_id",
    tenant_id: "tenant_id",
    confirmation_code: "confirmation_code",
    state: "state",
  },
  payments: { id: "payment_id", state: "state" },
  refunds: { id: "refund_id", state: "state" },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type Table = keyof typeof COLUMNS;
const TABLES = Object.keys(COLUMNS) as Table[];

/**
 * Writes holds, bookings, payments and refunds anew. One transaction, so that readers see the old
 * records or the new ones and a crash leaves the old; the records go to SQLite in batches, so
 * memory holds only what is open. Returns the number of rows folded.
 *
 * @throws Damage when a row is not as it was written; nothing is changed then.
 */
export function rebuildProjections(db: Database): number {
  const rebuild = db.transaction(() => {
    for (const table of TABLES) db.run(`DELETE FROM ${table}`);
    const records = new RecordStore(db, () => null);
    const state = new State({ tracksExpiry: false });
    let head: Head = { row: 0, chain: GENESIS_CHAIN };
    const flush = () => {
      records.flush();
      records.clear();
    };
    for (const stored of rowsAfter(db, 0)) {
      verifyRow(stored, head);
      head = stored;
      evolve(state, decodeRow(stored.payload), records);
      if (stored.row % ROWS_PER_FLUSH === 0) flush();
    }
    flush();
    return head.row;
  });
  return readingJournal(() => rebuild.immediate());
}

/**
 * Reads every record once: its CRC, the columns that repeat it, and that the indexes lead to it.
 *
 * @throws Damage `record_damaged`; the remedy is `rebuildProjections`.
 */
export function checkProjections(db: Database): void {
  readingJournal(() => {
    for (const table of TABLES) {
      checkRecords(db, table);
      checkIndexes(db, table);
    }
  });
}

function checkRecords(db: Database, table: Table): void {
  const columns = Object.entries(COLUMNS[table]);
  type Found = { readonly at: number; readonly doc: string; readonly crc: number };
  const page = db.prepare<Found & Readonly<Record<string, unknown>>, [number, number]>(
    `SELECT rowid AS at, doc, crc, ${Object.keys(COLUMNS[table]).join(", ")} FROM ${table}
     WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  for (let last = 0; ; ) {
    const found = page.all(last, PAGE_RECORDS);
    for (const record of found) {
      const doc = crcOf(record.doc) === record.crc ? JSON.parse(record.doc) : null;
      if (!doc || columns.some(([column, field]) => record[column] !== doc[field])) {
        throw new Damage("record_damaged", `${table} ${String(record["id"])} is not as written`);
      }
    }
    if (found.length < PAGE_RECORDS) return;
    last = found.at(-1)!.at;
  }
}

function checkIndexes(db: Database, table: Table): void {
  const verdict = db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${table})`)
    .all()
    .map((line) => line.integrity_check);
  if (verdict.join() !== "ok") throw new Damage("record_damaged", `${table}: ${verdict[0]}`);
}
