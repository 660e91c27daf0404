/** Reads a journal that lies in SQLite: the only place that asks its table for rows. */
import type { Database, Statement } from "bun:sqlite";
import type { Row } from "../core/events.ts";
import { Block, type StoredBlock } from "./block.ts";
import type { Head } from "./head.ts";
import type { BlockPage, ChainedRow, JournalReader, RowWords } from "./journal-port.ts";
import { GENESIS_CHAIN } from "./stored-row.ts";

const PAGE_ROWS = 256;
/** A page is full with the block that reaches it: at most one large row is read at a time. */
const PAGE_CHARS = 64 * 1024;

const BLOCKS = "SELECT row, key AS keys, payload, crc, chain FROM journal";

interface Keys {
  readonly row: number;
  readonly keys: Uint8Array | null;
}

export class SqliteJournalReader implements JournalReader {
  readonly #head: Statement<Head, []>;
  readonly #isAfter: Statement<unknown, [number]>;
  readonly #after: Statement<StoredBlock, [number]>;
  readonly #withRow: Statement<StoredBlock, [number]>;
  readonly #naming: Statement<StoredBlock, [number, number, string, string]>;
  readonly #isKeyed: Statement<unknown, []>;
  readonly #keys: Statement<Keys, []>;

  constructor(db: Database) {
    this.#head = db.prepare("SELECT row, chain FROM journal ORDER BY row DESC LIMIT 1");
    this.#isAfter = db.prepare("SELECT 1 FROM journal WHERE row > ? LIMIT 1");
    this.#after = db.prepare(`${BLOCKS} WHERE row > ? ORDER BY row`);
    this.#withRow = db.prepare(`${BLOCKS} WHERE row >= ? ORDER BY row LIMIT 1`);
    this.#naming = db.prepare(
      `${BLOCKS} WHERE row >= ?1
         AND row <= ifnull((SELECT row FROM journal WHERE row >= ?2 ORDER BY row LIMIT 1), ?2)
         AND instr(payload, ?3) > 0
         AND EXISTS (SELECT 1 FROM json_each(?4) WHERE instr(payload, value) > 0)
       ORDER BY row`,
    );
    this.#isKeyed = db.prepare("SELECT 1 FROM journal WHERE key IS NOT NULL LIMIT 1");
    this.#keys = db.prepare("SELECT row, key AS keys FROM journal WHERE key IS NOT NULL");
  }

  head(): Head {
    return this.#head.get() ?? { row: 0, chain: GENESIS_CHAIN };
  }

  pageAfter(row: number): BlockPage {
    const blocks: StoredBlock[] = [];
    // Mostly there is none: to be told so costs half of what an iteration does.
    if (this.#isAfter.get(row) === null) return { blocks, isFull: false };
    let chars = 0;
    // Leaving the loop early ends the statement as well.
    for (const block of this.#after.iterate(row)) {
      blocks.push(block);
      chars += block.payload.length;
      if (block.row - row >= PAGE_ROWS || chars >= PAGE_CHARS) return { blocks, isFull: true };
    }
    return { blocks, isFull: false };
  }

  row(row: number): Row | null {
    return this.#blockWith(row)?.rowAt(row) ?? null;
  }

  rows(numbers: Iterable<number>): ChainedRow[] {
    const found: ChainedRow[] = [];
    let block: Block | null = null;
    for (const row of [...numbers].sort((a, b) => a - b)) {
      if (!block || row > block.last) block = this.#blockWith(row);
      if (block) found.push(chained(block, row));
    }
    return found;
  }

  chainAt(row: number): string | null {
    return this.#blockWith(row)?.chainAt(row) ?? null;
  }

  rowsFrom(first: number, limit: number): ChainedRow[] {
    const found: ChainedRow[] = [];
    for (const stored of this.#after.iterate(first - 1)) {
      const block = new Block(stored);
      for (let row = Math.max(first, block.first); row <= block.last; row += 1) {
        if (found.length === limit) return found;
        found.push(chained(block, row));
      }
    }
    return found;
  }

  rowsBetween(first: number, last: number, { word, oneOf }: RowWords): ChainedRow[] {
    const found: ChainedRow[] = [];
    for (const stored of this.#naming.all(first, last, word, JSON.stringify(oneOf))) {
      const block = new Block(stored);
      const end = Math.min(last, block.last);
      for (let row = Math.max(first, block.first); row <= end; row += 1) {
        const line = block.lineOf(row);
        const isNamed = line.includes(word) && oneOf.some((one) => line.includes(one));
        if (isNamed) found.push(chained(block, row));
      }
    }
    return found;
  }

  /** Whether any command came with a key. */
  hasKeys(): boolean {
    return this.#isKeyed.get() !== null;
  }

  /** The keys of all blocks that have any, each with the number of the block's last row. */
  keys(): IterableIterator<Keys> {
    return this.#keys.iterate();
  }

  /** The block that a row lies in, or null. */
  #blockWith(row: number): Block | null {
    const stored = this.#withRow.get(row);
    const block = stored && new Block(stored);
    return block && block.first <= row ? block : null;
  }
}

function chained(block: Block, row: number): ChainedRow {
  return { row: block.rowAt(row), chain: block.chainAt(row) };
}
