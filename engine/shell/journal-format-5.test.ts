/**
 * Goal: a journal of before there were blocks is read, folded and written on as it is. Method: a
 * history is stored again as format 5 stored it: each row by itself with its own CRC and link, and
 * placed holds by position in an array.
 */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { History, lived } from "../../test/power/history.ts";
import { Random } from "../../test/power/random.ts";
import { Scratch, World } from "../../test/power/world.ts";
import { formerLine } from "../../test/support/former-rows.ts";
import { storedBlocks, storedLines } from "../../test/support/stored-blocks.ts";
import { decodeRow } from "../core/row-codec.ts";
import { type Head, HeadWitness } from "./head.ts";
import { headPath } from "./journal.ts";
import { rebuildProjections } from "./rebuild.ts";
import { checkProjections } from "./record-check.ts";
import { Replica } from "./replica.ts";
import { stateHash, writeSnapshot } from "./snapshot.ts";
import { chainOf, GENESIS_CHAIN } from "./stored-row.ts";

interface Table {
  readonly row: number;
  readonly key: Uint8Array | null;
  readonly payload: string;
  readonly crc: number;
  readonly chain: string;
}

/** The head file as the engine of then left it. */
function writeHead(path: string, journalId: string, head: Head): void {
  const witness = new HeadWitness(headPath(path), journalId);
  witness.write(head);
  witness.close();
}

const tableOf = (db: Database) =>
  db.query<Table, []>("SELECT row, key, payload, crc, chain FROM journal ORDER BY row").all();

/** Stores each row by itself and in its words, as format 5 did, and returns the last link. */
function unblock(db: Database): string {
  const lines = storedLines(db).map(formerLine);
  db.run("DELETE FROM journal");
  let chain = GENESIS_CHAIN;
  for (const [i, payload] of lines.entries()) {
    const { key } = decodeRow(payload);
    const bytes = key && Buffer.from(key.key, "hex");
    chain = chainOf(chain, payload);
    const crc = Bun.hash.crc32(payload, bytes ? Bun.hash.crc32(bytes) : 0);
    const sql = "INSERT INTO journal(row, key, payload, crc, chain) VALUES (?, ?, ?, ?, ?)";
    db.run(sql, [i + 1, bytes, payload, crc, chain]);
  }
  db.run("UPDATE meta SET value = '5' WHERE name = 'format'");
  const set = "UPDATE meta SET value = substr(value, 1, 32) || ? WHERE name = 'projected'";
  db.run(set, [` ${lines.length} ${chain}`]);
  return chain;
}

test("its state, its keys and its places are as they were, and nothing of it is rewritten", () => {
  using scratch = new Scratch();
  const { world: before } = lived(scratch.path, 300);
  const hash = stateHash(before.engine.state);
  const rows = storedLines(before.journal.db).map(decodeRow);
  const chain = unblock(before.journal.db);
  const table = tableOf(before.journal.db);
  before[Symbol.dispose]();
  // Its witness: the engine of then wrote the head that it had.
  writeHead(scratch.path, before.journal.id, { row: rows.length, chain });

  using world = new World(scratch.path, before.time);
  expect(stateHash(world.engine.state)).toBe(hash);
  expect(world.journal.head).toEqual({ row: rows.length, chain });
  expect(tableOf(world.journal.db)).toEqual(table);
  const lastOfKey = new Map(rows.flatMap(({ key, row }) => (key ? [[key.key, row]] : [])));
  for (const [key, row] of lastOfKey) expect(world.journal.byKey(key)?.row).toBe(row);
  const replica = new Replica(scratch.path);
  for (const { row, chain } of table) expect(replica.chainAt(row)).toBe(chain);
  replica.close();
  const records = checkProjections(world.journal.db);
  expect(rebuildProjections(world.journal.db)).toEqual({ rows: rows.length, records });
});

test("it is written on in blocks, and starts again behind a snapshot of either part", () => {
  using scratch = new Scratch();
  const { world: before } = lived(scratch.path, 60);
  const chain = unblock(before.journal.db);
  const { row: last } = before.journal.head;
  before[Symbol.dispose]();
  writeHead(scratch.path, before.journal.id, { row: last, chain });
  let hash = "";
  {
    using world = new World(scratch.path, before.time);
    const { journal, engine } = world;
    writeSnapshot(scratch.path, journal.id, journal.head, engine.state);
    const history = new History(world, new Random(9));
    history.reach(last + 60);
    hash = stateHash(engine.state);
    const later = storedBlocks(journal.db).filter((block) => block.first > last);
    expect(later.some((block) => block.last > block.first)).toBeTrue();
  }
  {
    using world = new World(scratch.path, before.time);
    expect(world.recovered.snapshotRow).toBe(last);
    expect(stateHash(world.engine.state)).toBe(hash);
    writeSnapshot(scratch.path, world.journal.id, world.journal.head, world.engine.state);
  }
  using world = new World(scratch.path, before.time);
  expect(world.recovered.snapshotRow).toBe(world.journal.head.row);
  expect(stateHash(world.engine.state)).toBe(hash);
});
