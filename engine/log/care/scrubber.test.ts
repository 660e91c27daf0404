/**
 * Goal: the scrubber repeatedly reads all data that a start skips, and reports damage by name until
 * it is repaired. Method: a real history in segments and in the database, damaged in place.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { lived } from "../../../test/power/history.ts";
import { Scratch, type World } from "../../../test/power/world.ts";
import { blockWith, storedBlocks } from "../../../test/support/stored-blocks.ts";
import type { DamageName } from "../../core/damage.ts";
import { nextToRemove, removeRows, writeSegment } from "../archive/archiving.ts";
import { segmentPlaces } from "../archive/segments.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { runFiles } from "../keys/key-run.ts";
import { KeyRunKeeper } from "../keys/key-run-keeper.ts";
import { Replica } from "../replica.ts";
import { snapshotFiles, writeSnapshot } from "../snapshot.ts";
import { chainOf, crcOfBlock } from "../stored-row.ts";
import { readPass, writePass } from "./scrub-file.ts";
import { Scrubber } from "./scrubber.ts";

const ROWS = 1_100;
/** At most; a segment ends with a frame. */
const SEALED = 750;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let scratch: Scratch;
let world: World;
let found: string[];
let logged: string[];
let nowMs: number;

beforeEach(() => {
  scratch = new Scratch();
  world = lived(scratch.path, ROWS, 53).world;
  const { journal, path, engine } = world;
  const reader = new SqliteJournalReader(journal.db);
  const of = { journalPath: path, journalId: journal.id, journal: reader };
  const size = { rows: 200, bytes: 64 * 1024 * 1024 };
  for (let segment = 0; segment < 2; segment += 1) {
    ended(writeSegment({ ...of, through: SEALED, size }, journal.archived));
    ended(removeRows(journal, nextToRemove(path, journal.archived)!));
  }
  writeSnapshot(path, journal.id, journal.head, engine.state);
  [found, logged, nowMs] = [[], [], world.time.wallMs()];
});
afterEach(() => {
  world[Symbol.dispose]();
  scratch[Symbol.dispose]();
});

function ended(steps: Generator<unknown, unknown>): void {
  for (const _step of steps);
}

function scrubber(): Scrubber {
  const { journal, path: journalPath } = world;
  return new Scrubber({
    ...{ journalPath, journalId: journal.id, now: () => nowMs },
    onFound: ({ damage }) => void found.push(damage),
    log: (level, message) => void logged.push(`${level}: ${message}`),
  });
}

const READ = "info: the journal was read through";

test("an undamaged journal is read to its head, and nothing is reported", async () => {
  const one = scrubber();
  await one.run();
  expect([one.found, found, logged]).toEqual([[], [], [READ]]);
  expect(one.pass.place).toEqual(world.journal.head);
});

const flip = (path: string) => {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
};
const change = (sql: string) => void world.journal.db.run(sql);
/** In the database, before the snapshot, and not in its last block. */
const OLD = blockWith(900);

