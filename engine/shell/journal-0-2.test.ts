/**
 * Goal: a journal that version 0.2 wrote is read, folded and written on as if it were of today.
 * Method: `fixtures/journal-0-2.json` is such a journal: bookings, one of them cancelled with a
 * note and refunded, open holds, an open and a declined payment.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { LANES, ManualTime, Scratch, World } from "../../test/power/world.ts";
import { cancelBooking, NOON } from "../../test/support/builders.ts";
import stored from "./fixtures/journal-0-2.json" with { type: "json" };
import { Journal } from "./journal.ts";
import { rebuildProjections } from "./rebuild.ts";
import { checkProjections } from "./record-check.ts";
import { chainOf, crcOfBlock, GENESIS_CHAIN } from "./stored-row.ts";

type Values = Readonly<Record<string, string | number>>;

function insert(db: Database, table: string, values: Values): void {
  const names = Object.keys(values);
  const marks = names.map(() => "?").join(", ");
  db.run(`INSERT INTO ${table}(${names.join(", ")}) VALUES (${marks})`, Object.values(values));
}

/** Writes the journal as its file was. */
function writeStored(path: string): void {
  new Journal(path, { lanes: LANES }).close();
  using db = new Database(path, { strict: true });
  db.run("DELETE FROM meta");
  for (const meta of stored.meta) insert(db, "meta", meta);
  let chain = GENESIS_CHAIN;
  for (const { row, key, payload } of stored.rows) {
    chain = chainOf(chain, payload);
    const bytes = key === "" ? null : Buffer.from(key, "hex");
    const sql = "INSERT INTO journal(row, key, payload, crc, chain) VALUES (?, ?, ?, ?, ?)";
    db.run(sql, [row, bytes, payload, crcOfBlock(Buffer.from(payload), bytes), chain]);
  }
  for (const [table, records] of Object.entries(stored.tables)) {
    for (const record of records) insert(db, table, record as Values);
  }
}

/** A start of the engine, `afterMs` after the last row of 0.2 or so. */
function startAt(path: string, afterMs: number): World {
  const time = new ManualTime();
  time.wall = NOON + afterMs;
  return new World(path, time);
}

function openStored(path: string): World {
  writeStored(path);
  return startAt(path, 1_000);
}

const bookingIds = stored.tables.bookings.map(({ id }) => id);

test("it is in the words of 0.2, and comes up with all that was open in those of today", () => {
  const text = JSON.stringify(stored.rows);
  expect([text.includes('\\"sealed\\":{'), text.includes("price_hash")]).toEqual([true, true]);
  using scratch = new Scratch();
  using world = openStored(scratch.path);
  const { holds, payments } = world.engine.state;
  const [open] = [...payments.values()];
  expect(open?.encrypted).toEqual({ guest: "sealed" });
  expect([...holds.values()].map(({ quote }) => quote.property_id)).toEqual(
    Array.from({ length: holds.size }, () => "property-one"),
  );
});

test("its records are read in the words of today, and rebuilt they say the same", () => {
  using scratch = new Scratch();
  using world = openStored(scratch.path);
  const read = () => bookingIds.map((id) => world.engine.records.booking(id)!);
  const before = read();
  expect(before.map(({ quote }) => quote.property_id)).toEqual(["property-one", "property-one"]);
  expect(before.map(({ encrypted }) => encrypted)).toEqual([
    { guest: "sealed" },
    { guest: "sealed" },
  ]);
  expect(before[0]?.cancellation?.encrypted).toEqual({ note: "n1" });
  rebuildProjections(world.journal.db);
  expect(read()).toEqual(before);
  checkProjections(world.journal.db);
});

test("it is written on: the next cancellation of it is decided, and the file is of today's format", () => {
  using scratch = new Scratch();
  const [, bookingId = ""] = bookingIds;
  {
    using world = openStored(scratch.path);
    const [reply] = world.ask(cancelBooking(bookingId, { key: "f".repeat(32) }));
    expect(reply?.phase).toBe("running");
    world.time.pass(5_000);
    world.tick();
    expect(world.engine.records.booking(bookingId)?.state).toBe("cancelled");
  }
  using again = startAt(scratch.path, 10_000);
  expect(again.engine.records.booking(bookingId)?.state).toBe("cancelled");
  const sql = "SELECT value FROM meta WHERE name = 'format'";
  expect(again.journal.db.query<{ value: string }, []>(sql).get()?.value).toBe("7");
});
