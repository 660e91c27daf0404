/** Goal: a start restores exactly the acknowledged state, or is refused by name. */

import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { History } from "../../test/power/history.ts";
import { Random } from "../../test/power/random.ts";
import { LANES, type ManualTime, Scratch, World } from "../../test/power/world.ts";
import { blockWith, storedBlocks } from "../../test/support/stored-blocks.ts";
import { rebuildProjections } from "./care/rebuild.ts";
import { HeadWitness } from "./head.ts";
import { headPath, Journal } from "./journal.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { KeyRunKeeper } from "./keys/key-run-keeper.ts";
import { projectedHead } from "./meta.ts";
import { openForWriting } from "./schema.ts";
import { snapshotFiles, stateHash, writeSnapshot } from "./snapshot.ts";
import { crcOfBlock } from "./stored-row.ts";

interface Past {
  readonly time: ManualTime;
  readonly row: number;
  readonly hash: string;
  readonly journalId: string;
}

/** Makes a journal of about 60 rows at `path`, with an optional snapshot near row 30. */
function leave(path: string, options = { snapshot: false }): Past {
  using world = new World(path);
  const { journal, engine, time } = world;
  const history = new History(world, new Random(60));
  history.begin();
  history.reach(30);
  if (options.snapshot) writeSnapshot(path, journal.id, journal.head, engine.state);
  history.reach(60);
  // Everything into the main file, so that a test can change it there.
  journal.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const { row } = journal.head;
  return { time, row, hash: stateHash(engine.state), journalId: journal.id };
}

/** Starts like the engine, after `change` was applied to the stored rows. */
function startAfter(path: string, time: ManualTime, change?: string): World {
  if (change) {
    using world = new World(path, time);
    world.journal.db.run(change);
  }
  return new World(path, time);
}

test("replay restores the acknowledged state, bit for bit", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path);
  using world = startAfter(scratch.path, past.time);
  expect(world.recovered).toMatchObject({ snapshotRow: 0, replayed: past.row });
  expect(stateHash(world.engine.state)).toBe(past.hash);
});

test("a snapshot shortens the replay and changes nothing", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path, { snapshot: true });
  using world = startAfter(scratch.path, past.time);
  expect(world.recovered.snapshotRow).toBeGreaterThanOrEqual(30);
  expect(world.recovered.replayed).toBe(past.row - world.recovered.snapshotRow);
  expect(stateHash(world.engine.state)).toBe(past.hash);
});

test.each([
  [
    "a payload after the snapshot",
    `UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(50)}`,
  ],
  [
    "a payload before it",
    `UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(5)}`,
  ],
  ["a CRC", `UPDATE journal SET crc = crc + 1 WHERE ${blockWith(5)}`],
])("%s that is not what was written is journal_row_damaged", (_name, change) => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path, { snapshot: true });
  expect(() => startAfter(scratch.path, time, change)).toThrow("journal_row_damaged");
});

test.each([
  ["after the snapshot", 50],
  ["before it", 5],
])("a row missing %s is journal_gap", (_name, row) => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path, { snapshot: true });
  const change = `DELETE FROM journal WHERE ${blockWith(row)}`;
  expect(() => startAfter(scratch.path, time, change)).toThrow("journal_gap");
});

test("two rows in each other's place break the chain", () => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path, { snapshot: true });
  {
    using world = new World(scratch.path, time);
    const after = storedBlocks(world.journal.db).filter(({ first }) => first > 40);
    const block = after.find(({ first, last }) => last === first + 1)!;
    const payload = `${block.lineOf(block.last)}\n${block.lineOf(block.first)}`;
    const set = "UPDATE journal SET payload = CAST(? AS BLOB), crc = ? WHERE row = ?";
    world.journal.db.run(set, [payload, crcOfBlock(Buffer.from(payload), block.keys), block.last]);
  }
  expect(() => startAfter(scratch.path, time)).toThrow("journal_chain_broken");
});

