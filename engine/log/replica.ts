/**
 * A read-only fold of the journal in another process. It never blocks the writer: a page of rows is
 * read whole and nothing stays open between pages. It blocks its own process for the given time and
 * at most one row longer.
 */
import type { Database } from "bun:sqlite";
import type { Row } from "../core/events/event.ts";
import { evolve } from "../core/evolve.ts";
import type { EventLookups } from "../core/public-events.ts";
import type { State } from "../core/state/state.ts";
import type { Block } from "./block.ts";
import { type Finding, findingsIn } from "./care/quarantine.ts";
import { type Head, HeadWatch } from "./head.ts";
import { headPath } from "./journal.ts";
import type { ChainedRow, JournalReader, RowWords } from "./journal-port.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { JournalTail } from "./journal-tail.ts";
import { RecentKeys } from "./keys/recent-keys.ts";
import { JOURNAL_ID, readMeta } from "./meta.ts";
import { RecordReaderOn } from "./record-reader.ts";
import { recover } from "./recover.ts";
import { hasAllTables, openForReading } from "./schema.ts";

export class Replica {
  readonly state: State;
  readonly records: RecordReaderOn;
  readonly journalId: string;
  /** The journal that it follows; may be ahead of the fold. */
  readonly journal: JournalReader;
  readonly #db: Database;
  readonly #tail: JournalTail;
  readonly #watchers = new Set<() => void>();
  readonly #rowWatchers = new Set<(row: Row) => void>();
  /** Keys of recently folded rows, for callers that wait for them. */
  readonly #recentKeys = new RecentKeys();
  #block: Block | null = null;
  /** `performance.now()` of the last time that no row was left to apply. */
  #currentAt = performance.now();

  /**
   * Opens the journal at `path` and folds it to its head.
   *
   * @throws Damage as recovery; Error when there is no journal of this version yet.
   */
  constructor(path: string) {
    this.#db = openForReading(path);
    const journalId = readMeta(this.#db, JOURNAL_ID);
    if (journalId === null) throw new Error(`no journal at ${path}`);
    // What stands in for a missing table would hide the one that the engine makes.
    if (!hasAllTables(this.#db)) throw new Error(`no engine has opened the journal at ${path} yet`);
    this.journalId = journalId;
    const recovered = recover(this.#db, { path, journalId, tracksExpiry: false });
    this.state = recovered.state;
    this.journal = new SqliteJournalReader(this.#db);
    this.#tail = new JournalTail(this.journal, recovered.head, new HeadWatch(headPath(path)));
    this.records = new RecordReaderOn(this.#db);
  }

  get head(): Head {
    return this.#tail.head;
  }

  /** Milliseconds since the replica was last known to be current. */
  lagMs(): number {
    return performance.now() - this.#currentAt;
  }

  /** The damaged records that wait for a rebuild. */
  findings(): Finding[] {
    return findingsIn(this.#db);
  }

  /**
   * Applies new rows for at most `budgetMs`, at least one. Returns true when none are left.
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

  row(row: number): Row | null {
    return this.journal.row(row);
  }

  /** The chain up to a row, 64 hex digits; null for a missing row. */
  chainAt(row: number): string | null {
    return this.journal.chainAt(row);
  }

  /** At most `limit` rows from `first` on. */
  rowsFrom(first: number, limit: number): ChainedRow[] {
    return this.journal.rowsFrom(first, limit);
  }

  /** The rows from `first` to `last` that contain the words; others are not decoded. */
  rowsBetween(first: number, last: number, words: RowWords): ChainedRow[] {
    return this.journal.rowsBetween(first, last, words);
  }

  /** Calls `listener` whenever rows were applied; returns a function that ends it. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /**
   * Calls `listener` with each folded row, without its outcome, so that followers in this process
   * read nothing twice; returns a function that ends it. The listener must not throw.
   */
  watchRows(listener: (row: Row) => void): () => void {
    this.#rowWatchers.add(listener);
    return () => void this.#rowWatchers.delete(listener);
  }

  /** Records for rendering events: open ones from memory, ended ones from the projections. */
  get eventLookups(): EventLookups {
    const { state, records } = this;
    return {
      hold: (id) => state.holds.get(id) ?? records.hold(id),
      booking: (id) => records.booking(id),
      payment: (id) => state.payments.get(id) ?? records.payment(id),
      refund: (id) => records.refund(id),
      authorization: (id) => records.authorization(id),
      incident: (id) => records.incident(id),
    };
  }

  /**
   * The rows among the next `limit` after `after` that contain one of the words, and the last row
   * searched. Other rows are not decoded.
   */
  rowsNaming(
    words: readonly string[],
    after: number,
    limit: number,
  ): { readonly rows: readonly Row[]; readonly through: number } {
    const through = Math.min(this.journal.head().row, after + limit);
    if (through <= after) return { rows: [], through };
    const found = this.journal.rowsBetween(after + 1, through, { word: "", oneOf: words });
    return { rows: found.map(({ row }) => row), through };
  }

  /**
   * The last row stored under an idempotency key (32 hex digits), among recently folded rows. Finds
   * a lost reply; older keys are known only to the engine.
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
