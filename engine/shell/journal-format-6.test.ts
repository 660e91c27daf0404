/**
 * Goal: a journal of before blocks were packed is read, folded and written on as it is. Method: the
 * blocks of a history are stored again as format 6 stored them: as texts, with a CRC of these.
 */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { History, lived } from "../../test/power/history.ts";
import { Random } from "../../test/power/random.ts";
import { Scratch, World } from "../../test/power/world.ts";
import { storedBlocks, storedLines } from "../../test/support/stored-blocks.ts";
import { BEGINNING } from "./head.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { JournalTail } from "./journal-tail.ts";
import { Replica } from "./replica.ts";
import { leave, nextToLeave, writeSegment } from "./sealing.ts";
import { stateHash, writeSnapshot } from "./snapshot.ts";

const PACKED = "substr(CAST(payload AS BLOB), 1, 1) = x'ff'";

const countOf = (db: Database, sql: string) =>
  db.query<{ count: number }, []>(`SELECT count(*) AS count FROM journal WHERE ${sql}`).get()!
    .count;

const tableOf = (db: Database) =>
  db.query("SELECT row, key, hex(payload), crc, chain FROM journal ORDER BY row").all();

/** Stores each block as format 6 did. */
function unpack(db: Database): void {
  expect(countOf(db, PACKED)).toBeGreaterThan(10);
  for (const block of storedBlocks(db)) {
    const rows = Array.from({ length: block.last - block.first + 1 }, (_, i) => block.first + i);
    const text = rows.map((row) => block.lineOf(row)).join("\n");
    const crc = Bun.hash.crc32(text, block.keys ? Bun.hash.crc32(block.keys) : 0);
    db.run("UPDATE journal SET payload = ?, crc = ? WHERE row = ?", [text, crc, block.last]);
  }
  db.run("UPDATE meta SET value = '6' WHERE name = 'format'");
  expect(countOf(db, PACKED)).toBe(0);
}

/** What follows from all rows, with their places. */
function followed(db: Database) {
  const tail = new JournalTail(new SqliteJournalReader(db), BEGINNING);
  const places: unknown[] = [];
  tail.readAll((row, block) => places.push([row.row, row.events, block.chainAt(row.row)]));
  return places;
}

test("its state, its keys and its places are as they were, and nothing of it is rewritten", () => {
  using scratch = new Scratch();
  const { world: before } = lived(scratch.path, 300);
  const { db, head } = before.journal;
  const [hash, lines, places] = [stateHash(before.engine.state), storedLines(db), followed(db)];
  unpack(db);
  const table = tableOf(db);
  before[Symbol.dispose]();

  using world = new World(scratch.path, before.time);
  expect(stateHash(world.engine.state)).toBe(hash);
  expect(world.journal.head).toEqual(head);
  expect(tableOf(world.journal.db)).toEqual(table);
  expect(storedLines(world.journal.db)).toEqual(lines);
  expect(followed(world.journal.db)).toEqual(places);
});

test("it is written on in packed blocks, read across both, and sealed with them", () => {
  using scratch = new Scratch();
  const { world: before } = lived(scratch.path, 120);
  const { row: last } = before.journal.head;
  unpack(before.journal.db);
  before[Symbol.dispose]();

  using world = new World(scratch.path, before.time);
  const { journal, engine } = world;
  new History(world, new Random(9)).reach(last + 120);
  expect(countOf(journal.db, `${PACKED} AND row <= ${last}`)).toBe(0);
  expect(countOf(journal.db, `${PACKED} AND row > ${last}`)).toBeGreaterThan(5);
  const places = followed(journal.db);
  const size = { rows: last + 60, bytes: 64 * 1024 * 1024 };
  const of = { journalPath: scratch.path, journalId: journal.id, size, through: last + 100 };
  writeSnapshot(scratch.path, journal.id, journal.head, engine.state);
  const steps = writeSegment({ ...of, journal: new SqliteJournalReader(journal.db) }, BEGINNING);
  while (!steps.next().done);
  const leaving = leave(journal, nextToLeave(scratch.path, journal.sealed)!);
  while (!leaving.next().done);
  expect(journal.sealed.row).toBeGreaterThan(last);
  expect(followed(journal.db)).toEqual(places);
  const replica = new Replica(scratch.path);
  expect(stateHash(replica.state)).toBe(stateHash(engine.state));
  replica.close();
});
