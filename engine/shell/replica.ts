/**
 * A read-only fold of the journal in another process. It never blocks the writer: a page of rows
 * is read whole and nothing stays open between pages.
 */
import type { Database } from "bun:sqlite";
import type { Row } from "../core/events.ts";
import { evolve } from "../core/evolve.ts";
import type { Outcome } from "../core/outcomes.ts";
import { decodeRow } from "../core/row-codec.ts";
import type { State } from "../core/state.ts";
import type { Head } from "./head.ts";
import { foundRow, type StoredRow, verifyRow } from "./journal.ts";
import { RecordReaderOn } from "./record-store.ts";
import { recover } from "./recover.ts";
import { openForReading } from "./schema.ts";

const PAGE_ROWS = 256;

export class Replica {
  readonly state: State;
  readonly records: RecordReaderOn;
  readonly journalId: string;
  readonly #db: Database;
  readonly #page;
  readonly #byRow;
  readonly #byKey;
  #head: Head;
  /** `performance.now()` of the last time nothing was left to apply. */
  #currentAt = performance.now();

  /**
   * Opens the journal at `path` and folds it to its head.
   *
   * @throws Damage as recovery does; Error when there is no journal yet.
   */
  constructor(path: string) {
    this.#db = openForReading(path);
    const meta = this.#db
      .query<{ value: string }, []>("SELECT value FROM meta WHERE name = 'journal_id'")
      .get();
    if (!meta) throw new Error(`no journal at ${path}`);
    this.journalId = meta.value;
    const recovered = recover(this.#db, { path, journalId: meta.value, tracksExpiry: false });
    this.state = recovered.state;
    this.#head = recovered.head;
    this.records = new RecordReaderOn(this.#db);
    this.#page = this.#db.prepare<StoredRow, [number, number]>(
      "SELECT row, payload, crc, chain FROM journal WHERE row > ? ORDER BY row LIMIT ?",
    );
    this.#byRow = this.#db.prepare<Pick<StoredRow, "payload" | "crc">, [number]>(
      "SELECT payload, crc FROM journal WHERE row = ?",
    );
    this.#byKey = this.#db.prepare<Pick<StoredRow, "payload" | "crc">, [Buffer]>(
      "SELECT payload, crc FROM journal WHERE key = ? ORDER BY row DESC LIMIT 1",
    );
  }

  get head(): Head {
    return this.#head;
  }

  /** Milliseconds since the replica last knew it was current. */
  lagMs(): number {
    return performance.now() - this.#currentAt;
  }

  /**
   * Applies what is new, for at most `budgetMs`. Returns true when nothing is left.
   *
   * @throws Damage when a row does not continue the chain.
   */
  catchUp(budgetMs: number): boolean {
    const deadline = performance.now() + budgetMs;
    for (;;) {
      const rows = this.#page.all(this.#head.row, PAGE_ROWS);
      for (const stored of rows) {
        verifyRow(stored, this.#head);
        evolve(this.state, decodeRow(stored.payload), null);
        this.#head = { row: stored.row, chain: stored.chain };
      }
      const now = performance.now();
      if (rows.length < PAGE_ROWS) {
        this.#currentAt = now;
        return true;
      }
      if (now >= deadline) return false;
    }
  }

  /** A journal row by its number. */
  row(row: number): Row | null {
    const found = this.#byRow.get(row);
    return found ? foundRow(found, { row }) : null;
  }

  /** The last row stored under an idempotency key (32 hex digits). */
  byKey(key: string): (Row & { readonly outcome: Outcome | null }) | null {
    const found = this.#byKey.get(Buffer.from(key, "hex"));
    return found ? foundRow(found, { key }) : null;
  }

  close(): void {
    this.#db.close();
  }
}
