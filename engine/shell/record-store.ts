/**
 * The projections as the engine uses them: reads through to SQLite, writes into an overlay that is
 * flushed inside the group's transaction. Commands later in a group see what earlier ones changed.
 *
 * Maintained invariant: outside a group the overlay is empty. If it outlived a failed commit, a
 * retry would answer from records that were never durable.
 */
import type { Database } from "bun:sqlite";
import type { Outcome } from "../core/outcomes.ts";
import type { Booking, Hold, Payment, RecordSink, Records, Refund } from "../core/records.ts";
import { readStored } from "../core/stored-words.ts";
import { Damage } from "./damage.ts";
import { crcOf } from "./stored-row.ts";

/** The index is named, because SQLite would rather walk all ids; its condition must be repeated. */
const OPEN_SQL = {
  payment: `SELECT id FROM payments INDEXED BY payments_open
    WHERE state IN ('pending', 'unknown') AND id >= ?`,
  refund: `SELECT id FROM refunds INDEXED BY refunds_open
    WHERE state IN ('pending', 'failed') AND state = 'pending' AND id >= ?`,
} as const;

interface Doc {
  readonly doc: string;
  readonly crc: number;
}

function decode<T>(found: Doc | null, id: string): T | null {
  if (!found) return null;
  if (crcOf(found.doc) !== found.crc) {
    throw new Damage("record_damaged", `record ${id} does not match its CRC`);
  }
  return readStored<T>(found.doc);
}

/** Read access to the projections on any connection. */
export class RecordReaderOn {
  readonly #db: Database;
  readonly #hold;
  readonly #booking;
  readonly #payment;
  readonly #refund;
  readonly #wrappedKey;

