/** Goal: a follower of the journal reads every row once, in order, and no damaged one. */

import { expect, test } from "bun:test";
import { lived } from "../../test/power/history.ts";
import { Scratch } from "../../test/power/world.ts";
import { blockWith, storedBlocks } from "../../test/support/stored-blocks.ts";
import type { Row } from "../core/events/event.ts";
import { plainBlock, type StoredBlock } from "./block.ts";
import { BEGINNING } from "./head.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { JournalTail } from "./journal-tail.ts";
import { openForReading } from "./schema.ts";
import { chainOf, crcOfBlock } from "./stored-row.ts";

test("rows are read once and in order, a page at a time, and from where a reader stopped", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 600).world;
  const db = openForReading(scratch.path);
  const rows: number[] = [];
  const take = ({ row }: Row) => void rows.push(row);
  const tail = new JournalTail(new SqliteJournalReader(db), BEGINNING);
  expect(tail.readPage(take)).toBeTrue();
  const page = rows.length;
  expect(page).toBeGreaterThan(1);
  expect(page).toBeLessThanOrEqual(256);
  expect(tail.head.row).toBe(page);
  const later = new JournalTail(new SqliteJournalReader(db), tail.head);
  later.readAll(take);
  expect(later.head).toEqual(world.journal.head);
  expect(rows).toEqual(Array.from({ length: world.journal.head.row }, (_, i) => i + 1));
  expect(later.readPage(take)).toBeFalse();
  expect(rows).toHaveLength(world.journal.head.row);
  db.close();
});

test("a page ends with the row that exceeds its size", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 40).world;
  const { db } = world.journal;
  const { first } = storedBlocks(db).find((block) => block.first >= 8)!;
  const before = new JournalTail(new SqliteJournalReader(db), BEGINNING);
  before.readPage(
    () => {},
    () => before.head.row === first - 1,
  );
  // Blanks after a payload change only its size, not its decoded rows.
  const [found] = new SqliteJournalReader(db).pageAfter(first - 1).blocks as [StoredBlock];
  const payload = `${plainBlock(found).payload}${" ".repeat(100_000)}`;
  const stored = [
    crcOfBlock(Buffer.from(payload), found.keys),
    chainOf(before.head.chain, payload),
    found.row,
  ];
  db.run("UPDATE journal SET payload = CAST(? AS BLOB), crc = ?, chain = ? WHERE row = ?", [
    payload,
    ...stored,
  ]);
  const tail = new JournalTail(new SqliteJournalReader(db), BEGINNING);
  expect(tail.readPage(() => {})).toBeTrue();
  expect(tail.head.row).toBe(found.row);
});

test("a reader that stops early ends at its row, and resumes after it", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 20).world;
  const tail = new JournalTail(new SqliteJournalReader(world.journal.db), BEGINNING);
  const rows: number[] = [];
  const take = ({ row }: Row) => void rows.push(row);
  expect(tail.readPage(take, () => rows.length === 7)).toBeTrue();
  expect(rows).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const { row: last } = world.journal.head;
  expect(tail.readPage(take, () => rows.length === last)).toBeFalse();
  expect(rows).toEqual(Array.from({ length: last }, (_, i) => i + 1));
});

test("between pages no read transaction is open, so the whole log can be folded back and reused", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 600).world;
  const db = openForReading(scratch.path);
  new JournalTail(new SqliteJournalReader(db), BEGINNING).readPage(() => {});
  const { journal } = world;
  const wal = journal.db
    .query<{ busy: number; log: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)")
    .get();
  expect(wal).toMatchObject({ busy: 0, log: 0 });
  db.close();
});

test.each([
  ["a payload", "UPDATE journal SET payload = CAST(payload || ' ' AS BLOB)", "row_damaged"],
  ["a missing block", "DELETE FROM journal", "journal_gap"],
  ["the chain", "UPDATE journal SET chain = 'x'", "chain_broken"],
])("damage of %s is found at its block, and the head stays before it", (_name, sql, damage) => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 400).world;
  const { first } = storedBlocks(world.journal.db).find((block) => block.last >= 300)!;
  world.journal.db.run(`${sql} WHERE ${blockWith(300)}`);
  const tail = new JournalTail(new SqliteJournalReader(world.journal.db), BEGINNING);
  expect(() => tail.readAll(() => {})).toThrow(damage);
  expect(tail.head.row).toBe(first - 1);
});

test("a row that its reader rejected is delivered again", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 20).world;
  const tail = new JournalTail(new SqliteJournalReader(world.journal.db), BEGINNING);
  const refuse = ({ row }: Row) => {
    if (row === 7) throw new Error("not now");
  };
  expect(() => tail.readAll(refuse)).toThrow("not now");
  const rows: number[] = [];
  tail.readAll(({ row }) => void rows.push(row));
  expect(rows[0]).toBe(7);
});

test("a follower can start at any row of a block, and continues after it", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 60).world;
  const reader = new SqliteJournalReader(world.journal.db);
  const { row: last } = world.journal.head;
  for (let row = 1; row <= last; row += 1) {
    const chain = reader.chainAt(row)!;
    const rows: number[] = [];
    const tail = new JournalTail(reader, { row, chain });
    tail.readAll((each) => void rows.push(each.row));
    expect(rows).toEqual(Array.from({ length: last - row }, (_, i) => row + 1 + i));
    expect(tail.head).toEqual(world.journal.head);
  }
});

test("a follower that stopped inside a block detects another chain there later", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 60).world;
  const reader = new SqliteJournalReader(world.journal.db);
  const tail = new JournalTail(reader, BEGINNING);
  let isMore = true;
  while (isMore) {
    isMore = tail.readPage(
      () => {},
      () => true,
    );
    expect(tail.head.chain).toBe(reader.chainAt(tail.head.row)!);
  }
  expect(tail.head).toEqual(world.journal.head);
});

test("a place inside a block with another chain is refused", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 60).world;
  const { first } = storedBlocks(world.journal.db).find((block) => block.last > block.first)!;
  const tail = new JournalTail(new SqliteJournalReader(world.journal.db), {
    row: first,
    chain: "f".repeat(64),
  });
  expect(() => tail.readAll(() => {})).toThrow("journal_chain_broken");
  expect(tail.head.row).toBe(first);
});