const DAMAGES: readonly [string, DamageName, () => void][] = [
  ["a flipped bit in a segment", "segment_damaged", () => flip(segmentPlaces(world.path)[1]!.path)],
  ["a segment that is gone", "segment_missing", () => rmSync(segmentPlaces(world.path)[0]!.path)],
  [
    "a segment in the place of another",
    "segment_damaged",
    () => {
      const [one, other] = segmentPlaces(world.path);
      writeFileSync(one!.path, readFileSync(other!.path));
    },
  ],
  [
    "another payload",
    "journal_row_damaged",
    () => change(`UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${OLD}`),
  ],
  [
    // As after zeros overwrote a page: the table itself would reject the value.
    "no payload at all",
    "journal_row_damaged",
    () => {
      change("ALTER TABLE journal RENAME TO former");
      change("CREATE TABLE journal(row INTEGER PRIMARY KEY, key, payload, crc, chain)");
      change("INSERT INTO journal SELECT * FROM former");
      change("DROP TABLE former");
      change(`UPDATE journal SET payload = NULL WHERE ${OLD}`);
    },
  ],
  [
    "another key",
    "journal_row_damaged",
    () => change(`UPDATE journal SET key = randomblob(length(key)) WHERE ${keyedBlock()}`),
  ],
  ["a block that is gone", "journal_gap", () => change(`DELETE FROM journal WHERE ${OLD}`)],
  [
    "a payload with a CRC that is true of it",
    "journal_chain_broken",
    () => {
      const block = storedBlocks(world.journal.db).find(({ last }) => last > 900)!;
      const rows = Array.from({ length: block.last - block.first + 1 }, (_, i) => block.first + i);
      const payload = `${rows.map((row) => block.lineOf(row)).join("\n")} `;
      const set = "UPDATE journal SET payload = CAST(? AS BLOB), crc = ? WHERE row = ?";
      world.journal.db.run(set, [
        payload,
        crcOfBlock(Buffer.from(payload), block.keys),
        block.last,
      ]);
    },
  ],
  [
    "a chain that is true of a payload that is not",
    "journal_chain_broken",
    () => {
      const [before, block] = storedBlocks(world.journal.db).slice(-4);
      const lines = [...Array(block!.last - block!.first + 1).keys()];
      const payload = `${lines.map((i) => block!.lineOf(block!.first + i)).join("\n")} `;
      const chain = chainOf(before!.chainAt(before!.last), payload);
      const set = "UPDATE journal SET payload = CAST(? AS BLOB), crc = ?, chain = ? WHERE row = ?";
      world.journal.db.run(set, [
        payload,
        crcOfBlock(Buffer.from(payload), block!.keys),
        chain,
        block!.last,
      ]);
    },
  ],
];

function keyedBlock(): string {
  const keyed = storedBlocks(world.journal.db).find(({ last, keys }) => last > 850 && keys)!;
  return `row = ${keyed.last}`;
}

test.each(DAMAGES)(
  "%s is reported as %s, and a replica starts without checking it",
  async (...of) => {
    const [_name, damage, inflict] = of;
    inflict();
    new Replica(world.path).close();
    const one = scrubber();
    await one.run();
    expect(found).toEqual([damage]);
    expect(one.found.map((each) => each.damage)).toEqual([damage]);
    expect(logged).toEqual([READ]);
  },
);

test("after a damaged segment the rows of the database are still read", async () => {
  flip(segmentPlaces(world.path)[0]!.path);
  change(`DELETE FROM journal WHERE ${OLD}`);
  await scrubber().run();
  expect(found).toEqual(["segment_damaged", "journal_gap"]);
});

test("damage is reported across starts, until a whole pass no longer finds it", async () => {
  const { path } = segmentPlaces(world.path)[0]!;
  const whole = readFileSync(path);
  flip(path);
  await scrubber().run();
  writeFileSync(path, whole);
  const next = scrubber();
  expect(next.found).toHaveLength(1);
  next.start();
  expect(found).toEqual(["segment_damaged", "segment_damaged"]);
  await next.run();
  next.stop();
  const last = scrubber();
  await last.run();
  expect([last.found, scrubber().found]).toEqual([[], []]);
});

test("a scrubber resumes where its predecessor stopped, and reads earlier rows in the next pass", async () => {
  const { journal, path } = world;
  const block = storedBlocks(journal.db).find(({ first }) => first > 900)!;
  const place = { row: block.last, chain: block.chainAt(block.last) };
  const pass = { journalId: journal.id, place, through: journal.head.row, endedAtMs: null };
  writePass(path, { ...pass, formerEndedAtMs: 0, found: [], before: [] });
  change(`UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(800)}`);
  const one = scrubber();
  await one.run();
  expect(found).toEqual([]);
  nowMs += DAY_MS;
  await one.run();
  expect(found).toEqual(["journal_row_damaged"]);
});

