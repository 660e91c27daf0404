/**
 * Goal: rows moved from the database to segments are unchanged for every reader, and are always in
 * at least one of them. Method: a real history, read in every way before and after the move.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { placeHold } from "../../../test/power/commands.ts";
import { lived } from "../../../test/power/history.ts";
import { Random } from "../../../test/power/random.ts";
import { recordsHash } from "../../../test/power/recording.ts";
import { LANES, Scratch, World } from "../../../test/power/world.ts";
import type { Damage } from "../../core/damage.ts";
import { plainBlock, type StoredBlock } from "../block.ts";
import { rebuildProjections } from "../care/rebuild.ts";
import { BEGINNING } from "../head.ts";
import { Journal } from "../journal.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { blocksAfter, JournalTail } from "../journal-tail.ts";
import { recover } from "../recover.ts";
import { stateHash, writeSnapshot } from "../snapshot.ts";
import {
  type ArchiveOptions,
  lastArchivable,
  nextToRemove,
  removeRows,
  restoreRows,
  writeSegment,
} from "./archiving.ts";
import { SegmentFile } from "./segment.ts";
import { checkingSegments, segmentPlaces, segmentsPath } from "./segments.ts";

const ROWS = 900;
const SIZE = { rows: 300, bytes: 64 * 1024 * 1024 };

let scratch: Scratch;
let world: World;

beforeEach(() => {
  scratch = new Scratch();
  world = lived(scratch.path, ROWS, 11).world;
});
afterEach(() => {
  world[Symbol.dispose]();
  scratch[Symbol.dispose]();
});

function ended<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function options(through: number): ArchiveOptions {
  const { path: journalPath, journal } = world;
  const reader = new SqliteJournalReader(journal.db);
  return { journalPath, journalId: journal.id, journal: reader, through, size: SIZE };
}

/** Archives all possible rows up to a row, and by default removes them from the database. */
function seal(through: number): void {
  while (ended(writeSegment(options(through), world.journal.archived)) !== null) {
    ended(removeRows(world.journal, nextToRemove(world.path, world.journal.archived)!));
  }
}

/** The results of all queries of the journal. */
function seen() {
  const { db, id: journalId, head } = world.journal;
  const reader = new SqliteJournalReader(db);
  const all = reader.rowsFrom(1, head.row + 1);
  const words = { word: '"booking.', oneOf: ['"agt_ada"', '"agt_bob"'] };
  const keys: [number, Uint8Array][] = [];
  for (const { last, keys: each } of blocksAfter(reader, BEGINNING)) {
    if (each) keys.push([last, Buffer.from(each)]);
  }
  const recovery = { path: world.path, journalId, tracksExpiry: true, ignoreSnapshots: true };
  const tail = new JournalTail(reader, BEGINNING);
  const taken: number[] = [];
  tail.readAll((row) => void taken.push(row.row));
  return {
    all,
    head: reader.head(),
    taken,
    followed: tail.head,
    each: all.map(({ row }) => reader.row(row.row)),
    chains: all.map(({ row }) => reader.chainAt(row.row)),
    some: reader.rows([head.row, 500, 3, 4, 77, 500]),
    between: reader.rowsBetween(30, head.row - 30, words),
    early: reader.rowsBetween(1, 90, words),
    late: reader.rowsBetween(head.row - 90, head.row + 5, words),
    middle: reader.rowsFrom(150, 100),
    last: reader.rowsFrom(head.row, 10),
    beyond: [reader.row(0), reader.row(head.row + 1), reader.chainAt(0)],
    keys,
    state: stateHash(recover(db, recovery).state),
    records: recordsHash(db),
  };
}

const countIn = () =>
  world.journal.db.query<{ count: number }, []>("SELECT count(*) AS count FROM journal").get()!
    .count;

test("every reader finds every row unchanged when most rows are in segments", () => {
  const [before, blocks] = [seen(), countIn()];
  seal(ROWS - 100);
  const places = segmentPlaces(world.path);
  expect(places.length).toBeGreaterThan(2);
  expect(places[0]!.first).toBe(1);
  expect(world.journal.archived.row).toBe(places.at(-1)!.last);
  expect(world.journal.archived.row).toBeGreaterThan(ROWS - 150);
  expect(countIn()).toBeLessThan(blocks / 4);
  expect(seen()).toEqual(before);

  rebuildProjections(world.journal.db);
  expect(seen()).toEqual(before);
  for (const { row } of before.all) {
    if (row.key) expect(world.journal.byKey(row.key.key)?.key).toEqual(row.key);
  }
});

