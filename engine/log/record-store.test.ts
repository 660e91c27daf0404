/** Goal: a group sees its own changes, others see them after the commit; damage is never served. */

import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { lived } from "../../test/power/history.ts";
import { Scratch, type World } from "../../test/power/world.ts";
import { storedLines } from "../../test/support/stored-blocks.ts";
import { decodeRow } from "../core/codec/row-codec.ts";
import type { Booking } from "../core/records.ts";
import { BesideWriter } from "./beside-writer.ts";
import { RecordReaderOn } from "./record-reader.ts";
import { RecordStore } from "./record-store.ts";

function livedWithPayments(path: string): World {
  const { world, history } = lived(path, 300, 11);
  while (world.engine.state.payments.size < 2) history.step();
  return world;
}

function someOf<T>(world: World, table: "holds" | "bookings" | "payments" | "refunds"): T {
  const sql = `SELECT doc FROM ${table} ORDER BY id LIMIT 1`;
  return JSON.parse(world.journal.db.query<{ doc: string }, []>(sql).get()!.doc) as T;
}

test("a change is visible in the store at once, elsewhere after the flush, and gone after a clear", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const store = new RecordStore(world.journal.db, () => null);
  const reader = new RecordReaderOn(world.journal.db);
  const booking = { ...someOf<Booking>(world, "bookings"), booking_id: "bkg_new" };
  const code = { ...booking, confirmation_code: "NEWCODE2" };
  store.putBooking(code);
  expect(store.booking("bkg_new")).toEqual(code);
  expect(store.isCodeTaken(code.tenant_id, "NEWCODE2")).toBe(true);
  expect(store.isCodeTaken("another tenant", "NEWCODE2")).toBe(false);
  expect(reader.booking("bkg_new")).toBeNull();
  store.clear();
  expect(store.booking("bkg_new")).toBeNull();
  store.putBooking(code);
  new BesideWriter(world.journal.db).write(store.changes());
  store.clear();
  expect(reader.booking("bkg_new")).toEqual(code);
  expect(store.isCodeTaken(code.tenant_id, "NEWCODE2")).toBe(true);
});

test("fixed columns and unchanged values of a record are not written again", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const { db } = world.journal;
  const store = new RecordStore(db, () => null);
  const { booking_id } = someOf<Booking>(world, "bookings");
  // Such a trigger also fires when a column is set to its old value.
  for (const [table, columns] of [
    ["bookings", "id, tenant_id, confirmation_code, room_type_id"],
    ["desk", "booking_id, property_id, check_in, check_out, created_at"],
  ]) {
    db.run(`CREATE TEMP TRIGGER ${table}_kept AFTER UPDATE OF ${columns} ON ${table}
      BEGIN SELECT raise(ABORT, 'set'); END`);
  }
  const state = store.booking(booking_id)!.state === "cancelled" ? "completed" : "cancelled";
  const write = () => {
    store.putBooking({ ...store.booking(booking_id)!, state });
    const before = db.query<{ n: number }, []>("SELECT total_changes() AS n").get()!.n;
    new BesideWriter(db).write(store.changes());
    store.clear();
    return db.query<{ n: number }, []>("SELECT total_changes() AS n").get()!.n - before;
  };
  expect([write(), write()]).toEqual([2, 0]);
  const stateAtDesk = db.query<{ state: string }, [string]>(
    "SELECT state FROM desk WHERE booking_id = ?",
  );
  expect(stateAtDesk.get(booking_id)).toEqual({ state });
});

test("the count of a room type's confirmed bookings includes the group's own changes", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const store = new RecordStore(world.journal.db, () => null);
  const idsOf = () => store.soldBookings("single").map((booking) => booking.booking_id);
  const [first, ...others] = idsOf();
  const booking = store.booking(first!)!;
  store.putBooking({ ...booking, state: "cancelled" });
  expect(idsOf().sort()).toEqual(others.sort());
  store.putBooking({ ...booking, booking_id: "bkg_new", state: "confirmed" });
  expect(idsOf().sort()).toEqual([...others, "bkg_new"].sort());
  const moved = { ...booking, booking_id: others[0]!, state: "confirmed" } as const;
  store.putBooking({ ...moved, quote: { ...booking.quote, room_type_id: "double" } });
  expect(idsOf()).not.toContain(others[0]!);
});

