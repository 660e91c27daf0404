/**
 * A record as the projections store it, and how it is checked: its CRC, the columns that repeat
 * members, and the shape that the code needs.
 */
import { RecordDamaged, type RecordsByKind } from "../core/record-damage.ts";
import type { Booking, Payment, Refund } from "../core/records.ts";
import { AUTHORIZATION_COLUMNS } from "./authorization-index.ts";
import { INCIDENT_COLUMNS } from "./incident-index.ts";
import { crcOf } from "./stored-row.ts";

export type StoredKind = keyof RecordsByKind;

interface Kind<T> {
  readonly table: string;
  readonly id: keyof T & string;
  /** The member of the document that each column beside the id repeats. */
  readonly columns: Readonly<Record<string, (record: T) => string | number>>;
  readonly texts: readonly (keyof T)[];
  readonly numbers: readonly (keyof T)[];
  readonly objects: readonly (keyof T)[];
  readonly lists: readonly (keyof T)[];
}

const OWNED = ["tenant_id", "mode", "agent_id", "state"] as const;

export const KINDS: { readonly [K in StoredKind]: Kind<RecordsByKind[K]> } = {
  hold: {
    table: "holds",
    id: "hold_id",
    columns: {},
    texts: OWNED,
    numbers: ["created_at", "expires_at", "extensions"],
    objects: ["quote"],
    lists: ["rows"],
  },
  booking: {
    table: "bookings",
    id: "booking_id",
    columns: {
      tenant_id: (booking: Booking) => booking.tenant_id,
      confirmation_code: (booking: Booking) => booking.confirmation_code,
      room_type_id: (booking: Booking) => booking.quote.room_type_id,
      state: (booking: Booking) => booking.state,
    },
    texts: [...OWNED, "confirmation_code", "hold_id", "property_id", "key"],
    numbers: ["version", "created_at"],
    objects: ["quote", "traveler", "encrypted"],
    lists: ["refund_ids", "receipts", "history", "rows"],
  },
  payment: {
    table: "payments",
    id: "payment_id",
    columns: { state: (payment: Payment) => payment.state },
    texts: [...OWNED, "hold_id", "booking_id", "property_id", "currency", "key"],
    numbers: ["amount", "attempt", "refunded", "created_at"],
    objects: ["actor", "traveler", "encrypted"],
    lists: [],
  },
  refund: {
    table: "refunds",
    id: "refund_id",
    // A failed refund that was repeated waits for nothing: it leaves the index of open refunds.
    columns: { state: ({ state, retried_by }: Refund) => (retried_by ? "retried" : state) },
    texts: [...OWNED, "payment_id", "property_id", "currency", "reason"],
    numbers: ["amount", "created_at"],
    objects: [],
    lists: [],
  },
  authorization: {
    table: "authorizations",
    id: "authorization_id",
    columns: AUTHORIZATION_COLUMNS,
    texts: [...OWNED, "property_id", "room_type_id", "currency"],
    numbers: ["max_amount", "created_at", "expires_at"],
    objects: ["stay", "guests", "requested_by"],
    lists: [],
  },
  incident: {
    table: "oversell_incidents",
    id: "incident_id",
    columns: INCIDENT_COLUMNS,
    texts: [...OWNED, "property_id", "room_type_id", "from", "until", "cause"],
    numbers: ["created_at", "updated_at"],
    objects: ["opened_by"],
    lists: ["detected", "actions"],
  },
};
export const STORED_KINDS = Object.keys(KINDS) as readonly StoredKind[];

/** A value for each kind. */
export function perKind<T>(make: (kind: StoredKind) => T): Readonly<Record<StoredKind, T>> {
  return Object.fromEntries(STORED_KINDS.map((kind) => [kind, make(kind)])) as Record<
    StoredKind,
    T
  >;
}

/** `id`, `doc`, `crc` and the columns of the kind's table. */
export type StoredRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly doc: string;
  readonly crc: number;
};

/** The select list of a kind's table for a `StoredRecord`. */
export function selectOf(kind: StoredKind): string {
  const { table, columns } = KINDS[kind];
  return `SELECT ${["id", "doc", "crc", ...Object.keys(columns)].join(", ")} FROM ${table}`;
}

/**
 * The record stored under `id`.
 *
 * @throws RecordDamaged when it is altered.
 */
export function readRecord<K extends StoredKind>(
  kind: K,
  id: string,
  stored: StoredRecord,
): RecordsByKind[K] {
  const { columns, id: idName, texts, numbers, objects, lists } = KINDS[kind];
  const damaged = (problem: string) => new RecordDamaged(kind, id, problem);
  if (crcOf(stored.doc) !== stored.crc) throw damaged("does not match its CRC");
  const record = parsed<RecordsByKind[K]>(stored.doc);
  if (record === null) throw damaged("is no JSON object");
  if (record[idName] !== id || stored.id !== id) throw damaged("is another record");
  const is = (name: keyof RecordsByKind[K], type: string) => typeof record[name] === type;
  const isShaped =
    texts.every((name) => is(name, "string")) &&
    numbers.every((name) => Number.isSafeInteger(record[name])) &&
    objects.every((name) => is(name, "object") && record[name] !== null) &&
    lists.every((name) => Array.isArray(record[name]));
  if (!isShaped) throw damaged("lacks what every such record has");
  for (const [name, of] of Object.entries(columns)) {
    if (stored[name] !== of(record)) throw damaged(`differs from its column ${name}`);
  }
  return record;
}

function parsed<T>(doc: string): T | null {
  try {
    const value = JSON.parse(doc) as T | null;
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
