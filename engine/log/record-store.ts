/**
 * The projections for the engine: reads go through to SQLite, writes go into an overlay, which the
 * journal writes with the group's rows. Later commands of a group see the changes of earlier ones.
 *
 * Maintained invariant: outside a group the overlay is empty. After a failed commit a retry would
 * otherwise answer from records that were never durable.
 */
import type { Database } from "bun:sqlite";
import type { Authorization } from "../core/authorization.ts";
import type { Outcome } from "../core/outcomes.ts";
import type { OversellIncident } from "../core/oversell-incident.ts";
import type { RecordDamaged, RecordsByKind } from "../core/record-damage.ts";
import type { Booking, Hold, Payment, RecordSink, Records, Refund } from "../core/records.ts";
import type { Realm } from "../core/supply.ts";
import type { Owned } from "../core/visibility.ts";
import { isLive, LIVE_SQL, liveIds } from "./authorization-index.ts";
import type { Beside, SubjectKey } from "./beside.ts";
import type { Finding } from "./care/quarantine.ts";
import { RecordReaderOn } from "./record-reader.ts";
import {
  perKind,
  readRecord,
  STORED_KINDS,
  type StoredKind,
  type StoredRecord,
  selectOf,
} from "./stored-record.ts";

type Held = { readonly [K in StoredKind]: Map<string, RecordsByKind[K]> };

function emptyMaps(): Held {
  return perKind(() => new Map());
}

export class RecordStore implements Records, RecordSink {
  readonly #reader: RecordReaderOn;
  readonly #storedOutcome: (key: string) => Outcome | null;
  /** Records that this group has read: the fold gets the same objects as the decision. */
  readonly #seen = emptyMaps();
  readonly #changed = emptyMaps();
  /** Confirmation codes of the changed bookings, by tenant. */
  readonly #codes = new Set<string>();
  readonly #subjectKeys = new Map<string, SubjectKey>();
  /** Bookings whose data keys this group deletes. */
  readonly #erased = new Set<string>();
  readonly #outcomes = new Map<string, Outcome>();
  readonly #findings = new Map<string, Finding>();
  readonly #met = new Set<string>();
  readonly #db: Database;
  readonly #statements;