test("a last row of another chain is not the witnessed one", () => {
  using scratch = new Scratch();
  const { time, row, journalId } = leave(scratch.path);
  const witness = new HeadWitness(headPath(scratch.path), journalId);
  witness.write({ row: row - 1, chain: "f".repeat(64) });
  witness.close();
  expect(() => startAfter(scratch.path, time)).toThrow("journal_chain_broken");
});

test("rows missing at the end are journal_behind_witness", () => {
  using scratch = new Scratch();
  const { time, row } = leave(scratch.path);
  const change = `DELETE FROM journal WHERE row = ${row}`;
  expect(() => startAfter(scratch.path, time, change)).toThrow("journal_behind_witness");
});

test("without a head file, a snapshot ahead refuses the start, damaged or not", () => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path, { snapshot: true });
  const { recovered } = shorten(scratch.path, time);
  expect(() => startAfter(scratch.path, time)).toThrow("journal_behind_witness");
  const snapshot = snapshotFiles(scratch.path)[0]!;
  expect(snapshot.row).toBe(recovered.snapshotRow);
  writeFileSync(snapshot.path, "no longer a database");
  expect(() => startAfter(scratch.path, time)).toThrow("journal_behind_witness");
});

/** Removes the rows after 20 and the head file. */
function shorten(path: string, time: ManualTime): World {
  using world = new World(path, time);
  world.journal.db.run("DELETE FROM journal WHERE row > 20");
  rmSync(headPath(path));
  return world;
}

test("a journal that lost its end continues under a new id once the loss is accepted", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path, { snapshot: true });
  const cut = "DELETE FROM journal WHERE row > 20";
  expect(() => startAfter(scratch.path, past.time, cut)).toThrow("journal_behind_witness");
  const journal = new Journal(scratch.path, { lanes: LANES });
  journal.takeEpoch();
  journal.restartAfterLoss("row 21 to 30");
  expect(journal.id).not.toBe(past.journalId);
  journal.close();
  using world = new World(scratch.path, past.time);
  expect(world.recovered).toMatchObject({ snapshotRow: 0, replayed: 21 });
  expect(world.journal.id).not.toBe(past.journalId);
});

test("a torn or missing head file does not stop a start", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path);
  writeFileSync(headPath(scratch.path), readFileSync(headPath(scratch.path)).subarray(0, 40));
  startAfter(scratch.path, past.time)[Symbol.dispose]();
  rmSync(headPath(scratch.path));
  using world = startAfter(scratch.path, past.time);
  expect(stateHash(world.engine.state)).toBe(past.hash);
});

test("the head file of another journal is no witness against this one", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path);
  const witness = new HeadWitness(headPath(scratch.path), "0".repeat(32));
  witness.write({ row: past.row + 1_000, chain: "f".repeat(64) });
  witness.close();
  using world = startAfter(scratch.path, past.time);
  expect(stateHash(world.engine.state)).toBe(past.hash);
});

test("a lost database is not taken as a first start while a witness exists", () => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path);
  for (const ending of ["", "-wal", "-shm"]) rmSync(scratch.path + ending, { force: true });
  expect(() => new World(scratch.path, time)).toThrow("journal_behind_witness");
});

test("a key that differs from the one its row was written with refuses the start", () => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path);
  const change = `UPDATE journal SET key = randomblob(16) WHERE ${blockWith(5)}`;
  expect(() => startAfter(scratch.path, time, change)).toThrow("journal_row_damaged");
});

test("a file that is not a database is journal_unreadable", () => {
  using scratch = new Scratch();
  writeFileSync(scratch.path, "x".repeat(8_192));
  expect(() => new World(scratch.path)).toThrow("journal_unreadable");
});

test("a page of zeros in the file is refused by name", () => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path);
  // The root page of the table of rows.
  const page = rootPage(scratch.path, time);
  const file = readFileSync(scratch.path);
  writeFileSync(scratch.path, file.fill(0, (page - 1) * 4096, page * 4096));
  expect(() => new World(scratch.path, time)).toThrow("journal_unreadable");
});