test("an engine starts with rows in segments, with a snapshot and without, and writes on", () => {
  const { path, time } = world;
  const { id, head } = world.journal;
  writeSnapshot(path, id, head, world.engine.state);
  const state = stateHash(world.engine.state);
  seal(ROWS - 100);
  world[Symbol.dispose]();
  for (const isKept of [true, false]) {
    if (!isKept) rmSync(`${path.slice(0, -3)}.snapshot-${id}-${head.row}.db`);
    world = new World(path, time);
    expect(stateHash(world.recovered.state)).toBe(state);
    expect(world.recovered.snapshotRow).toBe(isKept ? head.row : 0);
    expect(world.warnings).toEqual([]);
    if (isKept) world[Symbol.dispose]();
  }
  const [reply] = world.ask(placeHold(new Random(5), time.wallMs()));
  expect(reply?.row).toBe(head.row + 1);
});

test("a follower misses no row while rows leave between its pages", () => {
  const follower = new JournalTail(new SqliteJournalReader(world.journal.db), BEGINNING);
  const taken: number[] = [];
  const take = ({ row }: { row: number }) => void taken.push(row);
  follower.readPage(take, () => taken.length === 150);
  seal(300);
  follower.readPage(take, () => taken.length === 320);
  seal(600);
  follower.readAll(take);
  expect(taken).toEqual(Array.from({ length: world.journal.head.row }, (_, i) => i + 1));
  expect(follower.head).toEqual(world.journal.head);
});

test("only rows before the oldest snapshot and past the minimum age are sealed, never the last block", () => {
  const { journal, engine, path } = world;
  const until = (beforeMs: number) => lastArchivable(options(0), beforeMs);
  expect(until(Number.MAX_SAFE_INTEGER)).toBe(0);
  writeSnapshot(path, journal.id, journal.head, engine.state);
  expect(until(Number.MAX_SAFE_INTEGER)).toBe(journal.head.row - 1);
  const rows = new SqliteJournalReader(journal.db);
  const { stamp } = rows.row(400)!;
  const last = until(stamp);
  expect(rows.row(last)!.stamp).toBeLessThan(stamp);
  expect(rows.row(last + 1)!.stamp).toBe(stamp);
  expect(until(0)).toBe(0);
});

test("only rows that equal the segment's are removed: no other row, block or journal", () => {
  const { journal } = world;
  ended(writeSegment(options(300), BEGINNING));
  const file = nextToRemove(world.path, journal.archived)!;
  const blocks = file.blocksOf(file.frames[0]!);
  const count = countIn();
  const others = [
    blocks.map((block, i) =>
      i === 3 ? { ...block, payload: Buffer.from(`${block.payload} `) } : block,
    ),
    blocks.map((block, i) => (i === 3 ? { ...block, keys: new Uint8Array(16) } : block)),
    blocks.map((block, i) => (i === 3 ? { ...block, crc: block.crc + 1 } : block)),
    blocks.slice(1),
    [...blocks.slice(0, 3), ...blocks.slice(4)],
  ];
  for (const other of others) {
    expect(() => journal.removeArchived(other)).toThrow("segment_damaged");
    expect(countIn()).toBe(count);
    expect(journal.archived).toEqual(BEGINNING);
  }
  journal.removeArchived(blocks);
  expect(countIn()).toBe(count - blocks.length);
});

/** The results of a start that folds all rows, and of a read of row 50. */
function refusals(): (string | null)[] {
  const { db, id: journalId } = world.journal;
  const recovery = { path: world.path, journalId, tracksExpiry: true, ignoreSnapshots: true };
  const reads = [() => recover(db, recovery), () => new SqliteJournalReader(db).row(50)];
  return reads.map((read) => {
    try {
      read();
      return null;
    } catch (error) {
      return (error as Damage).damage ?? String(error);
    }
  });
}

