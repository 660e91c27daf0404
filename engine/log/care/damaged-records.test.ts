/**
 * Goal: a damaged record fails only the commands that name it, is listed durably, reported once and
 * whole again after a rebuild; a damaged old row fails only its keys. Method: a real engine on a
 * real journal; records are damaged in its files in every way possible.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  beginBooking,
  cancelBooking,
  commandMeta,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  refundResult,
  releaseHold,
  roomType,
} from "../../../test/support/builders.ts";
import { LoneEngine } from "../../../test/support/lone-engine.ts";
import { blockWith } from "../../../test/support/stored-blocks.ts";
import type { Command } from "../../core/commands.ts";
import { KINDS, type StoredKind } from "../stored-record.ts";
import { crcOf } from "../stored-row.ts";
import { findingsIn, relist } from "./quarantine.ts";
import { rebuildProjections } from "./rebuild.ts";
import { checkProjections, damagedRecords, stillDamaged } from "./record-check.ts";

const tree = propertyTree({ room_types: [roomType({ default_inventory: 50 })] });

let lone: LoneEngine;
beforeEach(() => {
  lone = new LoneEngine();
  done(createProperty(tree), promoteProperty(tree));
});
afterEach(() => lone.close());

/** Commands that succeed; the data of the last. */
function done(...commands: readonly Command[]): Readonly<Record<string, unknown>> {
  const outcomes = lone.decide(commands);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true });
  return (outcomes.at(-1) as { data: Readonly<Record<string, unknown>> }).data;
}

function held() {
  const created_at = lone.now();
  const date = (inDays: number) =>
    new Date(created_at + inDays * 86_400_000).toISOString().slice(0, 10);
  const stay = { check_in: date(30), check_out: date(32) };
  const quote = frozenQuote(tree, { created_at, due_now: 7_000, stay });
  const { hold_id } = done(placeHold(quote));
  return { hold_id: String(hold_id), quote_id: quote.quote_id };
}

/** A booking, paid; with its payment. */
function booked() {
  lone.decide([beginBooking(held())]);
  const [payment_id] = [...lone.engine.state.payments.keys()] as [string];
  done(paymentResult(payment_id, "captured"));
  const { booking_id } = lone.records.payment(payment_id)!;
  return { payment: payment_id, booking: booking_id };
}

/** The same, cancelled; its refund waits. */
function cancelled() {
  const ids = booked();
  lone.decide([cancelBooking(ids.booking)]);
  return { ...ids, refund: lone.records.booking(ids.booking)!.refund_ids[0]! };
}

function set(kind: StoredKind, id: string, doc: string): void {
  const sql = `UPDATE ${KINDS[kind].table} SET doc = ?, crc = ? WHERE id = ?`;
  lone.journal.db.run(sql, [doc, crcOf(doc), id]);
}

function docOf(kind: StoredKind, id: string): Record<string, unknown> {
  const sql = `SELECT doc FROM ${KINDS[kind].table} WHERE id = ?`;
  return JSON.parse(lone.journal.db.query<{ doc: string }, [string]>(sql).get(id)!.doc);
}

const DAMAGES: Readonly<Record<string, (kind: StoredKind, id: string) => void>> = {
  "a changed character": (kind, id) =>
    lone.journal.db.run(
      `UPDATE ${KINDS[kind].table} SET doc = replace(doc, 'EUR', 'EUS') WHERE id = ?`,
      [id],
    ),
  "another CRC": (kind, id) =>
    lone.journal.db.run(`UPDATE ${KINDS[kind].table} SET crc = crc + 1 WHERE id = ?`, [id]),
  "no JSON": (kind, id) => set(kind, id, "{"),
  "JSON of another kind": (kind, id) => set(kind, id, "[]"),
  null: (kind, id) => set(kind, id, "null"),
  "another record's document": (kind, id) =>
    set(kind, id, JSON.stringify({ ...docOf(kind, id), [KINDS[kind].id]: "other" })),
  "a member that is lost": (kind, id) => {
    const { tenant_id: _lost, ...rest } = docOf(kind, id);
    set(kind, id, JSON.stringify(rest));
  },
  "a member of another type": (kind, id) =>
    set(kind, id, JSON.stringify({ ...docOf(kind, id), created_at: "soon" })),
  "no row": (kind, id) =>
    lone.journal.db.run(`DELETE FROM ${KINDS[kind].table} WHERE id = ?`, [id]),
};