  constructor(db: Database) {
    this.#db = db;
    const byId = (table: string) =>
      db.prepare<Doc, [string]>(`SELECT doc, crc FROM ${table} WHERE id = ?`);
    this.#hold = byId("holds");
    this.#booking = byId("bookings");
    this.#payment = byId("payments");
    this.#refund = byId("refunds");
    this.#wrappedKey = db.prepare<{ wrapped_key: string }, [string]>(
      "SELECT wrapped_key FROM subject_keys WHERE booking_id = ?",
    );
  }

  hold(id: string): Hold | null {
    return decode<Hold>(this.#hold.get(id), id);
  }
  booking(id: string): Booking | null {
    return decode<Booking>(this.#booking.get(id), id);
  }
  payment(id: string): Payment | null {
    return decode<Payment>(this.#payment.get(id), id);
  }
  refund(id: string): Refund | null {
    return decode<Refund>(this.#refund.get(id), id);
  }
  /** The wrapped data key of a booking's personal data; null after an erasure. */
  wrappedKey(bookingId: string): string | null {
    return this.#wrappedKey.get(bookingId)?.wrapped_key ?? null;
  }

  /**
   * Ids of payments without a verdict, or of refunds that wait for theirs, from `fromId` on: oldest
   * first, by an index alone. Ids sort by creation.
   */
  open(kind: "payment" | "refund", fromId = ""): string[] {
    const found = this.#db.query<{ id: string }, [string]>(OPEN_SQL[kind]).all(fromId);
    return found.map(({ id }) => id).sort();
  }
}

export class RecordStore implements Records, RecordSink {
  readonly #reader: RecordReaderOn;
  readonly #storedOutcome: (key: string) => Outcome | null;
  readonly #holds = new Map<string, Hold>();
  readonly #bookings = new Map<string, Booking>();
  readonly #payments = new Map<string, Payment>();
  readonly #refunds = new Map<string, Refund>();
  readonly #subjectKeys = new Map<string, string>();
  readonly #outcomes = new Map<string, string>();
  readonly #statements;

  constructor(db: Database, storedOutcome: (key: string) => Outcome | null) {
    this.#reader = new RecordReaderOn(db);
    this.#storedOutcome = storedOutcome;
    const upsert = (table: string, columns: string) => {
      const names = columns.split(", ");
      const marks = names.map(() => "?").join(", ");
      const set = names.slice(1).map((name) => `${name} = excluded.${name}`);
      return db.prepare(
        `INSERT INTO ${table}(${columns}) VALUES (${marks})
         ON CONFLICT(${names[0]}) DO UPDATE SET ${set.join(", ")}`,
      );
    };
    this.#statements = {
      hold: upsert("holds", "id, doc, crc"),
      booking: upsert(
        "bookings",
        "id, tenant_id, confirmation_code, room_type_id, state, doc, crc",
      ),
      payment: upsert("payments", "id, state, doc, crc"),
      refund: upsert("refunds", "id, state, doc, crc"),
      subjectKey: upsert("subject_keys", "booking_id, wrapped_key"),
      code: db.prepare<{ one: number }, [string, string]>(
        "SELECT 1 AS one FROM bookings WHERE tenant_id = ? AND confirmation_code = ?",
      ),
      confirmed: db.prepare<Doc & { id: string }, [string]>(
        "SELECT id, doc, crc FROM bookings WHERE room_type_id = ? AND state = 'confirmed'",
      ),
    };
  }

  hold(id: string): Hold | null {
    return this.#holds.get(id) ?? this.#reader.hold(id);
  }
  booking(id: string): Booking | null {
    return this.#bookings.get(id) ?? this.#reader.booking(id);
  }
  payment(id: string): Payment | null {
    return this.#payments.get(id) ?? this.#reader.payment(id);
  }
  refund(id: string): Refund | null {
    return this.#refunds.get(id) ?? this.#reader.refund(id);
  }
  outcomeOf(key: string): Outcome | null {
    const inGroup = this.#outcomes.get(key);
    return inGroup === undefined ? this.#storedOutcome(key) : (JSON.parse(inGroup) as Outcome);
  }
  isCodeTaken(tenantId: string, code: string): boolean {
    for (const booking of this.#bookings.values()) {
      if (booking.tenant_id === tenantId && booking.confirmation_code === code) return true;
    }
    return this.#statements.code.get(tenantId, code) !== null;
  }
  pendingRefunds(): readonly string[] {
    const ids = new Set(this.#reader.open("refund"));
    for (const [id, { state }] of this.#refunds) {
      if (state === "pending") ids.add(id);
      else ids.delete(id);
    }
    return [...ids];
  }
  confirmedBookings(roomTypeId: string): readonly Booking[] {
    const found = new Map<string, Booking>();
    for (const row of this.#statements.confirmed.all(roomTypeId)) {
      found.set(row.id, decode<Booking>(row, row.id)!);
    }
    for (const [id, booking] of this.#bookings) {
      if (booking.quote.room_type_id !== roomTypeId) continue;
      if (booking.state === "confirmed") found.set(id, booking);
      else found.delete(id);
    }
    return [...found.values()];
  }

  putHold(hold: Hold): void {
    this.#holds.set(hold.hold_id, hold);
  }
  putBooking(booking: Booking): void {
    this.#bookings.set(booking.booking_id, booking);
  }
  putPayment(payment: Payment): void {
    this.#payments.set(payment.payment_id, payment);
  }
  putRefund(refund: Refund): void {
    this.#refunds.set(refund.refund_id, refund);
  }
  putSubjectKey(bookingId: string, wrappedKey: string): void {
    this.#subjectKeys.set(bookingId, wrappedKey);
  }
  /** Makes an outcome of this group visible to later commands of the group. */
  putOutcome(key: string, outcomeJson: string): void {
    this.#outcomes.set(key, outcomeJson);
  }

  /** Writes the overlay; call inside the group's transaction. */
  flush(): void {
    const { hold, booking, payment, refund, subjectKey } = this.#statements;
    for (const [id, value] of this.#holds) {
      const doc = JSON.stringify(value);
      hold.run(id, doc, crcOf(doc));
    }
    for (const [id, value] of this.#bookings) {
      const { tenant_id, confirmation_code, quote, state } = value;
      const doc = JSON.stringify(value);
      booking.run(id, tenant_id, confirmation_code, quote.room_type_id, state, doc, crcOf(doc));
    }
    for (const [id, value] of this.#payments) {
      const doc = JSON.stringify(value);
      payment.run(id, value.state, doc, crcOf(doc));
    }
    for (const [id, value] of this.#refunds) {
      const doc = JSON.stringify(value);
      refund.run(id, value.state, doc, crcOf(doc));
    }
    for (const [id, wrapped] of this.#subjectKeys) subjectKey.run(id, wrapped);
  }

  /** Empties the overlay; after a commit and before a retry. */
  clear(): void {
    this.#holds.clear();
    this.#bookings.clear();
    this.#payments.clear();
    this.#refunds.clear();
    this.#subjectKeys.clear();
    this.#outcomes.clear();
  }
}
