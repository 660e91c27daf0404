/** Goal: lost projections are rebuilt completely, and a partial loss is noticed. */

import { expect, test } from "bun:test";
import { lived } from "../../../test/power/history.ts";
import { recordsHash } from "../../../test/power/recording.ts";
import { Scratch } from "../../../test/power/world.ts";
import { blockWith } from "../../../test/support/stored-blocks.ts";
import { rebuildProjections } from "./rebuild.ts";
import { checkProjections } from "./record-check.ts";

const TABLES = ["holds", "bookings", "payments", "refunds", "desk"] as const;

test("rebuilt records equal the lost ones, and the wrapped data keys stay as they are", () => {
  using scratch = new Scratch();
  // More rows than one batch of a rebuild, so that records are read back between batches.
  using world = lived(scratch.path, 2_400).world;
  const { db, head } = world.journal;
  const before = recordsHash(db, true);
  for (const table of TABLES) {
    const sql = `SELECT count(*) AS n FROM ${table}`;
    expect(db.query<{ n: number }, []>(sql).get()!.n).toBeGreaterThan(10);
    db.run(`DELETE FROM ${table}`);
  }
  expect(recordsHash(db, true)).not.toBe(before);
  const reports: number[][] = [];
  const { rows, records } = rebuildProjections(db, (...progress) => reports.push(progress));
  expect(rows).toBe(head.row);
  expect(reports).toEqual([1_000, 2_000, head.row].map((row) => [row, head.row]));
  expect(recordsHash(db, true)).toBe(before);
  expect(records).toBe(checkProjections(db));
});

test("a record that is not in the journal is removed by a rebuild", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 200).world;
  const { db } = world.journal;
  const before = recordsHash(db);
  db.run("INSERT INTO refunds(id, state, doc, crc) VALUES ('rfd_none', 'pending', '{}', 0)");
  rebuildProjections(db);
  expect(recordsHash(db)).toBe(before);
});

test("a damaged journal rebuilds nothing and loses nothing", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 200).world;
  const { db } = world.journal;
  const before = recordsHash(db);
  db.run(`UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(150)}`);
  expect(() => rebuildProjections(db)).toThrow("journal_row_damaged");
  expect(recordsHash(db)).toBe(before);
});

test("records that do not read back as written are not kept", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 200).world;
  const { db } = world.journal;
  const before = recordsHash(db);
  db.run(`CREATE TEMP TRIGGER spoil AFTER INSERT ON main.holds
    BEGIN UPDATE holds SET doc = doc || ' ' WHERE id = new.id; END`);
  expect(() => rebuildProjections(db)).toThrow("record_damaged");
  expect(recordsHash(db)).toBe(before);
});

test.each([
  ["a document", "UPDATE holds SET doc = replace(doc, 'EUR', 'EUS')"],
  ["an id", "UPDATE holds SET id = id || 'x' WHERE rowid = 1"],
  ["a state", "UPDATE payments SET state = 'unheard of' WHERE rowid = 1"],
  ["a confirmation code", "UPDATE bookings SET confirmation_code = 'WRONG234' WHERE rowid = 1"],
  ["a tenant", "UPDATE bookings SET tenant_id = 'other' WHERE rowid = 1"],
  ["a place at the desk", "DELETE FROM desk WHERE rowid = 1"],
  ["a state at the desk", "UPDATE desk SET state = 'unheard of' WHERE rowid = 1"],
  ["a room type", "UPDATE bookings SET room_type_id = 'other' WHERE rowid = 1"],
])("a check finds %s that is not as it was written, and a rebuild repairs it", (_name, change) => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 300).world;
  const { db } = world.journal;
  checkProjections(db);
  expect(db.run(change).changes).toBeGreaterThan(0);
  expect(() => checkProjections(db)).toThrow("record_damaged");
  rebuildProjections(db);
  checkProjections(db);
});
