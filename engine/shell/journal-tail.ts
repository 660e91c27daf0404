/**
 * Follows a journal from a place in it: pages of rows, each checked against its CRC, its order and
 * the chain before it is handed out. A page is read whole and nothing stays open between pages, so
 * a reader of any length keeps neither the writer nor its checkpoints waiting.
 */
import type { Database, Statement } from "bun:sqlite";
import type { Row } from "../core/events.ts";
import { decodeForFold } from "../core/row-codec.ts";
import type { Head, HeadWatch } from "./head.ts";
import { type StoredRow, verifyRow } from "./stored-row.ts";

const PAGE_ROWS = 256;
/** A page is full with the row that reaches it: at most one large row is read at a time. */
const PAGE_CHARS = 64 * 1024;

/** Receives each row with how it is stored; as for a fold, a placed hold's outcome is not made. */
export type TakeRow = (row: Row, stored: StoredRow) => void;

export class JournalTail {
  readonly #rows: Statement<StoredRow, [number]>;
  readonly #isNew: Statement<unknown, [number]>;
  readonly #watch: HeadWatch | null;
  #head: Head;
  /** Nothing was left when the watch was last asked. */
  #isAtEnd = false;

  /**
   * Starts after `from`: row 0 with `GENESIS_CHAIN`, or a place that was reached before. With a
   * `watch` it looks for new rows where there may be some.
   */
  constructor(db: Database, from: Head, watch: HeadWatch | null = null) {
    this.#rows = db.prepare(
      "SELECT row, key, payload, crc, chain FROM journal WHERE row > ? ORDER BY row",
    );
    this.#isNew = db.prepare("SELECT 1 FROM journal WHERE row > ? LIMIT 1");
    this.#head = from;
    this.#watch = watch;
  }

  /** The last row that was taken, and the chain up to it. */
  get head(): Head {
    return this.#head;
  }

  /**
   * Hands out the next page, at most 256 rows, and no row after the first with which `isEnough`.
   * True when there may be more.
   *
   * @throws Damage when a row is not what was written, and whatever `take` throws; the head then
   * stays at the row before.
   */
  readPage(take: TakeRow, isEnough: () => boolean = () => false): boolean {
    const hasMoved = this.#watch?.hasMoved() ?? true;
    if (this.#isAtEnd && !hasMoved) return false;
    this.#isAtEnd = false;
    const isMore = this.#takePage(take, isEnough);
    this.#isAtEnd = !isMore;
    return isMore;
  }

  #takePage(take: TakeRow, isEnough: () => boolean): boolean {
    const { rows, isFull } = this.#nextPage();
    for (const [i, stored] of rows.entries()) {
      verifyRow(stored, this.#head);
      take(decodeForFold(stored.payload), stored);
      this.#head = { row: stored.row, chain: stored.chain };
      if (isEnough()) return isFull || i + 1 < rows.length;
    }
    return isFull;
  }

  #nextPage(): { readonly rows: readonly StoredRow[]; readonly isFull: boolean } {
    const rows: StoredRow[] = [];
    // Mostly there is none: to be told so costs half of what an iteration does.
    if (this.#isNew.get(this.#head.row) === null) return { rows, isFull: false };
    let chars = 0;
    // Leaving the loop early ends the statement as well.
    for (const stored of this.#rows.iterate(this.#head.row)) {
      rows.push(stored);
      chars += stored.payload.length;
      if (rows.length === PAGE_ROWS || chars >= PAGE_CHARS) return { rows, isFull: true };
    }
    return { rows, isFull: false };
  }

  /** Hands out everything there is. Throws as `readPage` does. */
  readAll(take: TakeRow): void {
    while (this.readPage(take));
  }
}
