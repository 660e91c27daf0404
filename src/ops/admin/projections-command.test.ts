/**
 * Goal: one command rebuilds the records of a stopped service and changes no other service, file
 * or record. Method: the command as its own process, on real files.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Fenced } from "../../../engine/log/care/damage.ts";
import { checkProjections } from "../../../engine/log/care/record-check.ts";
import { headPath, Journal } from "../../../engine/log/journal.ts";
import { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import { openForWriting } from "../../../engine/log/schema.ts";
import { lived } from "../../../test/power/history.ts";
import { recordsHash } from "../../../test/power/recording.ts";
import { LANES } from "../../../test/power/world.ts";
import { blockWith } from "../../../test/support/stored-blocks.ts";
import { journalPath } from "../../config.ts";
import { takeLock } from "../../lib/lock.ts";

const ROWS = 1_200;

let dataDir: string;
let path: string;
let bookingId: string;

/** Works on the stopped journal, behind everybody's back. */
function tamper<T>(work: (db: ReturnType<typeof openForWriting>) => T): T {
  using db = openForWriting(path);
  return work(db);
}

async function rebuild(options: readonly string[] = [], directory = dataDir) {
  const main = join(import.meta.dir, "..", "main.ts");
  const child = Bun.spawn([process.execPath, main, "admin", "projections", "rebuild", ...options], {
    // Not the journal's: a rebuild must not care.
    env: { ...process.env, DATA_DIR: directory, LANES: String(LANES + 1) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err, exitCode: await child.exited };
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-rebuild-"));
  path = journalPath(dataDir);
  mkdirSync(dirname(path));
  using world = lived(path, ROWS, 7).world;
  const sql = "SELECT id FROM bookings WHERE state = 'confirmed' LIMIT 1";
  bookingId = world.journal.db.query<{ id: string }, []>(sql).get()!.id;
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("lost and damaged records are rebuilt, and the operator gets a report", async () => {
  const read = () => tamper((db) => new RecordReaderOn(db).booking(bookingId));
  const before = { booking: read(), hash: tamper((db) => recordsHash(db, true)) };
  expect(before.booking?.state).toBe("confirmed");
  tamper((db) => {
    db.run("UPDATE bookings SET doc = doc || ' ' WHERE id = ?", [bookingId]);
    db.run("DELETE FROM holds WHERE rowid % 2 = 0");
  });
  expect(read).toThrow("record_damaged");
  const dry = await rebuild(["--dry-run"]);
  expect(dry).toMatchObject({ out: "", exitCode: 1 });
  expect(dry.err).toStartWith("innkeep admin: record_damaged: booking ");
  expect(read).toThrow("record_damaged");

  const { out, err, exitCode } = await rebuild();
  expect({ err, exitCode }).toMatchObject({ exitCode: 0 });
  const records = tamper(checkProjections);
  const { rows_folded, ...report } = JSON.parse(out);
  expect(rows_folded).toBeGreaterThanOrEqual(ROWS);
  expect(report).toEqual({
    journal: path,
    records_verified: records,
    seconds: expect.any(Number),
  });
  expect(err).toEndWith(`\n${rows_folded} of ${rows_folded} rows (100 %)\n`);
  expect({ booking: read(), hash: tamper((db) => recordsHash(db, true)) }).toEqual(before);
  expect(JSON.parse((await rebuild(["--dry-run"])).out).records_verified).toBe(records);
});

test("a running service is named and not changed; an engine that hung is fenced", async () => {
  const lock = takeLock(dataDir);
  tamper((db) => db.run("DELETE FROM holds"));
  const { out, err, exitCode } = await rebuild();
  lock.release();
  const remedy = "stop it, or set DATA_DIR to another directory";
  const refusal = `innkeep admin: ${dataDir} is in use by process ${process.pid}: ${remedy}\n`;
  expect({ out, err, exitCode }).toEqual({ out: "", err: refusal, exitCode: 1 });
  expect(tamper((db) => db.query("SELECT 1 FROM holds").all())).toEqual([]);

  const old = new Journal(path, { lanes: LANES });
  old.takeEpoch();
  expect((await rebuild()).exitCode).toBe(0);
  expect(() => old.checkFence()).toThrow(Fenced);
  old.close();
});

test.each([
  [
    "journal_row_damaged",
    `UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(ROWS - 100)}`,
  ],
  ["journal_gap", `DELETE FROM journal WHERE ${blockWith(ROWS - 100)}`],
  ["journal_behind_witness", `DELETE FROM journal WHERE row > ${ROWS - 50}`],
])("%s is refused by name, and the records stay unchanged", async (name, change) => {
  tamper((db) => db.run(change));
  tamper((db) => db.run("UPDATE holds SET doc = doc || ' '"));
  const before = tamper((db) => recordsHash(db, true));
  expect(existsSync(headPath(path))).toBeTrue();
  const { out, err, exitCode } = await rebuild();
  expect({ out, exitCode }).toEqual({ out: "", exitCode: 1 });
  expect(err).toContain(`innkeep admin: ${name}: `);
  expect(err).toEndWith("; no records were changed\n");
  expect(tamper((db) => recordsHash(db, true))).toBe(before);
});

test("a directory without a journal is named, and no file is created in it", async () => {
  const elsewhere = join(dataDir, "elsewhere");
  const { err, exitCode } = await rebuild([], elsewhere);
  expect({ err, exitCode }).toEqual({
    err: `innkeep admin: no journal at ${journalPath(elsewhere)}: set DATA_DIR\n`,
    exitCode: 1,
  });
  expect(existsSync(elsewhere)).toBeFalse();
});
