/**
 * Reads a journal in SQLite and its archived rows in segments: the only module that reads either,
 * so that no other module knows where a row is stored.
 *
 * Maintained invariant: a row leaves the database in the transaction that notes it as archived. So
 * a reader that reads the database first and the archived head afterwards misses nothing.
 */

import type { Database, Statement } from "bun:sqlite";
import { Damage } from "../core/damage.ts";
import type { Row } from "../core/events/event.ts";
import { Segments } from "./archive/segments.ts";
import { Block, firstRowOf, type PlainBlock, plainBlock, type StoredBlock } from "./block.ts";
import { readingJournal } from "./care/damage.ts";
import type { Head } from "./head.ts";
import type { BlockPage, ChainedRow, JournalReader, RowWords } from "./journal-port.ts";
import { archivedHead } from "./meta.ts";

const PAGE_ROWS = 256;
/** The block that reaches this size ends a page: at most one large row is read at a time. */
const PAGE_BYTES = 64 * 1024;

/** Packed payloads are bytes, although the column is text. */
const BLOCKS = `SELECT row, key AS keys, payload, crc, chain FROM journal`;

export class SqliteJournalReader implements JournalReader {
  readonly #db: Database;
  readonly #segments: Segments;
  /** As last read: it may have moved on. */
  #archived: Head;
  readonly #head: Statement<Head, []>;
  readonly #after: Statement<StoredBlock, [number]>;
  readonly #withRow: Statement<StoredBlock, [number]>;
  readonly #before: Statement<Head, [number]>;
  readonly #isKeyed: Statement<unknown, []>;

  /** The segments are beside the file that `db` has open. */
  constructor(db: Database) {
    this.#db = db;
    this.#segments = new Segments(db.filename);
    this.#archived = archivedHead(db);
    this.#head = db.prepare("SELECT row, chain FROM journal ORDER BY row DESC LIMIT 1");
    this.#after = db.prepare(`${BLOCKS} WHERE row > ? ORDER BY row`);
    this.#withRow = db.prepare(`${BLOCKS} WHERE row >= ? ORDER BY row LIMIT 1`);
    const before = "SELECT row, chain FROM journal WHERE row < ? ORDER BY row DESC LIMIT 1";
    this.#before = db.prepare(before);
    this.#isKeyed = db.prepare("SELECT 1 FROM journal WHERE key IS NOT NULL LIMIT 1");
  }