test("a missing, truncated, flipped or foreign segment is refused by name", () => {
  seal(ROWS - 100);
  const { path } = segmentPlaces(world.path)[0]!;
  const whole = readFileSync(path);
  const { frames, facts } = new SegmentFile(path);
  expect(refusals()).toEqual([null, null]);
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 4;
    return bytes;
  };
  const places = [frames[0]!.at + 9, frames[0]!.at + 2_000, facts.index_at + 5, whole.length - 300];
  for (const at of places) {
    writeFileSync(path, flipped(at));
    expect([at, ...refusals()]).toEqual([at, "segment_damaged", "segment_damaged"]);
  }
  for (const length of [0, 100, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, length));
    expect(refusals()).toEqual(["segment_damaged", "segment_damaged"]);
  }
  writeFileSync(path, readFileSync(segmentPlaces(world.path)[1]!.path));
  expect(refusals()).toEqual(["segment_damaged", "segment_damaged"]);
  rmSync(path);
  expect(refusals()).toEqual(["segment_missing", "segment_missing"]);
  // A path that can be opened but not read, as on a bad sector.
  mkdirSync(path);
  expect(refusals()).toEqual(["segment_damaged", "segment_damaged"]);
  rmdirSync(path);
  writeFileSync(path, whole);
  expect(refusals()).toEqual([null, null]);
  const folder = segmentsPath(world.path);
  renameSync(folder, `${folder}.aside`);
  writeFileSync(folder, "no directory");
  expect(refusals()).toEqual(["segment_damaged", "segment_damaged"]);
  rmSync(folder);
  renameSync(`${folder}.aside`, folder);
  for (let at = 0; at < whole.length; at += 997) {
    writeFileSync(path, flipped(at));
    expect(() => new SegmentFile(path).check()).toThrow("segment_damaged");
  }
});

/** Replaces the content of a segment by `text`, with correct sums or with one wrong sum. */
function forge({ path, facts }: SegmentFile, text: string | Buffer, isFrameTrue = true): void {
  const magic = Buffer.from("innkeep segment 1\n");
  const packed = Bun.zstdCompressSync(text);
  const { last, chain } = facts;
  const crc = Bun.hash.crc32(packed) ^ (isFrameTrue ? 0 : 1);
  const entry = [last, chain, magic.length, packed.length, crc >>> 0];
  const index = Buffer.from(JSON.stringify([entry]));
  const before = Buffer.concat([magic, packed, index]);
  const sums = { index_at: magic.length + packed.length, index_crc: Bun.hash.crc32(index) };
  const sha256 = new Bun.CryptoHasher("sha256").update(before).digest("hex");
  const json = JSON.stringify({ ...facts, ...sums, sha256 });
  const line = `${json} ${Bun.hash.crc32(json).toString(16).padStart(8, "0")}`.padEnd(511);
  writeFileSync(path, Buffer.concat([before, Buffer.from(`${line}\n`)]));
}

test("a frame with any false content or more than memory holds is refused by name", () => {
  seal(ROWS - 100);
  const whole = new SegmentFile(segmentPlaces(world.path)[0]!.path);
  const { last, chain } = whole.facts;
  const block = (keys: number, bytes: number) => `${last} 0 ${chain} ${keys} ${bytes}\n`;
  const bomb = Buffer.alloc(300 * 1024 * 1024, `${block(-1, 0)}`);
  for (const text of [
    "",
    "\n",
    block(-1, -100),
    block(32, 8),
    block(-1, 1e12),
    "x".repeat(99),
    bomb,
  ]) {
    forge(whole, text);
    expect(refusals()).toEqual(["segment_damaged", "segment_damaged"]);
  }
});

test("a frame with a wrong checksum is refused, even with correct content", () => {
  seal(ROWS - 100);
  const whole = new SegmentFile(segmentPlaces(world.path)[0]!.path);
  const bytes = readFileSync(whole.path);
  const texts = whole.frames.map(({ at, bytes: count }) => bytes.subarray(at, at + count));
  const text = Buffer.concat(texts.map((packed) => Bun.zstdDecompressSync(packed)));
  forge(whole, text);
  expect(refusals()).toEqual([null, null]);
  forge(whole, text, false);
  expect(refusals()).toEqual(["segment_damaged", "segment_damaged"]);
});

test("segments of another journal are refused by name", () => {
  seal(ROWS - 100);
  using others = new Scratch();
  const own = world;
  world = lived(others.path, ROWS, 12).world;
  seal(ROWS - 100);
  const foreign = segmentPlaces(world.path).map(({ path }) => readFileSync(path));
  world[Symbol.dispose]();
  world = own;
  for (const [i, { path }] of segmentPlaces(world.path).entries()) {
    if (foreign[i]) writeFileSync(path, foreign[i]);
  }
  expect(refusals()[0]).toBe("segment_damaged");
});

/** The result of a check of all segments. */
function checked(): string | null {
  try {
    ended(checkingSegments(world.path, BEGINNING, world.journal.archived));
    return null;
  } catch (error) {
    return (error as Damage).text;
  }
}