function rootPage(path: string, time: ManualTime): number {
  using world = new World(path, time);
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'journal'";
  const { rootpage } = world.journal.db.query<{ rootpage: number }, []>(sql).get()!;
  world.journal.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return rootpage;
}

test("a truncated journal is refused although every witness beside it is gone", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path, { snapshot: true });
  const cut = () => {
    const db = openForWriting(scratch.path);
    db.run("DELETE FROM journal WHERE row > 40");
    db.close();
    rmSync(headPath(scratch.path), { force: true });
    for (const { path } of snapshotFiles(scratch.path)) rmSync(path);
  };
  cut();
  expect(() => new World(scratch.path, past.time)).toThrow(
    new RegExp(`journal_behind_witness: ends at row \\d+, row ${past.row} was acknowledged`),
  );
});

test("a rewritten tail does not match the records and is refused", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path);
  const db = openForWriting(scratch.path);
  db.run("UPDATE meta SET value = replace(value, ' 6', ' 5') WHERE name = 'projected'");
  db.close();
  rmSync(headPath(scratch.path));
  expect(() => new World(scratch.path, past.time)).toThrow(
    /journal_(chain_broken: row \d+ differs from the records|unreadable)/,
  );
});

test("an accepted loss no longer concerns the records once they are rebuilt", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path);
  const journal = new Journal(scratch.path, { lanes: LANES });
  journal.db.run("DELETE FROM journal WHERE row > 40");
  journal.takeEpoch();
  const { row } = journal.head;
  journal.restartAfterLoss(`rows after ${row}`);
  expect(projectedHead(journal.db)?.journalId).not.toBe(journal.id);
  rebuildProjections(journal.db);
  expect(projectedHead(journal.db)).toMatchObject({ journalId: journal.id, row: row + 1 });
  journal.close();
  using world = new World(scratch.path, past.time);
  expect(world.journal.head.row).toBe(row + 1);
});

test("a journal of a release without the note of its records starts, and gets the note", () => {
  using scratch = new Scratch();
  const past = leave(scratch.path);
  using world = startAfter(scratch.path, past.time, "DELETE FROM meta WHERE name = 'projected'");
  expect(projectedHead(world.journal.db)).toBeNull();
  world.time.pass(86_400_000);
  world.tick();
  expect(projectedHead(world.journal.db)).toEqual({
    ...world.journal.head,
    journalId: world.journal.id,
  });
});

test("a snapshot of another past refuses the start", () => {
  using scratch = new Scratch();
  const { time } = leave(scratch.path, { snapshot: true });
  {
    using world = new World(scratch.path, time);
    const { id, head } = world.journal;
    const elsewhere = { ...head, chain: "f".repeat(64) };
    writeSnapshot(scratch.path, id, elsewhere, world.engine.state);
  }
  expect(() => startAfter(scratch.path, time)).toThrow(/journal_chain_broken: .* the snapshot/);
});

/** Writes the keys of all rows as a run. */
async function coverKeys({ journal, path, time }: World): Promise<void> {
  const reader = new SqliteJournalReader(journal.db);
  const of = { journalPath: path, journalId: journal.id, journal: reader, nowMs: time.wallMs };
  const keeper = new KeyRunKeeper({ ...of, keptDays: 7, log: () => {}, rowsLeast: 1 });
  await keeper.cover(journal.head.row);
}

test("a start after a snapshot reads none of the rows whose keys are in runs", async () => {
  using scratch = new Scratch();
  const past = leave(scratch.path, { snapshot: true });
  {
    using world = new World(scratch.path, past.time);
    await coverKeys(world);
    world.journal.db.run(
      `UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(5)}`,
    );
  }
  using world = new World(scratch.path, past.time);
  expect(stateHash(world.engine.state)).toBe(past.hash);
  expect(world.journal.keys.coveredRow).toBe(past.row);
});