  constructor(db: Database, storedOutcome: (key: string) => Outcome | null) {
    this.#db = db;
    this.#reader = new RecordReaderOn(db);
    this.#storedOutcome = storedOutcome;
    this.#statements = {
      code: db.prepare<{ one: number }, [string, string]>(
        "SELECT 1 AS one FROM bookings WHERE tenant_id = ? AND confirmation_code = ?",
      ),
      live: db.prepare<StoredRecord, [string, string, string, number]>(
        `${selectOf("authorization")} INDEXED BY authorizations_live WHERE ${LIVE_SQL}`,
      ),
      sold: db.prepare<StoredRecord, [string]>(
        `${selectOf("booking")} WHERE room_type_id = ? AND state <> 'cancelled'`,
      ),
    };
  }

  hold(id: string): Hold | null {
    return this.#held("hold", id);
  }
  booking(id: string): Booking | null {
    return this.#held("booking", id);
  }
  payment(id: string): Payment | null {
    return this.#held("payment", id);
  }
  refund(id: string): Refund | null {
    return this.#held("refund", id);
  }
  authorization(id: string): Authorization | null {
    return this.#held("authorization", id);
  }
  incident(id: string): OversellIncident | null {
    return this.#held("incident", id);
  }
  outcomeOf(key: string): Outcome | null {
    return this.#outcomes.get(key) ?? this.#storedOutcome(key);
  }
  isCodeTaken(tenantId: string, code: string): boolean {
    if (this.#codes.has(`${tenantId}:${code}`)) return true;
    return this.#statements.code.get(tenantId, code) !== null;
  }
  pendingRefunds(): readonly string[] {
    const ids = new Set(this.#reader.open("refund"));
    for (const [id, { state }] of this.#changed.refund) {
      if (state === "pending") ids.add(id);
      else ids.delete(id);
    }
    return [...ids];
  }
  liveAuthorizations(of: Owned & { readonly atMs: number }): readonly Authorization[] {
    const found = new Map<string, Authorization>();
    for (const stored of this.#statements.live.all(of.tenant_id, of.mode, of.agent_id, of.atMs)) {
      found.set(stored.id, readRecord("authorization", stored.id, stored));
    }
    for (const [id, authorization] of this.#changed.authorization) {
      if (isLive(authorization, of)) found.set(id, authorization);
      else found.delete(id);
    }
    return [...found.values()];
  }
  liveAuthorizationIds(atMs: number, realm?: Realm): readonly string[] {
    const ids = new Set(liveIds(this.#db, atMs, realm));
    for (const [id, authorization] of this.#changed.authorization) {
      if (isLive(authorization, { ...authorization, ...realm, atMs })) ids.add(id);
      else ids.delete(id);
    }
    return [...ids];
  }
  soldBookings(roomTypeId: string): readonly Booking[] {
    const found = new Map<string, Booking>();
    for (const stored of this.#statements.sold.all(roomTypeId)) {
      found.set(stored.id, readRecord("booking", stored.id, stored));
    }
    for (const [id, booking] of this.#changed.booking) {
      const isSold = booking.quote.room_type_id === roomTypeId && booking.state !== "cancelled";
      if (isSold) found.set(id, booking);
      else found.delete(id);
    }
    return [...found.values()];
  }

  putHold(hold: Hold): void {
    this.#changed.hold.set(hold.hold_id, hold);
  }
  putBooking(booking: Booking): void {
    this.#changed.booking.set(booking.booking_id, booking);
    this.#codes.add(`${booking.tenant_id}:${booking.confirmation_code}`);
  }
  putPayment(payment: Payment): void {
    this.#changed.payment.set(payment.payment_id, payment);
  }
  putRefund(refund: Refund): void {
    this.#changed.refund.set(refund.refund_id, refund);
  }
  putAuthorization(authorization: Authorization): void {
    this.#changed.authorization.set(authorization.authorization_id, authorization);
  }
  putIncident(incident: OversellIncident): void {
    this.#changed.incident.set(incident.incident_id, incident);
  }
  eraseSubjectKey(bookingId: string): void {
    this.#erased.add(bookingId);
  }
  putSubjectKey(key: SubjectKey): void {
    this.#subjectKeys.set(key.booking_id, key);
  }
  /** Makes an outcome of this group visible to its later commands. */
  putOutcome(key: string, outcome: Outcome): void {
    this.#outcomes.set(key, outcome);
  }
  /**
   * Quarantines a damaged record with this group, until it is found intact; false when this process
   * already knows it.
   */
  putFinding({ kind, id, problem }: RecordDamaged, found_at: number): boolean {
    const name = `${kind}:${id}`;
    this.#findings.set(name, { kind, id, problem, found_at });
    const isNew = !this.#met.has(name);
    this.#met.add(name);
    return isNew;
  }

  /** True when there are findings to write without a row. */
  get hasFindings(): boolean {
    return this.#findings.size > 0;
  }

  /** The overlay, for the journal to write with the group's rows; valid until `clear`. */
  changes(): Beside {
    return {
      ...{ records: this.#changed, subjectKeys: this.#subjectKeys },
      ...{ erased: this.#erased, findings: this.#findings.values() },
    };
  }

  /** Empties the overlay; after a commit and before a retry. */
  clear(): void {
    for (const kind of STORED_KINDS) {
      this.#seen[kind].clear();
      this.#changed[kind].clear();
    }
    this.#codes.clear();
    this.#subjectKeys.clear();
    this.#erased.clear();
    this.#outcomes.clear();
    this.#findings.clear();
  }

  #held<K extends StoredKind>(kind: K, id: string): RecordsByKind[K] | null {
    const held = this.#changed[kind].get(id) ?? this.#seen[kind].get(id);
    if (held) return held;
    const read = this.#reader[kind](id) as RecordsByKind[K] | null;
    if (read) this.#seen[kind].set(id, read);
    return read;
  }
}

/** The record store of a journal's writer. */
export function recordStoreOf(journal: {
  readonly db: Database;
  outcomeOf(key: string): Outcome | null;
}): RecordStore {
  return new RecordStore(journal.db, (key) => journal.outcomeOf(key));
}
