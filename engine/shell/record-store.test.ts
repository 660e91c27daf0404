/** Goal: a group sees its own changes, others see them after the commit, damage is never served. */
import { expect, test } from "bun:test";
import { lived } from "../../test/power/history.ts";
import { Scratch, type World } from "../../test/power/world.ts";
import type { Booking, Payment } from "../core/records.ts";
import { RecordReaderOn, RecordStore } from "./record-store.ts";

function livedWithPayments(path: string): World {
  const { world, history } = lived(path, 300, 11);
  while (world.engine.state.payments.size < 2) history.step();
  return world;
}

function someOf<T>(world: World, table: "holds" | "bookings" | "payments" | "refunds"): T {
  const sql = `SELECT doc FROM ${table} ORDER BY id LIMIT 1`;
  return JSON.parse(world.journal.db.query<{ doc: string }, []>(sql).get()!.doc) as T;
}

test("a change is seen in the store at once, elsewhere after the flush, gone after a clear", () => {
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
  store.flush();
  store.clear();
  expect(reader.booking("bkg_new")).toEqual(code);
  expect(store.isCodeTaken(code.tenant_id, "NEWCODE2")).toBe(true);
});

test("confirmed bookings of a room type count the group's own changes", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const store = new RecordStore(world.journal.db, () => null);
  const idsOf = () => store.confirmedBookings("single").map((booking) => booking.booking_id);
  const [first, ...others] = idsOf();
  const booking = store.booking(first!)!;
  store.putBooking({ ...booking, state: "cancelled" });
  expect(idsOf().sort()).toEqual(others.sort());
  store.putBooking({ ...booking, booking_id: "bkg_new", state: "confirmed" });
  expect(idsOf().sort()).toEqual([...others, "bkg_new"].sort());
});

test("what waits for the provider is found by state", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const reader = new RecordReaderOn(world.journal.db);
  const waiting = [...world.engine.state.payments.values()];
  const byId = (a: Payment, b: Payment) => (a.payment_id < b.payment_id ? -1 : 1);
  expect(waiting.length).toBeGreaterThan(0);
  expect(reader.duePayments()).toEqual(waiting.sort(byId));
});

test("the outcome of a key is the group's own, else the stored one", () => {
  using scratch = new Scratch();
  using world = livedWithPayments(scratch.path);
  const store = new RecordStore(world.journal.db, (key) => world.journal.outcomeOf(key));
  const sql = "SELECT lower(hex(key)) AS key FROM journal WHERE key IS NOT NULL LIMIT 1";
  const { key } = world.journal.db.query<{ key: string }, []>(sql).get()!;
  expect(store.outcomeOf(key)).toEqual(world.journal.outcomeOf(key));
  store.putOutcome(key, '{"ok":true}');
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
