/** The journal's table as a test reads and damages it, which nobody else does. */
import type { Database } from "bun:sqlite";
import { Block, type StoredBlock } from "../../engine/log/block.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";

/** SQL: the row of the table in which a row of the journal lies. */
export function blockWith(row: number): string {
  return `row = (SELECT min(row) FROM journal WHERE row >= ${row})`;
}

/** All blocks; each is checked by itself. */
export function storedBlocks(db: Database): Block[] {
  const columns = "row, key AS keys, payload, crc, chain";
  const sql = `SELECT ${columns} FROM journal ORDER BY row`;
  return db
    .query<StoredBlock, []>(sql)
    .all()
    .map((stored) => new Block(stored));
}

/** The texts of all rows of the table, the first one first. */
export function storedLines(db: Database): string[] {
  return storedBlocks(db).flatMap(linesOf);
}

/** The texts of all rows, row 1 first, in the table or in segments. */
export function journalLines(db: Database): string[] {
  const journal = new SqliteJournalReader(db);
  const lines: string[] = [];
  for (let isFull = true; isFull; ) {
    const page = journal.pageAfter(lines.length);
    for (const stored of page.blocks) lines.push(...linesOf(new Block(stored)));
    isFull = page.isFull;
  }
  return lines;
}

function linesOf(block: Block): string[] {
  const rows = Array.from({ length: block.last - block.first + 1 }, (_, i) => block.first + i);
  return rows.map((row) => block.lineOf(row));
}
