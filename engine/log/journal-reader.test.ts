/** Goal: every query of a journal returns rows as written, wherever they are stored. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { placeHold } from "../../test/power/commands.ts";
import { lived } from "../../test/power/history.ts";
import { Random } from "../../test/power/random.ts";
import { Scratch } from "../../test/power/world.ts";
import { storedBlocks, storedLines } from "../../test/support/stored-blocks.ts";
import { decodeRow } from "../core/codec/row-codec.ts";
import type { Damage } from "../core/damage.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { openForReading } from "./schema.ts";

const ROWS = 300;

/** A journal with blocks of several rows, and its rows decoded from their texts. */
function open(path: string) {
  const { world } = lived(path, ROWS);
  const { db } = world.journal;
  const blocks = storedBlocks(db);
  expect(blocks.some(({ first, last }) => last - first > 1)).toBeTrue();
  const rows = storedLines(db).map(decodeRow);
  const chainOfRow = (row: number) => blocks.find(({ last }) => last >= row)!.chainAt(row);
  const chained = rows.map((row) => ({ row, chain: chainOfRow(row.row) }));
  return { world, reader: new SqliteJournalReader(db), rows, chained };
}

test("each row up to the last is found by its number, with the chain up to it", () => {
  using scratch = new Scratch();
  const { world, reader, rows, chained } = open(scratch.path);
  using _world = world;
  expect(rows.map(({ row }) => row)).toEqual(Array.from(rows, (_, i) => i + 1));
  for (const { row, chain } of chained) {
    expect(reader.row(row.row)).toEqual(row);
    expect(reader.chainAt(row.row)).toBe(chain);
  }
  for (const none of [0, -1, rows.length + 1]) {
    expect([reader.row(none), reader.chainAt(none)]).toEqual([null, null]);
  }
  expect(reader.head()).toEqual(world.journal.head);
});

test("rows are found by many numbers at once, in their order, duplicates and absent ones included", () => {
  using scratch = new Scratch();
  const { world, reader, chained } = open(scratch.path);
  using _world = world;
  const wanted = [250, 3, 4, 5, 90, 0, 10_000];
  expect(reader.rows(wanted)).toEqual([3, 4, 5, 90, 250].map((row) => chained[row - 1]!));
});

test("reading starts at any row and gives as many rows as requested", () => {
  using scratch = new Scratch();
  const { world, reader, chained } = open(scratch.path);
  using _world = world;
  for (let first = 1; first <= ROWS; first += 7) {
    expect(reader.rowsFrom(first, 10)).toEqual(chained.slice(first - 1, first + 9));
  }
  expect(reader.rowsFrom(5, 0)).toEqual([]);
  expect(reader.rowsFrom(1, 100_000)).toEqual(chained);
});

test("a search by words in a range of rows finds matching rows, not their neighbours", () => {
  using scratch = new Scratch();
  const { world, reader, chained } = open(scratch.path);
  using _world = world;
  const words = { word: '"actor"', oneOf: ['"hold.released"', '"booking.confirmed"'] };
  const isNamed = ({ row }: (typeof chained)[number]) =>
    row.events.some(({ type }) => ["hold.released", "booking.confirmed"].includes(type));
  const named = chained.filter(isNamed);
  expect(named.length).toBeGreaterThan(10);
  for (let first = 1; first <= ROWS; first += 13) {
    for (const last of [first - 1, first, first + 1, first + 40, 100_000]) {
      const expected = named.filter(({ row }) => row.row >= first && row.row <= last);
      expect(reader.rowsBetween(first, last, words)).toEqual(expected);
    }
  }
});

test("a reader that stops early sees the rows written later", () => {
  using scratch = new Scratch();
  const { world } = open(scratch.path);
  using _world = world;
  using db = openForReading(scratch.path);
  const reader = new SqliteJournalReader(db);
  const words = { word: "", oneOf: ['"hold.released"'] };
  for (const read of [() => reader.rowsFrom(5, 0), () => reader.rowsBetween(5, 5, words)]) {
    read();
    world.ask(placeHold(new Random(world.journal.head.row), world.time.wallMs()));
    expect(reader.head()).toEqual(world.journal.head);
  }
});

/** Overwrites the pages of the file that hold journal rows; inner pages stay intact. */
function spoilPages(path: string): void {
  const { pages, pageBytes } = leavesOf(path);
  const bytes = readFileSync(path);
  for (const page of pages) bytes[(page - 1) * pageBytes]! ^= 0x40;
  writeFileSync(path, bytes);
}

function leavesOf(path: string) {
  using db = openForReading(path);
  const sql = "SELECT pageno FROM dbstat WHERE name = 'journal' AND pagetype = 'leaf'";
  const pages = db.query<{ pageno: number }, []>(sql).all();
  const { page_size } = db.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
  return { pages: pages.map(({ pageno }) => pageno), pageBytes: page_size };
}

test("a page that SQLite cannot read is reported as damage by name, in every query", () => {
  using scratch = new Scratch();
  {
    using world = lived(scratch.path, ROWS).world;
    world.journal.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  spoilPages(scratch.path);
  using db = openForReading(scratch.path);
  const reader = new SqliteJournalReader(db);
  const words = { word: "", oneOf: ["booking"] };
  const reads = [
    () => reader.head(),
    () => reader.pageAfter(10),
    () => reader.row(10),
    () => reader.rows([10, 20]),
    () => reader.chainAt(10),
    () => reader.rowsFrom(10, 5),
    () => reader.rowsBetween(10, 20, words),
    () => reader.storedBetween(10, 20),
  ];
  for (const read of reads) expect(read).toThrow("journal_unreadable: SQLITE_CORRUPT");
});

test("rows of a wrong chain are never returned, and missing rows are never skipped", () => {
  using scratch = new Scratch();
  const { world, chained } = open(scratch.path);
  using _world = world;
  const { db } = world.journal;
  const block = storedBlocks(db).find(({ first, last }) => first > 100 && last - first > 1)!;
  const { first, last } = block;
  const words = { word: "", oneOf: ['"'] };
  const seen = () => {
    const reader = new SqliteJournalReader(db);
    const reads = [
      () => reader.chainAt(last),
      () => reader.chainAt(first),
      () => reader.rows([last]),
      () => reader.rowsFrom(last, 1),
      () => reader.rowsFrom(first - 20, 50),
      () => reader.rowsBetween(first - 20, last + 20, words),
    ];
    return reads.map((read) => {
      try {
        read();
        return null;
      } catch (error) {
        return (error as Damage).damage;
      }
    });
  };
  expect(seen()).toEqual(Array(6).fill(null));
  const chain = block.chainAt(last).replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  db.run("UPDATE journal SET chain = ? WHERE row = ?", [chain, last]);
  expect(seen()).toEqual(Array(6).fill("journal_chain_broken"));
  // The row itself is intact.
  expect(new SqliteJournalReader(db).row(last)).toEqual(chained[last - 1]!.row);
  db.run("DELETE FROM journal WHERE row = ?", [last]);
  expect(seen()).toEqual(Array(6).fill("journal_gap"));
});
