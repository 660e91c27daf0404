/**
 * The search columns of bookings for the desk: one small row per booking, beside the records and
 * written in their transaction. It only finds ids; details come from the records. The guest's
 * hashes are stored with the wrapped data key, so that an erasure removes both.
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { GuestHashes } from "../core/parties.ts";
import { STAY_NIGHTS_MAX } from "../core/price/quote.ts";
import type { Booking, BookingState } from "../core/records.ts";
import type { Realm } from "../core/supply.ts";
import { type Condition, findIds, isOneOf } from "./id-search.ts";

type Text = string | number;
/** Column → the member of a booking that it repeats. */
const COLUMNS: Readonly<Record<string, (booking: Booking) => Text>> = {
  booking_id: ({ booking_id }) => booking_id,
  tenant_id: ({ tenant_id }) => tenant_id,
  mode: ({ mode }) => mode,
  property_id: ({ property_id }) => property_id,
  agent_id: ({ agent_id }) => agent_id,
  state: ({ state }) => state,
  check_in: ({ quote }) => quote.stay.check_in,
  check_out: ({ quote }) => quote.stay.check_out,
  created_at: ({ created_at }) => created_at,
};
export const DESK_COLUMNS = Object.keys(COLUMNS);

/** The row of a booking, in the order of the columns. */
export function deskRowOf(booking: Booking): Text[] {
  return Object.values(COLUMNS).map((of) => of(booking));
}

/**
 * A query for one day must consider every stay that may still last: for one property by its own
 * index, otherwise the index alone shows which have ended.
 */
export const DESK_TABLES = `
CREATE TABLE desk(
  booking_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  property_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  state TEXT NOT NULL,
  check_in TEXT NOT NULL,
  check_out TEXT NOT NULL,
  created_at INTEGER NOT NULL) STRICT;
CREATE INDEX desk_check_out ON desk(tenant_id, mode, check_out);
CREATE INDEX desk_created_at ON desk(tenant_id, mode, created_at);
CREATE INDEX desk_stay ON desk(tenant_id, mode, check_in, check_out);
CREATE INDEX desk_agent ON desk(tenant_id, mode, agent_id, created_at);
CREATE INDEX desk_state ON desk(tenant_id, mode, state);
CREATE INDEX desk_house ON desk(tenant_id, mode, property_id, check_in, check_out);
`;

/** Columns that come from the document, beside those of the record's own row. */
const DOCUMENT_COLUMNS = ["mode", "property_id", "agent_id", "check_in", "check_out", "created_at"];
const DOCUMENT_VALUES = `doc ->> '$.mode', doc ->> '$.property_id', doc ->> '$.agent_id',
  doc ->> '$.quote.stay.check_in', doc ->> '$.quote.stay.check_out', doc ->> '$.created_at'`;

/** Ids of bookings whose row is missing or wrong. */
export function deskProblems(db: Database): string[] {
  const row = DOCUMENT_COLUMNS.map((column) => `d.${column}`).join(", ");
  const sql = `SELECT b.id AS id FROM bookings b LEFT JOIN desk d ON d.booking_id = b.id
    WHERE (d.state, d.tenant_id) IS NOT (b.state, b.tenant_id)
      OR CASE WHEN json_valid(doc) THEN (${row}) IS NOT (${DOCUMENT_VALUES}) ELSE 0 END`;
  return db
    .query<{ id: string }, []>(sql)
    .all()
    .map(({ id }) => id);
}

/** Days or instants, both ends included. */
export type Range<T> = readonly [from: T, to: T];

/** Conditions, all of which apply. At least one range, the state or an owner must be set. */
export interface DeskQuery extends Realm {
  /** Null: all properties. */
  readonly property_ids: readonly string[] | null;
  readonly state?: BookingState;
  readonly agent_id?: string;
  readonly booking_id?: string;
  readonly confirmation_code?: string;
  readonly guest?: GuestHash;
  readonly check_in?: Range<string>;
  readonly check_out?: Range<string>;
  /** Stays with the night of this date. */
  readonly in_house?: string;
  /** Epoch milliseconds. */
  readonly created_at?: Range<number>;
}

/** The HMAC of a name or an e-mail address, stored beside the booking's data key. */
export interface GuestHash {
  readonly kind: keyof GuestHashes;
  readonly hash: string;
}

/** The table and index to start from, with the condition on its key; the rest is compared. */
function sourceOf(query: DeskQuery): readonly [from: string, ...keys: Condition[]] {
  const { confirmation_code, guest, check_in, in_house, check_out } = query;
  if (confirmation_code !== undefined) {
    const joined =
      "bookings b CROSS JOIN desk d ON d.booking_id = b.id AND b.tenant_id = d.tenant_id";
    return [joined, ["b.confirmation_code = ?", confirmation_code]];
  }
  if (guest) {
    const joined = "subject_keys s CROSS JOIN desk d ON d.booking_id = s.booking_id";
    return [joined, [`s.${guest.kind}_hash = ?`, guest.hash]];
  }
  if (query.booking_id !== undefined) return ["desk d"];
  const isOfDays = check_in || in_house || check_out;
  if (isOfDays && query.property_ids !== null) return ["desk d INDEXED BY desk_house"];
  return [`desk d INDEXED BY desk_${indexOf(query)}`];
}

