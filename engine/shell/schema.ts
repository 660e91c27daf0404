/**
 * Tables of one shard's database. The journal is the truth; the others are projections of it,
 * written in the same transaction, and can be rebuilt. Documents are JSON; what needs an index is a
 * column beside it. Tables with documents have row ids: without them SQLite would give every
 * document of more than a kilobyte an overflow page of its own.
 */
import { Database } from "bun:sqlite";
import { DESK_INDEXES, DESK_TABLES, fillDesk } from "./desk-index.ts";

/**
 * Bumped when a stored row changes meaning; a journal of another format is refused by name. Rows of
 * format 1 are read in the words of today (`stored-words.ts`), those of format 2 know no corrected
 * clock, accepted loss or agent in the scope of a key, those of format 3 no property that is
 * changed, suspended, archived or deleted, those of format 4 no tree that is told by its
 * difference, those of format 5 no block of several rows and no segment, those of format 6 no block
 * that is packed. A journal is of the newest
 * format from the first engine on that may write to it, so that no older one reads what it would
 * misunderstand.
 */
export const JOURNAL_FORMAT = 7;
export const READABLE_FORMATS: readonly string[] = [
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  String(JOURNAL_FORMAT),
];

/**
 * A payload is bytes (`payload.ts`), written and read by a CAST, which changes none: it is called a
 * text because it was one up to format 6, and a strict table cannot call a column anything else
 * later.
 */
const TABLES = `
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE journal(
  row INTEGER PRIMARY KEY,
  key BLOB,
  payload TEXT NOT NULL,
  crc INTEGER NOT NULL,
  chain TEXT NOT NULL) STRICT;
CREATE TABLE holds(id TEXT PRIMARY KEY, doc TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
CREATE TABLE bookings(
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  confirmation_code TEXT NOT NULL,
  room_type_id TEXT NOT NULL,
  state TEXT NOT NULL,
  doc TEXT NOT NULL,
  crc INTEGER NOT NULL) STRICT;
CREATE UNIQUE INDEX bookings_code ON bookings(tenant_id, confirmation_code);
CREATE INDEX bookings_sold ON bookings(room_type_id) WHERE state <> 'cancelled';
CREATE TABLE payments(
  id TEXT PRIMARY KEY, state TEXT NOT NULL, doc TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
CREATE TABLE refunds(
  id TEXT PRIMARY KEY, state TEXT NOT NULL, doc TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
CREATE TABLE subject_keys(booking_id TEXT PRIMARY KEY, wrapped_key TEXT NOT NULL)
  STRICT, WITHOUT ROWID;
`;

/**
 * What has come since the first release; made at every opening by the writer, on files of any age.
 * Ids sort by creation, so that what is open is found from any instant on without reading the rest.
 */
const SINCE = `
DROP INDEX IF EXISTS payments_due;
DROP INDEX IF EXISTS refunds_due;
DROP INDEX IF EXISTS bookings_room;
CREATE INDEX IF NOT EXISTS bookings_sold ON bookings(room_type_id) WHERE state <> 'cancelled';
CREATE INDEX IF NOT EXISTS payments_open ON payments(state, id)
  WHERE state IN ('pending', 'unknown');
CREATE INDEX IF NOT EXISTS refunds_open ON refunds(state, id)
  WHERE state IN ('pending', 'failed');
CREATE TABLE IF NOT EXISTS quarantine(
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  problem TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the shard's database for the one writer: WAL, an fsync in every commit, checkpoints only
 * when the engine says so (a checkpoint by anyone else lets the WAL grow without bound).
 *
 * @throws Error when a pragma does not take.
 */
export function openForWriting(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA temp_store = MEMORY");
  db.run("PRAGMA secure_delete = ON");
  const synchronous = db.query<{ synchronous: number }, []>("PRAGMA synchronous").get();
  if (synchronous?.synchronous !== 2) throw new Error("sqlite did not accept synchronous = FULL");
  const { count } = db
    .query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema")
    .get()!;
  // All tables or none: a table that is missing later is damage, not something to make anew.
  if (count === 0) db.transaction(() => db.run(TABLES)).immediate();
  if (!isUpToDate(db)) db.transaction(() => bringUpToDate(db)).immediate();
  return db;
}

/** Whether nothing of `SINCE` is to be done: opening writes only when it must. */
function isUpToDate(db: Database): boolean {
  const names = ["payments_open", "refunds_open", "quarantine", "bookings_sold"];
  names.push("desk", "desk_stay", "desk_house");
  return names.every((name) => isThere(db, name));
}

function isThere(db: Database, name: string): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== null;
}

function bringUpToDate(db: Database): void {
  db.run(SINCE);
  if (!isThere(db, "desk")) {
    db.run(DESK_TABLES);
    fillDesk(db);
  }
  db.run(DESK_INDEXES);
}

/** Opens the shard's database for a reader; never writes, never checkpoints. */
export function openForReading(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("PRAGMA busy_timeout = 250");
  return db;
}
