/**
 * Reads a journal that lies in SQLite, and its rows of long ago in segments beside it: the only
 * place that asks for either, so that nobody else knows where a row lies.
 *
 * Maintained invariant: a row leaves the database in the transaction that notes it as sealed. Who
 * reads the database first and asks afterwards what is sealed therefore misses nothing, whenever
 * rows leave.
 */
import type { Database, Statement } from "bun:sqlite";
import type { Row } from "../core/events.ts";
import { archivedHead } from "./archived-head.ts";
import { Block, firstRowOf, type PlainBlock, plainBlock, type StoredBlock } from "./block.ts";
import { Damage, readingJournal } from "./damage.ts";
import type { Head } from "./head.ts";
import type { BlockPage, ChainedRow, JournalReader, RowWords } from "./journal-port.ts";
import { Segments } from "./segments.ts";

const PAGE_ROWS = 256;
/** A page is full with the block that reaches it: at most one large row is read at a time. */
const PAGE_BYTES = 64 * 1024;

/** What is packed is no text, whatever the column calls it. */
const BLOCKS = `SELECT row, key AS keys, payload, crc, chain FROM journal`;

export class SqliteJournalReader implements JournalReader {
  readonly #db: Database;
  readonly #segments: Segments;
  /** Where the database began when it was last asked: it may begin later by now. */
  #archived: Head;
  readonly #head: Statement<Head, []>;
  readonly #after: Statement<StoredBlock, [number]>;
  readonly #withRow: Statement<StoredBlock, [number]>;
  readonly #before: Statement<Head, [number]>;
  readonly #isKeyed: Statement<unknown, []>;

  /** The segments are looked for beside the file that `db` has open. */
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

  /** The place after which the database begins: what lies before it is in segments. */
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

  /** Block by block: a page has few, and each costs less than half of what an iteration does. */
  #storedAfter(row: number): BlockPage {
    const blocks: StoredBlock[] = [];
    let bytes = 0;
    for (let at = row; ; ) {
      const block = this.#withRow.get(at + 1);
      if (block === null) return { blocks, isFull: false };
      blocks.push(block);
      // By a flipped bit it may be null: whoever checks the block says so.
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
      // Most blocks have none of the words, and are never made a text of.
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

  /** Whether any command came with a key. */
  hasKeys(): boolean {
    return this.archivedHead().row > 0 || this.#isKeyed.get() !== null;
  }

  /** The blocks from the one with a row on, in order. */
  *#blocksFrom(first: number): Generator<StoredBlock> {
    for (let row = first - 1; ; ) {
      for (const block of this.#archivedBlocks(row + 1, this.archivedHead().row)) {
        yield block;
        row = block.row;
      }
      const stored = this.#after.iterate(row);
      try {
        const next = stored.next();
        // Asked while the statement is open: of the very state of the database that it reads.
        if (row < this.archivedHead().row) continue;
        if (!next.done) yield next.value;
        return void (yield* stored);
      } finally {
        // Left open by who has enough, it would keep this connection in the past.
        stored.return?.();
      }
    }
  }

  /** The blocks with the rows from `first` to `last`, all of which are in segments. */
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

  /** The block that a row lies in, or null; with it goes its chain. */
  #linkedBlockWith(row: number): Block | null {
    const block = this.#blockWith(row);
    return block && this.#linked(block);
  }

  /**
   * A block whose chain is handed out: no CRC tells of that, but the link before it does. What lies
   * in a segment has the CRC of its frame.
   *
   * @throws Damage when the block does not go on from what lies before it.
   */
  #linked(block: Block): Block {
    if (block.last <= this.#archived.row) return block;
    const before = readingJournal(() => this.#before.get(block.first)) ?? this.archivedHead();
    // Else it has left by now.
    if (before.row < block.last) block.mustContinue(before);
    return block;
  }

  /** The block that a row lies in, or null. */
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

/** @throws Damage when a block does not begin after `row`, or before. */
function mustReach(block: PlainBlock, row: number): void {
  const first = firstRowOf(block);
  if (first <= row + 1) return;
  throw new Damage("journal_gap", `row ${row} is followed by ${first}`);
}

function chained(block: Block, row: number): ChainedRow {
  return { row: block.rowAt(row), chain: block.chainAt(row) };
}