test("a note of an unknown place and a torn note restart the pass", async () => {
  const { journal, path } = world;
  const damaged = `UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(800)}`;
  const place = { row: 1_000, chain: "f".repeat(64) };
  const pass = { journalId: journal.id, place, through: journal.head.row, endedAtMs: null };
  writePass(path, { ...pass, formerEndedAtMs: 0, found: [], before: [] });
  change(damaged);
  await scrubber().run();
  expect(found).toEqual(["journal_row_damaged"]);
  const note = path.replace(/\.db$/, ".scrub");
  writeFileSync(note, readFileSync(note).subarray(0, 40));
  expect(readPass(path, journal.id)).toBeNull();
  await scrubber().run();
  expect(found).toEqual(["journal_row_damaged", "journal_row_damaged"]);
});

test("damage is reported even if it cannot be noted, and the pass continues to the end", async () => {
  mkdirSync(world.path.replace(/\.db$/, ".scrub"));
  flip(segmentPlaces(world.path)[0]!.path);
  const one = scrubber();
  await one.run();
  expect([found, logged]).toEqual([["segment_damaged"], [READ]]);
  expect(one.found).toHaveLength(1);
});

test("a pass runs at the start, then once a day, and also after the clock was set back", async () => {
  const one = scrubber();
  const passes = async (atMs: number) => {
    nowMs = atMs;
    await one.run();
    return logged.length;
  };
  const startMs = nowMs;
  expect(await passes(startMs)).toBe(1);
  expect(await passes(startMs + DAY_MS - 1)).toBe(1);
  expect(await passes(startMs + DAY_MS)).toBe(2);
  expect(await passes(startMs)).toBe(3);
  const other = scrubber();
  await other.run();
  expect(logged).toHaveLength(4);
});

test("while there is damage a pass runs once an hour", async () => {
  const { path } = segmentPlaces(world.path)[0]!;
  const whole = readFileSync(path);
  flip(path);
  const one = scrubber();
  const foundAfter = async (ms: number) => {
    nowMs += ms;
    await one.run();
    return [logged.length, one.found.length];
  };
  expect(await foundAfter(0)).toEqual([1, 1]);
  writeFileSync(path, whole);
  expect(await foundAfter(HOUR_MS - 1)).toEqual([1, 1]);
  expect(await foundAfter(1)).toEqual([2, 0]);
  expect(await foundAfter(HOUR_MS)).toEqual([2, 0]);
  expect(await foundAfter(DAY_MS - HOUR_MS)).toEqual([3, 0]);
});

test("a stopped scrubber ends where it is", async () => {
  const one = scrubber();
  const running = one.run();
  one.stop();
  await running;
  expect([one.pass.endedAtMs, logged]).toEqual([null, []]);
});

test("a damaged run of keys is removed to be rewritten; a damaged snapshot is named", async () => {
  const { journal, path } = world;
  const reader = new SqliteJournalReader(journal.db);
  const of = { journalPath: path, journalId: journal.id, journal: reader, nowMs: () => nowMs };
  const log = (_level: string, message: string) => void logged.push(message);
  await new KeyRunKeeper({ ...of, keptDays: 7, log, rowsLeast: 100 }).cover(journal.head.row);
  const [run] = runFiles(path);
  const bytes = readFileSync(run!.path);
  bytes[4_096 + 20]! ^= 1;
  writeFileSync(run!.path, bytes);
  // In its content, wherever SQLite has a copy: the first may be in free space.
  const snapshot = snapshotFiles(path)[0]!.path;
  const content = readFileSync(snapshot, "latin1");
  expect(content).toContain('"baseDay"');
  writeFileSync(snapshot, content.replaceAll('"baseDay"', '"bareDay"'), "latin1");
  logged = [];
  const one = scrubber();
  await one.run();
  expect(runFiles(path)).toEqual([]);
  expect(snapshotFiles(path)).toHaveLength(1);
  expect(logged).toEqual([...Array(2).fill("warn: damage repaired without an operator"), READ]);
  expect(one.found).toEqual([]);
});
