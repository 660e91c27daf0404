/**
 * Goal: an operator seals old rows, checks and restores them, and damage is named. Method: the
 * commands on real files, as the process runs them.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeSegment } from "../../../engine/log/archive/archiving.ts";
import { segmentPlaces, segmentsPath } from "../../../engine/log/archive/segments.ts";
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { writeSnapshot } from "../../../engine/log/snapshot.ts";
import { lived } from "../../../test/power/history.ts";
import { outputOf } from "../../../test/support/operator-program.ts";
import { journalPath } from "../../config.ts";
import { takeLock } from "../../lib/lock.ts";
import { admin } from "./commands.ts";

const ROWS = 1_000;

let dataDir: string;
let path: string;
let head: number;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-archive-"));
  path = journalPath(dataDir);
  mkdirSync(dirname(path));
  using world = lived(path, ROWS, 21).world;
  head = world.journal.head.row;
  writeSnapshot(path, world.journal.id, world.journal.head, world.engine.state);
});
afterEach(() => rmSync(dataDir, { recursive: true }));

async function run(...args: string[]) {
  return JSON.parse(await outputOf(admin, args, { DATA_DIR: dataDir }));
}

test("rows are sealed, checked and restored, and the file is smaller meanwhile", async () => {
  const whole = await run("journal", "verify");
  expect(whole).toMatchObject({ row: head, segments: 0 });
  const dry = await run("journal", "archive", "--days", "0", "--dry-run");
  expect(existsSync(segmentsPath(path))).toBeFalse();
  expect(readdirSync(dirname(path)).filter((name) => name.includes("dry"))).toEqual([]);

  const { database_bytes, ...made } = await run("journal", "archive", "--days", "0");
  expect({ ...made, seconds: 0 }).toEqual({ ...dry, seconds: 0 });
  expect(made.rows).toBeGreaterThan(ROWS - 130);
  expect(made.sealed_bytes).toBeLessThan(made.bytes / 4);
  expect(database_bytes.after).toBeLessThan(database_bytes.before);
  const sealed = await run("journal", "verify");
  expect({ ...sealed, seconds: 0 }).toEqual({ ...whole, segments: 1, seconds: 0 });
  expect(await run("journal", "archive", "--days", "0")).toMatchObject({ rows: 0, segments: [] });

  const back = await run("journal", "restore-segment");
  expect(back).toMatchObject({ first_row: 1, last_row: made.rows });
  expect({ ...(await run("journal", "verify")), seconds: 0 }).toEqual({ ...whole, seconds: 0 });
  await expect(run("journal", "restore-segment")).rejects.toThrow("nothing to restore");
});

test("rows of a segment that a stopped service had written are removed first", async () => {
  const { journal_id } = await run("journal", "verify");
  {
    using db = openForReading(path);
    const journal = new SqliteJournalReader(db);
    const sealing = { journalPath: path, journalId: journal_id, journal, through: 500 };
    for (const _row of writeSegment(sealing, journal.archivedHead()));
  }
  const [first] = segmentPlaces(path);
  const { segments } = await run("journal", "archive", "--days", "0");
  expect(segments).toMatchObject([{ first_row: first!.last + 1 }]);
  expect(segmentPlaces(path)).toHaveLength(2);
  expect(await run("journal", "verify")).toMatchObject({ row: head, segments: 2 });
});

test("rows younger than the given age are not sealed", async () => {
  const { rows, database_bytes } = await run("journal", "archive", "--days", "3650");
  expect(rows).toBe(0);
  expect(database_bytes.after).toBeGreaterThan(0);
  await expect(run("journal", "archive", "--days", "x")).rejects.toThrow("--days must be");
});

test("writing commands are refused while the service runs, reading ones are not", async () => {
  const lock = takeLock(dataDir);
  const inUse = `${dataDir} is in use by process ${process.pid}`;
  await expect(run("journal", "archive", "--days", "0")).rejects.toThrow(inUse);
  await expect(run("journal", "restore-segment")).rejects.toThrow(inUse);
  await run("journal", "archive", "--days", "0", "--dry-run");
  await run("journal", "verify");
  lock.release();
});

test("a file under the next segment's name blocks sealing until it is removed", async () => {
  const { journal_id } = await run("journal", "verify");
  {
    using db = openForReading(path);
    const journal = new SqliteJournalReader(db);
    const sealing = { journalPath: path, journalId: journal_id, journal, through: 500 };
    for (const _row of writeSegment(sealing, journal.archivedHead()));
  }
  await run("journal", "archive", "--days", "3650");
  const [own] = segmentPlaces(path);
  const next = join(dirname(own!.path), `${own!.last + 1}-${own!.last + 200}.segment`);
  copyFileSync(own!.path, next);
  const refused = run("journal", "archive", "--days", "0");
  await expect(refused).rejects.toThrow(
    `segment_damaged: ${next} has the rows of another segment\nRemove ${next}: all its rows are in`,
  );
  rmSync(next);
  await run("journal", "archive", "--days", "0");
  expect(await run("journal", "verify")).toMatchObject({ row: head, segments: 2 });
});

test("a damaged or missing segment is refused by name", async () => {
  await run("journal", "archive", "--days", "0");
  const [place] = segmentPlaces(path);
  const bytes = readFileSync(place!.path);
  bytes[100]! ^= 1;
  writeFileSync(place!.path, bytes);
  await expect(run("journal", "verify")).rejects.toThrow(`segment_damaged: ${place!.path}`);
  await expect(run("journal", "restore-segment")).rejects.toThrow("segment_damaged");
  rmSync(place!.path);
  const missing = /segment_missing: .*\nCopy that file from a back-up: segments never change\.$/;
  await expect(run("journal", "verify")).rejects.toThrow(missing);
  await expect(run("journal", "restore-segment")).rejects.toThrow(missing);
});
