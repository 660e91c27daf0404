/**
 * Goal: old rows leave the database without help, and an interruption at any step loses nothing.
 * Method: both parts on a real journal, stepped.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Log } from "../../../src/lib/service.ts";
import { placeHold } from "../../../test/power/commands.ts";
import { lived } from "../../../test/power/history.ts";
import { Random } from "../../../test/power/random.ts";
import { Scratch, World } from "../../../test/power/world.ts";
import { blockWith } from "../../../test/support/stored-blocks.ts";
import { Fenced } from "../care/damage.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { writeSnapshot } from "../snapshot.ts";
import { ArchivedRowRemover, Archiver } from "./archiver.ts";
import { segmentPlaces, segmentsPath } from "./segments.ts";

const SIZE = { rows: 400, bytes: 64 * 1024 * 1024 };
const DAY_MS = 86_400_000;

let scratch: Scratch;
let world: World;
let lines: string[];
let remedies: unknown[];

beforeEach(() => {
  scratch = new Scratch();
  world = lived(scratch.path, 1_000, 31).world;
  lines = [];
  remedies = [];
  writeSnapshot(scratch.path, world.journal.id, world.journal.head, world.engine.state);
});
afterEach(() => {
  world[Symbol.dispose]();
  scratch[Symbol.dispose]();
});

const log: Log = (level, message, fields = {}) => {
  lines.push(`${level}: ${message}`);
  if ("remedy" in fields) remedies.push(fields.remedy);
};

function sealer(days: number) {
  const { journal, path: journalPath, time } = world;
  const now = () => time.wallMs() + days * DAY_MS;
  return new Archiver({
    ...{ journalPath, journalId: journal.id, afterDays: 30, now, size: SIZE, log },
  });
}

function leaving(onFatal = (error: unknown): void => void lines.push(String(error))) {
  return new ArchivedRowRemover({ journal: world.journal, journalPath: world.path, onFatal, log });
}

test("whole segments are sealed and their rows are removed while commands are answered", async () => {
  const { journal, time } = world;
  const before = new SqliteJournalReader(journal.db).rowsFrom(1, journal.head.row);
  const engines = leaving();
  for (const rows of [1, 2]) {
    await sealer(31).run();
    expect(segmentPlaces(world.path).length).toBe(rows);
    // The next segment waits until the rows of this one are removed.
    await sealer(31).run();
    expect(segmentPlaces(world.path).length).toBe(rows);
    const { last } = segmentPlaces(world.path).at(-1)!;
    for (let i = 0; journal.archived.row < last; i += 1) {
      expect(engines.step()).toBeTrue();
      expect(world.ask(placeHold(new Random(rows * 100 + i), time.wallMs()))).toHaveLength(1);
    }
    engines.step();
  }
  await sealer(31).run();
  expect(segmentPlaces(world.path).length).toBe(2);
  expect(new SqliteJournalReader(journal.db).rowsFrom(1, before.length)).toEqual(before);
  expect(lines).toEqual([
    ...["info: rows archived", "info: archived rows removed from the database"],
    ...["info: rows archived", "info: archived rows removed from the database"],
  ]);
  expect(world.fatals).toEqual([]);
});

test("young rows stay, as do rows that do not fill a segment", async () => {
  await sealer(29).run();
  expect(existsSync(segmentsPath(world.path))).toBeFalse();
  leaving().step();
  expect(lines).toEqual([]);
});

test("a sealer stopped half-way leaves nothing; the leftovers of a killed one are removed", async () => {
  const stopped = sealer(31);
  const running = stopped.run();
  stopped.stop();
  await running;
  expect(readdirSync(segmentsPath(world.path))).toEqual([]);
  writeFileSync(`${segmentsPath(world.path)}/1.tmp`, "of one that died");
  await sealer(31).run();
  expect(readdirSync(segmentsPath(world.path))).toEqual([
    expect.stringMatching(/^1-4\d\d\.segment$/),
  ]);
});

test("a restarted engine resumes the removal of rows", async () => {
  await sealer(31).run();
  const { last } = segmentPlaces(world.path)[0]!;
  const first = leaving();
  while (world.journal.archived.row === 0) first.step();
  world[Symbol.dispose]();
  world = new World(scratch.path, world.time);
  const second = leaving();
  for (let i = 0; i < 20; i += 1) second.step();
  expect(world.journal.archived.row).toBe(last);
});

test("no row is removed for a segment with different bytes, and the log names the segment", async () => {
  await sealer(31).run();
  const { path } = segmentPlaces(world.path)[0]!;
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
  const engines = leaving();
  while (engines.step());
  expect(lines.at(-1)).toBe("error: archived rows cannot be removed from the database");
  expect(remedies).toEqual([`remove ${path} and restart: it is written again`]);
  expect(world.journal.archived.row).toBe(0);
  rmSync(path);
  await sealer(31).run();
  expect(readFileSync(path).length).toBe(bytes.length);
  const { last } = segmentPlaces(world.path)[0]!;
  const anew = leaving();
  while (world.journal.archived.row < last) expect(anew.step()).toBeTrue();
});

test("the log does not advise removing a segment once some of its rows have left the database", async () => {
  await sealer(31).run();
  const { path, last } = segmentPlaces(world.path)[0]!;
  const first = leaving();
  while (world.journal.archived.row === 0) first.step();
  expect(world.journal.archived.row).toBeLessThan(last);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
  const second = leaving();
  while (second.step());
  expect(lines.at(-1)).toBe("error: archived rows cannot be removed from the database");
  expect(remedies).toEqual([]);
});

test.each([
  ["crc = crc + 1", "journal_row_damaged"],
  ["chain = replace(chain, substr(chain, 1, 1), 'f')", "journal_chain_broken"],
])("the log does not advise removing the only whole copy of a row: %s", async (change, damage) => {
  await sealer(31).run();
  world.journal.db.run(`UPDATE journal SET ${change} WHERE ${blockWith(50)}`);
  const errors: unknown[] = [];
  const { journal } = world;
  const engines = new ArchivedRowRemover({
    ...{ journal, journalPath: world.path, onFatal: () => {} },
    log: (_level, _message, fields) => void errors.push(fields),
  });
  while (engines.step());
  expect(errors).toEqual([{ error: expect.stringContaining(damage) }]);
  expect(journal.archived.row).toBe(0);
});

test("an overtaken engine removes no row", async () => {
  await sealer(31).run();
  const fatals: unknown[] = [];
  const engines = leaving((error) => void fatals.push(error));
  using _successor = new World(scratch.path, world.time);
  while (engines.step());
  expect(fatals).toEqual([expect.any(Fenced)]);
  expect(world.journal.archived.row).toBe(0);
});
