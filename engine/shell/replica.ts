/**
 * A read-only fold of the journal in another process. It never blocks the writer: a page of rows
 * is read whole and nothing stays open between pages. It holds its own process up for the time it
 * is given and at most one row longer.
 */
import type { Database } from "bun:sqlite";
import type { Row } from "../core/events.ts";
import { evolve } from "../core/evolve.ts";
import type { EventLookups } from "../core/public-events.ts";
import type { State } from "../core/state.ts";
import type { Block } from "./block.ts";
import { type Head, HeadWatch } from "./head.ts";
import { headPath } from "./journal.ts";
import type { ChainedRow, JournalReader, RowWords } from "./journal-port.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { JournalTail } from "./journal-tail.ts";
import { type Finding, findingsIn } from "./quarantine.ts";
import { RecentKeys } from "./recent-keys.ts";
import { RecordReaderOn } from "./record-store.ts";
import { recover } from "./recover.ts";
import { openForReading } from "./schema.ts";

export class Replica {
  readonly state: State;
  readonly records: RecordReaderOn;
  readonly journalId: string;
  /** The journal that it follows; may be ahead of what is folded. */
  readonly journal: JournalReader;
  readonly #db: Database;
  readonly #tail: JournalTail;
  readonly #watchers = new Set<() => void>();
  readonly #rowWatchers = new Set<(row: Row) => void>();
  /** Of the rows folded lately: those that callers here may wait for. */
  readonly #recentKeys = new RecentKeys();
  #block: Block | null = null;
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
    this.journal = new SqliteJournalReader(this.#db);
    this.#tail = new JournalTail(this.journal, recovered.head, new HeadWatch(headPath(path)));
    this.records = new RecordReaderOn(this.#db);
  }

  get head(): Head {
    return this.#tail.head;
  }

  /** Milliseconds since the replica last knew it was current. */
  lagMs(): number {
    return performance.now() - this.#currentAt;
  }

  /** The damaged records that wait for a rebuild. */
  findings(): Finding[] {
    return findingsIn(this.#db);
  }

  /**
   * Applies what is new, row by row for at most `budgetMs`, at least one row. Returns true when
   * nothing is left.
   *
   * @throws Damage when a row does not continue the chain.
   */
  catchUp(budgetMs: number): boolean {
    const before = this.head.row;
    const isCurrent = this.#applyNew(performance.now() + budgetMs);
    if (isCurrent) this.#currentAt = performance.now();
    if (this.head.row > before) for (const listener of this.#watchers) listener();
    return isCurrent;
  }

  #applyNew(deadlineMs: number): boolean {
    const isTimeUp = () => performance.now() >= deadlineMs;
    while (this.#tail.readPage(this.#take, isTimeUp)) {
      if (isTimeUp()) return false;
    }
    return true;
  }

  /** A journal row by its number. */
  row(row: number): Row | null {
    return this.journal.row(row);
  }

  /** The journal's chain up to a row, 64 hex digits; null when there is no such row. */
  chainAt(row: number): string | null {
    return this.journal.chainAt(row);
  }

  /** At most `limit` rows from `first` on. */
  rowsFrom(first: number, limit: number): ChainedRow[] {
    return this.journal.rowsFrom(first, limit);
  }

  /**
   * The rows from `first` to `last` in whose text a word stands, and one of others; what has not is
   * not decoded.
   */
  rowsBetween(first: number, last: number, words: RowWords): ChainedRow[] {
    return this.journal.rowsBetween(first, last, words);
  }

  /** Calls back whenever rows were applied; what is returned ends that. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /**
   * Calls back with each row as it is folded, without its outcome, so that whoever follows the
   * journal in this process reads nothing twice; what is returned ends that. It must not throw.
   */
  watchRows(listener: (row: Row) => void): () => void {
    this.#rowWatchers.add(listener);
    return () => void this.#rowWatchers.delete(listener);
  }

  /** What events are told from: open records in memory, ended ones where they rest. */
  get eventLookups(): EventLookups {
    const { state, records } = this;
    return {
      hold: (id) => state.holds.get(id) ?? records.hold(id),
      booking: (id) => records.booking(id),
      payment: (id) => state.payments.get(id) ?? records.payment(id),
      refund: (id) => records.refund(id),
    };
  }

  /**
   * The rows of the next `limit` after `after` whose text has one of two words, and the last row
   * that was looked at. It costs little where few have: no other row is decoded.
   */
  rowsNaming(
    words: readonly [string, string],
    after: number,
    limit: number,
  ): { readonly rows: readonly Row[]; readonly through: number } {
    const through = Math.min(this.journal.head().row, after + limit);
    if (through <= after) return { rows: [], through };
    const found = this.journal.rowsBetween(after + 1, through, { word: "", oneOf: words });
    return { rows: found.map(({ row }) => row), through };
  }

  /**
   * The last row stored under an idempotency key (32 hex digits), if its block was reached lately.
   * A lost reply is found here; what is older only the engine knows.
   */
  recentByKey(key: string): Row | null {
    const number = this.#recentKeys.find(key);
    const row = number === 0 ? null : this.row(number);
    return row?.key?.key === key ? row : null;
  }

  readonly #take = (row: Row, block: Block): void => {
    evolve(this.state, row, null);
    for (const listener of this.#rowWatchers) listener(row);
    if (block === this.#block) return;
    this.#block = block;
    this.#recentKeys.note(block.keys, block.last);
  };

  close(): void {
    this.#db.close();
  }
}