  head(): Head {
    return readingJournal(() => this.#head.get()) ?? this.archivedHead();
  }

  /** The head of the archived rows, read from the file each time. */
  archivedHead(): Head {
    this.#archived = archivedHead(this.#db);
    return this.#archived;
  }

  pageAfter(row: number): BlockPage {
    if (row >= this.#archived.row) {
      const page = readingJournal(() => this.#storedAfter(row));
      if (page.blocks.length === 0 || row >= this.archivedHead().row) return page;
    }
    const frame = this.#segments.frameWith(row + 1, this.#archived);
    return { blocks: frame.filter((block) => block.row > row), isFull: true };
  }

  /** Block by block: a page has few, and a query for each costs less than half of an iteration. */
  #storedAfter(row: number): BlockPage {
    const blocks: StoredBlock[] = [];
    let bytes = 0;
    for (let at = row; ; ) {
      const block = this.#withRow.get(at + 1);
      if (block === null) return { blocks, isFull: false };
      blocks.push(block);
      // A flipped bit can make it null; the check of the block reports that.
      bytes += block.payload?.length ?? 0;
      at = block.row;
      if (at - row >= PAGE_ROWS || bytes >= PAGE_BYTES) return { blocks, isFull: true };
    }
  }

  row(row: number): Row | null {
    return this.#blockWith(row)?.rowAt(row) ?? null;
  }

  rows(numbers: Iterable<number>): ChainedRow[] {
    const found: ChainedRow[] = [];
    let block: Block | null = null;
    for (const row of [...numbers].sort((a, b) => a - b)) {
      if (!block || row > block.last) block = this.#linkedBlockWith(row);
      if (block) found.push(chained(block, row));
    }
    return found;
  }

  chainAt(row: number): string | null {
    return this.#linkedBlockWith(row)?.chainAt(row) ?? null;
  }

  rowsFrom(first: number, limit: number): ChainedRow[] {
    return readingJournal(() => this.#rowsFrom(first, limit));
  }

  #rowsFrom(first: number, limit: number): ChainedRow[] {
    const found: ChainedRow[] = [];
    let place: Head | null = null;
    for (const stored of this.#blocksFrom(first)) {
      const block = new Block(stored);
      if (place) block.mustContinue(place);
      else this.#linked(block);
      place = { row: block.last, chain: block.chainAt(block.last) };
      for (let row = Math.max(first, block.first); row <= block.last; row += 1) {
        if (found.length === limit) return found;
        found.push(chained(block, row));
      }
    }
    return found;
  }

  rowsBetween(first: number, last: number, words: RowWords): ChainedRow[] {
    return readingJournal(() => this.#rowsBetween(first, last, words));
  }

  #rowsBetween(first: number, last: number, { word, oneOf }: RowWords): ChainedRow[] {
    const isNamed = (text: string | Buffer) =>
      text.includes(word) && oneOf.some((one) => text.includes(one));
    const found: ChainedRow[] = [];
    const take = (block: Block) => {
      const end = Math.min(last, block.last);
      for (let row = Math.max(first, block.first); row <= end; row += 1) {
        if (isNamed(block.lineOf(row))) found.push(chained(block, row));
      }
    };
    let row = first - 1;
    for (const stored of this.#blocksFrom(first)) {
      const plain = plainBlock(stored);
      mustReach(plain, row);
      row = stored.row;
      // Most blocks contain none of the words and are not decoded.
      if (isNamed(plain.payload)) take(this.#linked(new Block(plain)));
      if (row >= last) break;
    }
    return found;
  }

  /** The blocks of the database with the rows after `row` up to `last`. */
  storedBetween(row: number, last: number): StoredBlock[] {
    return readingJournal(() => {
      const blocks: StoredBlock[] = [];
      for (const block of this.#after.iterate(row)) {
        if (block.row > last) break;
        blocks.push(block);
      }
      return blocks;
    });
  }

  /** Whether any row has a key. */
  hasKeys(): boolean {
    return this.archivedHead().row > 0 || this.#isKeyed.get() !== null;
  }

  /** The blocks from the one with row `first` on, in order. */
  *#blocksFrom(first: number): Generator<StoredBlock> {
    for (let row = first - 1; ; ) {
      for (const block of this.#archivedBlocks(row + 1, this.archivedHead().row)) {
        yield block;
        row = block.row;
      }
      const stored = this.#after.iterate(row);
      try {
        const next = stored.next();
        // Read while the statement is open, so it is of the same state of the database.
        if (row < this.archivedHead().row) continue;
        if (!next.done) yield next.value;
        return void (yield* stored);
      } finally {
        // An open statement would keep this connection at an old state.
        stored.return?.();
      }
    }
  }

  /** The blocks with the rows from `first` to `last`, all of them archived. */
  *#archivedBlocks(first: number, last: number): Generator<StoredBlock> {
    for (let row = first; row <= last; ) {
      for (const block of this.#segments.frameWith(row, this.#archived)) {
        if (block.row < row) continue;
        yield block;
        row = block.row + 1;
        if (row > last) return;
      }
    }
  }

  /** The block of a row with its chain checked, or null. */
  #linkedBlockWith(row: number): Block | null {
    const block = this.#blockWith(row);
    return block && this.#linked(block);
  }

  /**
   * Checks a block's chain against the block before, because no CRC covers it. Archived blocks are
   * covered by the CRC of their frame.
   *
   * @throws Damage when the block does not continue from the one before.
   */
  #linked(block: Block): Block {
    if (block.last <= this.#archived.row) return block;
    const before = readingJournal(() => this.#before.get(block.first)) ?? this.archivedHead();
    // Otherwise it has been archived meanwhile.
    if (before.row < block.last) block.mustContinue(before);
    return block;
  }

  /** The block of a row, or null. */
  #blockWith(row: number): Block | null {
    if (row > this.#archived.row) {
      const stored = readingJournal(() => this.#withRow.get(row));
      const block = stored && new Block(stored);
      if (block && block.first <= row) return block;
      if (row > this.archivedHead().row) {
        if (block === null) return null;
        throw new Damage("journal_gap", `row ${row} is missing before row ${block.first}`);
      }
    }
    return row < 1 ? null : this.#segments.blockWith(row, this.#archived);
  }
}

/** @throws Damage when a block does not begin at the row after `row`, or earlier. */
function mustReach(block: PlainBlock, row: number): void {
  const first = firstRowOf(block);
  if (first <= row + 1) return;
  throw new Damage("journal_gap", `row ${row} is followed by ${first}`);
}

function chained(block: Block, row: number): ChainedRow {
  return { row: block.rowAt(row), chain: block.chainAt(row) };
}