test("payments that wait for the provider are found by state, from any id on", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 300, 11);
  using _closed = world;
  const reader = new RecordReaderOn(world.journal.db);
  const waiting = () => [...world.engine.state.payments.values()];
  const isThere = (state: string) => waiting().some((payment) => payment.state === state);
  while (!isThere("pending") || !isThere("unknown")) history.step();
  const ids = waiting().map(({ payment_id }) => payment_id);
  expect(reader.open("payment")).toEqual(ids.sort());
  expect(reader.open("payment", ids[1])).toEqual(ids.slice(1));
  while (reader.open("refund").length < 2) history.step();
  const refunds = reader.open("refund");
  expect(refunds.map((id) => reader.refund(id)?.state)).toEqual(refunds.map(() => "pending"));
  expect(reader.open("refund", refunds[1])).toEqual(refunds.slice(1));
});

test("open amounts are counted by state, with the oldest named", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 300, 11);
  using _closed = world;
  const { db } = world.journal;
  const reader = new RecordReaderOn(db);
  while (reader.openMoney().some(({ count }) => count === 0)) history.step();
  for (const { kind, state, count, oldest } of reader.openMoney()) {
    const sql = `SELECT id FROM ${kind}s NOT INDEXED WHERE state = ? ORDER BY id`;
    const ids = db
      .query<{ id: string }, [string]>(sql)
      .all(state)
      .map(({ id }) => id);
    expect({ count, oldest }).toEqual({ count: ids.length, oldest: ids.slice(0, 10) });
  }
});

test("the outcome of a key is the group's own, otherwise the stored one", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const store = new RecordStore(world.journal.db, (key) => world.journal.outcomeOf(key));
  const rows = storedLines(world.journal.db).map(decodeRow);
  const { key } = rows.find((row) => row.key)!.key!;
  expect(store.outcomeOf(key)).toEqual(world.journal.outcomeOf(key));
  store.putOutcome(key, { ok: true } as never);
  expect(store.outcomeOf(key)).toEqual({ ok: true } as never);
  store.clear();
  expect(store.outcomeOf(key)).toEqual(world.journal.outcomeOf(key));
});

test("a record with one changed character is record_damaged, never an answer", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const reader = new RecordReaderOn(world.journal.db);
  const ids = {
    holds: someOf<{ hold_id: string }>(world, "holds").hold_id,
    bookings: someOf<{ booking_id: string }>(world, "bookings").booking_id,
    payments: someOf<{ payment_id: string }>(world, "payments").payment_id,
    refunds: someOf<{ refund_id: string }>(world, "refunds").refund_id,
  };
  const read = {
    holds: () => reader.hold(ids.holds),
    bookings: () => reader.booking(ids.bookings),
    payments: () => reader.payment(ids.payments),
    refunds: () => reader.refund(ids.refunds),
  };
  for (const table of ["holds", "bookings", "payments", "refunds"] as const) {
    expect(read[table]()).not.toBeNull();
    const change = `UPDATE ${table} SET doc = replace(doc, 'EUR', 'EUS') WHERE id = ?`;
    world.journal.db.run(change, [ids[table]]);
    expect(read[table]).toThrow("record_damaged");
  }
});

/** The database, with a list of all prepared statements. */
function noting(db: Database, statements: string[]): Database {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (name === "prepare" || name === "query") statements.push(String(given[0]));
        return value.apply(target, given);
      };
    },
  });
}

test("no query of the projections reads more rows than its index selects", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const statements: string[] = [];
  const db = noting(world.journal.db, statements);
  const store = new RecordStore(db, () => null);
  const reader = new RecordReaderOn(db);
  reader.open("payment");
  reader.open("refund");
  reader.openMoney();
  store.soldBookings("single");
  store.liveAuthorizations({ tenant_id: "t", mode: "live", agent_id: "a", atMs: 0 });
  const reads = statements.filter((sql) => sql.startsWith("SELECT"));
  expect(reads.length).toBeGreaterThan(7);
  for (const sql of reads) {
    const plan = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    const steps = plan.map(({ detail }) => detail).join("; ");
    expect({ sql, steps }).not.toMatchObject({ steps: expect.stringMatching(/SCAN|TEMP B-TREE/) });
  }
});