test("among adjacent segments the foreign one is named, not its neighbour", () => {
  seal(ROWS - 100);
  using others = new Scratch();
  const own = world;
  world = lived(others.path, ROWS, 11).world;
  seal(ROWS - 100);
  const places = segmentPlaces(own.path);
  const foreign = segmentPlaces(world.path).map(({ path }) => readFileSync(path));
  world[Symbol.dispose]();
  world = own;
  expect(places.length).toBeGreaterThan(2);
  expect(checked()).toBeNull();
  for (const [i, { path }] of places.entries()) {
    const whole = readFileSync(path);
    writeFileSync(path, foreign[i]!);
    expect(checked()).toBe(`${path} does not belong at this position`);
    writeFileSync(path, whole);
  }
  const { row, chain } = world.journal.archived;
  const note = "UPDATE meta SET value = ? WHERE name = 'sealed'";
  world.journal.db.run(note, [
    `${row} ${chain.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}`,
  ]);
  expect(checked()).toBe(`${places.at(-1)!.path} does not belong at this position`);
});

test("no row is removed for a segment with rows that were abandoned since", () => {
  const { journal } = world;
  ended(
    writeSegment({ ...options(ROWS - 100), size: { rows: ROWS, bytes: SIZE.bytes } }, BEGINNING),
  );
  const { last } = segmentPlaces(world.path)[0]!;
  expect(last).toBeGreaterThan(600);
  journal.db.run(`DELETE FROM journal WHERE row > ${last - 50}`);
  journal.takeEpoch();
  journal.restartAfterLoss("accepted");
  const file = nextToRemove(world.path, journal.archived)!;
  expect(() => ended(removeRows(journal, file))).toThrow("with another chain than the database");
  expect(journal.archived).toEqual(BEGINNING);
});

test("a segment stores plain texts, so that content shared by blocks compresses once", () => {
  seal(ROWS - 100);
  const file = new SegmentFile(segmentPlaces(world.path)[0]!.path);
  const blocks = file.frames.flatMap((frame) => file.blocksOf(frame));
  expect(blocks.length).toBeGreaterThan(10);
  expect<StoredBlock[]>(blocks.map(plainBlock)).toEqual(blocks);
});

test("rows return to the database, from the newest segment on, until none is left", () => {
  const table = () =>
    world.journal.db.query("SELECT hex(payload), crc FROM journal ORDER BY row").all();
  const [before, stored] = [seen(), table()];
  seal(ROWS - 100);
  for (let places = segmentPlaces(world.path); places.length > 0; ) {
    ended(restoreRows(world.journal, new SegmentFile(places.at(-1)!.path)));
    places = segmentPlaces(world.path);
    expect(world.journal.archived.row).toBe(places.at(-1)?.last ?? 0);
    expect(seen()).toEqual(before);
  }
  expect(table()).toEqual(stored);
});

test("after a restoration killed half-way all rows are there, and the next one returns them", () => {
  const before = seen();
  const whole = { ...options(ROWS - 100), size: { rows: ROWS, bytes: SIZE.bytes } };
  ended(writeSegment(whole, world.journal.archived));
  const { path, last } = segmentPlaces(world.path)[0]!;
  ended(removeRows(world.journal, new SegmentFile(path)));
  restoreRows(world.journal, new SegmentFile(path)).next();
  expect(world.journal.archived.row).toBeWithin(1, last);
  expect(seen()).toEqual(before);
  ended(restoreRows(world.journal, new SegmentFile(path)));
  expect([world.journal.archived.row, segmentPlaces(world.path)]).toEqual([0, []]);
  expect(seen()).toEqual(before);
});

test("an older segment does not return before the newer ones", () => {
  seal(ROWS - 100);
  const [first] = segmentPlaces(world.path);
  expect(() => ended(restoreRows(world.journal, new SegmentFile(first!.path)))).toThrow(
    "segment_damaged",
  );
  expect(segmentPlaces(world.path)[0]).toEqual(first!);
});

test("a journal that lost all but the sealed rows continues after them once that is accepted", () => {
  seal(ROWS - 100);
  const { journal, path, time } = world;
  const { archived } = journal;
  journal.db.run("DELETE FROM journal");
  world[Symbol.dispose]();
  expect(() => new World(path, time)).toThrow("journal_behind_witness");
  const lost = new Journal(path, { lanes: LANES });
  lost.takeEpoch();
  expect(lost.head).toEqual(archived);
  lost.restartAfterLoss("accepted");
  rebuildProjections(lost.db);
  lost.close();
  world = new World(path, time);
  expect(world.journal.head.row).toBe(archived.row + 1);
  expect(world.ask(placeHold(new Random(6), time.wallMs()))[0]?.row).toBe(archived.row + 2);
});