/** Only clients refer to finished holds, so a missing one is like an unknown one. */
const CASES: readonly (readonly [StoredKind, string, () => { id: string; command: Command }])[] = [
  [
    "hold",
    "its release",
    () => {
      const { hold_id } = held();
      done(releaseHold(hold_id));
      return { id: hold_id, command: releaseHold(hold_id, { key: "a".repeat(32) }) };
    },
  ],
  [
    "booking",
    "its cancellation",
    () => {
      const { booking } = booked();
      return { id: booking, command: cancelBooking(booking, { key: "a".repeat(32) }) };
    },
  ],
  [
    "booking",
    "its refund's end",
    () => {
      const { booking, refund } = cancelled();
      return { id: booking, command: refundResult(refund, "succeeded") };
    },
  ],
  [
    "payment",
    "the cancellation",
    () => {
      const { booking, payment } = booked();
      return { id: payment, command: cancelBooking(booking, { key: "a".repeat(32) }) };
    },
  ],
  [
    "payment",
    "its refund's end",
    () => {
      const { payment, refund } = cancelled();
      return { id: payment, command: refundResult(refund, "succeeded") };
    },
  ],
  [
    "payment",
    "its refund's failure",
    () => {
      const { payment, refund } = cancelled();
      return { id: payment, command: refundResult(refund, "failed") };
    },
  ],
  [
    "refund",
    "its end",
    () => {
      const { refund } = cancelled();
      return { id: refund, command: refundResult(refund, "succeeded") };
    },
  ],
];

const isNamedByNobody = (kind: StoredKind, what: string) =>
  kind === "hold" || (kind === "booking" && what === "its cancellation");

for (const [kind, what, scene] of CASES) {
  for (const [name, spoil] of Object.entries(DAMAGES)) {
    if (name === "no row" && isNamedByNobody(kind, what)) continue;
    test(`${name} of a ${kind} costs ${what} alone, until it is rebuilt`, () => {
      const { id, command } = scene();
      const { db } = lone.journal;
      const rows = lone.journal.head.row;
      spoil(kind, id);
      for (let asked = 0; asked < 3; asked += 1) {
        const [refused] = lone.decide([command]);
        expect(refused).toMatchObject({
          ...{ ok: false, code: "upstream_unavailable", retry_after: 60 },
          detail: { upstream: "records", record: id },
        });
      }
      expect(lone.journal.head.row).toBe(rows);
      expect(findingsIn(db).map((found) => `${found.kind} ${found.id}`)).toEqual([`${kind} ${id}`]);
      expect(lone.logged.filter((line) => line.includes(id))).toHaveLength(1);
      done(placeHold(frozenQuote(tree, { created_at: lone.now() })));
      relist(db, stillDamaged(db), 0);
      expect(findingsIn(db)).toHaveLength(1);
      const found = damagedRecords(db).map((damage) => `${damage.kind} ${damage.id}`);
      expect(found).toEqual([`${kind} ${id}`]);

      rebuildProjections(db);
      expect(findingsIn(db)).toEqual([]);
      checkProjections(db);
      const [outcome] = lone.decide([command]);
      expect(outcome?.ok === false && outcome.code === "upstream_unavailable").toBeFalse();
      expect(lone.journal.head.row).toBeGreaterThan(rows);
    });
  }
}

test("a reported record is checked: a whole one changes nothing, a damaged one is listed", () => {
  const { payment, booking } = booked();
  const check = { ...commandMeta(), type: "CheckRecord" } as const;
  const { key: _key, body_hash: _hash, ...meta } = check;
  done({ ...meta, kind: "payment", id: payment });
  expect(findingsIn(lone.journal.db)).toEqual([]);
  DAMAGES["a changed character"]!("payment", payment);
  lone.decide([
    { ...meta, kind: "payment", id: payment },
    { ...meta, kind: "subject_key", id: booking },
  ]);
  const listed = findingsIn(lone.journal.db).map(({ kind, id }) => `${kind} ${id}`);
  expect(listed).toEqual([`payment ${payment}`, `subject_key ${booking}`]);
});

test("a key with a damaged row is refused by name, never taken as new; others are answered", () => {
  const quote = () => frozenQuote(tree, { created_at: lone.now() });
  const first = placeHold(quote());
  done(first);
  const { db, head } = lone.journal;
  done(placeHold(quote()));
  const spoil = (payload: string) =>
    db.run(`UPDATE journal SET payload = CAST(${payload} AS BLOB) WHERE ${blockWith(head.row)}`);
  spoil("payload || ' '");
  const { row } = lone.journal.head;
  const damaged = { upstream: "journal", damage: "journal_row_damaged" };
  const refused = { ok: false, code: "upstream_unavailable", retry_after: 60, detail: damaged };
  const [again, other] = lone.decide([first, placeHold(quote())]);
  expect([again, other]).toMatchObject([refused, { ok: true }]);
  expect(lone.journal.head.row).toBe(row + 1);
  spoil("rtrim(payload)");
  expect(lone.decide([first])).toMatchObject([{ ok: true }]);
  expect(lone.journal.head.row).toBe(row + 1);
});