/** The most selective index: dates, then the agent, then the state. */
function indexOf({ check_in, in_house, check_out, created_at, agent_id, state }: DeskQuery) {
  if (check_in || in_house) return "stay";
  if (check_out) return "check_out";
  if (agent_id !== undefined) return "agent";
  return state !== undefined && !created_at ? "state" : "created_at";
}

/** Stays that may last until these days: a stay has a longest length. */
function begunWithin(from: string, to: string): Condition {
  return ["d.check_in BETWEEN date(?, ?) AND ?", from, `-${STAY_NIGHTS_MAX} days`, to];
}

function conditionsOf(query: DeskQuery): Condition[] {
  const found: Condition[] = [
    ["d.tenant_id = ?", query.tenant_id],
    ["d.mode = ?", query.mode],
  ];
  for (const name of ["booking_id", "state", "agent_id"] as const) {
    if (query[name] !== undefined) found.push([`d.${name} = ?`, query[name]]);
  }
  for (const name of ["check_out", "created_at"] as const) {
    const range = query[name];
    if (range) found.push([`d.${name} BETWEEN ? AND ?`, ...range]);
  }
  const { check_in, in_house, check_out, property_ids } = query;
  if (in_house !== undefined) {
    found.push(begunWithin(in_house, in_house));
    found.push(["d.check_out > ?", in_house]);
  }
  if (check_in && check_out) {
    // As one range: of two, SQLite may read by the longer one.
    const range = "max(?, date(?, ?)) AND min(?, ?)";
    const [[from, to], [outFrom, outTo]] = [check_in, check_out];
    const values = [from, outFrom, `-${STAY_NIGHTS_MAX} days`, to, outTo];
    found.push([`d.check_in BETWEEN ${range}`, ...values]);
  } else if (check_in) found.push(["d.check_in BETWEEN ? AND ?", ...check_in]);
  else if (check_out) found.push(begunWithin(...check_out));
  if (property_ids !== null) found.push(isOneOf("d.property_id", property_ids));
  return found;
}

/** What the index has of a booking beside the columns that a query names. */
export interface DeskStay {
  readonly booking_id: string;
  readonly property_id: string;
  readonly check_in: string;
  readonly check_out: string;
}

/** The stays of all matching bookings, in no order: for lists that only count most of them. */
export function findStays(db: Database, query: DeskQuery): DeskStay[] {
  const [from, ...keys] = sourceOf(query);
  const conditions = [...keys, ...conditionsOf(query)];
  const columns = "d.booking_id, d.property_id, d.check_in, d.check_out";
  const where = conditions.map(([sql]) => sql).join(" AND ");
  return db
    .query<DeskStay, SQLQueryBindings[]>(`SELECT ${columns} FROM ${from} WHERE ${where}`)
    .all(...conditions.flatMap(([, ...values]) => values));
}

/**
 * Ids of the bookings, newest first. Of more than `limit` it returns any `limit`, to bound the
 * time.
 */
export function findBookings(db: Database, query: DeskQuery, limit: number): string[] {
  const [from, ...keys] = sourceOf(query);
  return findIds(db, { id: "d.booking_id", from }, [...keys, ...conditionsOf(query)], limit);
}

/** Conditions of a list, none of which is needed. */
export type ListQuery = Pick<
  DeskQuery,
  "tenant_id" | "mode" | "property_ids" | "state" | "check_in"
>;

/** Where a list of bookings goes on: after this one, which the caller has seen. */
export interface AfterBooking {
  readonly booking_id: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
}

/**
 * Ids of the first `limit` matching bookings, the last made first; `after` continues a list.
 * Without dates it walks the index of the tenant by creation, from there on.
 */
export function listBookings(
  db: Database,
  query: ListQuery,
  after: AfterBooking | null,
  limit: number,
): string[] {
  const isAtHotel = query.property_ids !== null;
  const index = query.check_in ? (isAtHotel ? "house" : "stay") : "created_at";
  const conditions = conditionsOf(query);
  if (after) {
    conditions.push([
      "(d.created_at, d.booking_id) < (?, ?)",
      ...([after.created_at, after.booking_id] as const),
    ]);
  }
  const where = conditions.map(([sql]) => sql).join(" AND ");
  return db
    .query<{ id: string }, SQLQueryBindings[]>(
      `SELECT d.booking_id AS id FROM desk d INDEXED BY desk_${index} WHERE ${where}
       ORDER BY d.created_at DESC, d.booking_id DESC LIMIT ?`,
    )
    .all(...conditions.flatMap(([, ...values]) => values), limit)
    .map(({ id }) => id);
}
