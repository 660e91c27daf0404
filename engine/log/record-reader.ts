/** Read access to the projections, for any process. */
import type { Database, Statement } from "bun:sqlite";
import type { Authorization } from "../core/authorization.ts";
import type { OversellIncident } from "../core/oversell-incident.ts";
import { RecordDamaged, type RecordKind, type RecordsByKind } from "../core/record-damage.ts";
import type { Booking, Hold, Payment, Refund } from "../core/records.ts";
import { type AuthorizationQuery, findAuthorizations } from "./authorization-index.ts";
import {
  type AfterBooking,
  type DeskQuery,
  type DeskStay,
  findBookings,
  findStays,
  type ListQuery,
  listBookings,
} from "./desk-index.ts";
import { findIncidents, type IncidentQuery } from "./incident-index.ts";
import {
  countOpenMoney,
  findMoney,
  findOpen,
  findOpenRefunds,
  type OpenMoney,
} from "./money-index.ts";
import {
  perKind,
  readRecord,
  type StoredKind,
  type StoredRecord,
  selectOf,
} from "./stored-record.ts";

/** Damage that SQLite reports for the page of a record. */
function isPageDamage(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" && /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(code);
}

/** Read access to the projections on any connection. Throws `RecordDamaged`. */
export class RecordReaderOn {
  readonly #db: Database;
  readonly #byId: Readonly<Record<StoredKind, Statement<StoredRecord, [string]>>>;
  readonly #wrappedKey: Statement<{ wrapped_key: unknown }, [string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#byId = perKind((kind) => db.prepare(`${selectOf(kind)} WHERE id = ?`));
    this.#wrappedKey = db.prepare("SELECT wrapped_key FROM subject_keys WHERE booking_id = ?");
  }

  hold(id: string): Hold | null {
    return this.#read("hold", id);
  }
  booking(id: string): Booking | null {
    return this.#read("booking", id);
  }
  payment(id: string): Payment | null {
    return this.#read("payment", id);
  }
  refund(id: string): Refund | null {
    return this.#read("refund", id);
  }
  authorization(id: string): Authorization | null {
    return this.#read("authorization", id);
  }
  incident(id: string): OversellIncident | null {
    return this.#read("incident", id);
  }
  /** The wrapped data key of a booking's personal data; null after an erasure. */
  wrappedKey(bookingId: string): string | null {
    const found = this.#get(this.#wrappedKey, "subject_key", bookingId);
    if (found === null) return null;
    if (typeof found.wrapped_key === "string") return found.wrapped_key;
    throw new RecordDamaged("subject_key", bookingId, "is no text");
  }

  /** Ids of open payments or refunds from `fromId` on; see `findOpen`. */
  open(kind: "payment" | "refund", fromId = ""): string[] {
    return findOpen(this.#db, kind, fromId);
  }

  /** Ids of payments in any state; see `findMoney`. */
  paymentIds(afterId: string, limit: number): string[] {
    return findMoney(this.#db, "payment", afterId, limit);
  }

  /** Ids of refunds in any state; see `findMoney`. */
  refundIds(afterId: string, limit: number): string[] {
    return findMoney(this.#db, "refund", afterId, limit);
  }

  /** Ids of the refunds in an open state; see `findOpenRefunds`. */
  openRefunds(state: "pending" | "failed", beforeId: string): string[] {
    return findOpenRefunds(this.#db, state, beforeId);
  }

  /** Open payments and refunds by kind and state; see `countOpenMoney`. */
  openMoney(): OpenMoney[] {
    return countOpenMoney(this.#db);
  }

  /** Ids of oversell incidents for operators; see `findIncidents`. */
  incidents(query: IncidentQuery, limit: number): string[] {
    return findIncidents(this.#db, query, limit);
  }

  /** Ids of authorizations for operators; see `findAuthorizations`. */
  authorizations(query: AuthorizationQuery, limit: number): string[] {
    return findAuthorizations(this.#db, query, limit);
  }

  /** Ids of bookings for the desk; see `findBookings`. */
  bookings(query: DeskQuery, limit: number): string[] {
    return findBookings(this.#db, query, limit);
  }

  /** Ids of bookings in the order of a list; see `listBookings`. */
  bookingList(query: ListQuery, after: AfterBooking | null, limit: number): string[] {
    return listBookings(this.#db, query, after, limit);
  }

  /** Stays of bookings for the desk; see `findStays`. */
  stays(query: DeskQuery): DeskStay[] {
    return findStays(this.#db, query);
  }

  #read<K extends StoredKind>(kind: K, id: string): RecordsByKind[K] | null {
    const stored = this.#get(this.#byId[kind], kind, id);
    return stored && readRecord(kind, id, stored);
  }

  #get<T>(statement: Statement<T, [string]>, kind: RecordKind, id: string): T | null {
    try {
      return statement.get(id);
    } catch (error) {
      if (!isPageDamage(error)) throw error;
      throw new RecordDamaged(kind, id, "cannot be read");
    }
  }
}
