/**
 * Checks that the projections are as written: reads every record once, and the records that it
 * refers to.
 */
import type { Database } from "bun:sqlite";
import type { Log } from "../../../src/lib/service.ts";
import { RecordDamaged, type RecordsByKind } from "../../core/record-damage.ts";
import { deskProblems } from "../desk-index.ts";
import { RecordReaderOn } from "../record-reader.ts";
import {
  KINDS,
  readRecord,
  STORED_KINDS,
  type StoredKind,
  type StoredRecord,
  selectOf,
} from "../stored-record.ts";
import { REMEDIES, readingJournal } from "./damage.ts";
import { findingsIn, relist } from "./quarantine.ts";

const PAGE_RECORDS = 256;
/** With more records a start does not check all (5 µs each). */
const CHECKED_RECORDS_MAX = 200_000;
/** Damaged records named in the log. */
const NAMED_MAX = 20;
/** Stands for a whole table when its indexes are damaged. */
const ALL_OF_TABLE = "*";

/** The records that a record refers to and that must exist. */
const REFERENCES = {
  hold: () => [],
  booking: ({ hold_id, payment_id, refund_ids }) => [
    ["hold", hold_id],
    ["payment", payment_id],
    ...refund_ids.map((id) => ["refund", id] as const),
  ],
  // Its hold may still be open and then is only in memory.
  payment: () => [],
  refund: ({ payment_id, booking_id }) => [
    ["payment", payment_id],
    ["booking", booking_id],
  ],
  // Its booking exists only once the payment has succeeded.
  authorization: () => [],
  incident: () => [],
} satisfies {
  readonly [K in StoredKind]: (
    record: RecordsByKind[K],
  ) => readonly (readonly [kind: StoredKind, id: string | null])[];
};

/**
 * Reads every record, and checks that the indexes lead to it. Returns the number of records.
 *
 * @throws RecordDamaged for the first damaged one; the remedy is `rebuildProjections`.
 */
export function checkProjections(db: Database): number {
  return readAll(db, (damage) => {
    throw damage;
  });
}

/** All damaged records. */
export function damagedRecords(db: Database): RecordDamaged[] {
  const found: RecordDamaged[] = [];
  readAll(db, (damage) => void found.push(damage));
  return found;
}

/**
 * Quarantines the damaged records at a start. They fail only the calls that need them. With more
 * than 200,000 records it reads only those that were quarantined before.
 */
export function listDamaged(db: Database, stampMs: number, log: Log): void {
  const records = countRecords(db);
  const isSmall = records <= CHECKED_RECORDS_MAX;
  if (!isSmall) log("info", "too many records for a check at the start", { records });
  relist(db, isSmall ? damagedRecords(db) : stillDamaged(db), stampMs);
  const damaged = findingsIn(db);
  if (damaged.length === 0) return;
  const named = damaged.slice(0, NAMED_MAX).map(({ kind, id, problem }) => ({ kind, id, problem }));
  const remedy = REMEDIES.record_damaged;
  log("error", "records are damaged", { count: damaged.length, damaged: named, remedy });
}

/** Quarantined records that are still damaged. */
export function stillDamaged(db: Database): RecordDamaged[] {
  const reader = new RecordReaderOn(db);
  return findingsIn(db).flatMap(({ kind, id, problem }) => {
    if (kind === "subject_key") return [];
    if (id === ALL_OF_TABLE) return checkIndexes(db, kind);
    try {
      return reader[kind](id) ? [] : [new RecordDamaged(kind, id, problem)];
    } catch (error) {
      if (error instanceof RecordDamaged) return [error];
      throw error;
    }
  });
}

/** The approximate number of records. */
function countRecords(db: Database): number {
  const most = STORED_KINDS.map(
    (kind) => `coalesce((SELECT max(rowid) FROM ${KINDS[kind].table}), 0)`,
  );
  return db.query<{ count: number }, []>(`SELECT ${most.join(" + ")} AS count`).get()!.count;
}

function readAll(db: Database, onDamage: (damage: RecordDamaged) => void): number {
  return readingJournal(() => {
    const present = new Set<string>();
    const named = new Map<string, readonly [StoredKind, string]>();
    const damaged = new Set<string>();
    for (const kind of STORED_KINDS) {
      for (const damage of checkIndexes(db, kind)) onDamage(damage);
      for (const stored of pages(db, kind)) {
        present.add(`${kind}:${stored.id}`);
        try {
          for (const [of, id] of referencesOf(kind, readRecord(kind, stored.id, stored))) {
            if (id !== null) named.set(`${of}:${id}`, [of, id]);
          }
        } catch (error) {
          if (!(error instanceof RecordDamaged)) throw error;
          damaged.add(stored.id);
          onDamage(error);
        }
      }
    }
    for (const id of deskProblems(db)) {
      // For a damaged booking the right row is unknown.
      if (!damaged.has(id))
        onDamage(new RecordDamaged("booking", id, "has no row in the desk index"));
    }
    for (const [name, [kind, id]] of named) {
      if (!present.has(name)) onDamage(new RecordDamaged(kind, id, "is missing"));
    }
    return present.size;
  });
}

function referencesOf<K extends StoredKind>(kind: K, record: RecordsByKind[K]) {
  const of = REFERENCES[kind] as (
    record: RecordsByKind[K],
  ) => readonly (readonly [kind: StoredKind, id: string | null])[];
  return of(record);
}

function* pages(db: Database, kind: StoredKind): Generator<StoredRecord> {
  const select = selectOf(kind).replace("SELECT ", "SELECT rowid AS at, ");
  const page = db.prepare<StoredRecord & { readonly at: number }, [number, number]>(
    `${select} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  for (let last = 0; ; ) {
    const records = page.all(last, PAGE_RECORDS);
    yield* records;
    if (records.length < PAGE_RECORDS) return;
    last = records.at(-1)!.at;
  }
}

function checkIndexes(db: Database, kind: StoredKind): RecordDamaged[] {
  const verdict = db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${KINDS[kind].table})`)
    .all()
    .map((line) => line.integrity_check);
  return verdict.join() === "ok" ? [] : [new RecordDamaged(kind, ALL_OF_TABLE, `${verdict[0]}`)];
}
