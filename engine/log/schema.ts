/**
 * Tables of a shard's database. The journal is the truth; the others are projections of it, written
 * in the same transaction, and can be rebuilt, except `subject_keys`. Documents are JSON; indexed
 * members are repeated in columns. Tables with documents have row ids: without them SQLite would
 * give every document above a kilobyte an overflow page.
 */
import { Database } from "bun:sqlite";
import { AUTHORIZATION_TABLES } from "./authorization-index.ts";
import { DESK_TABLES } from "./desk-index.ts";
import { INCIDENT_TABLES } from "./incident-index.ts";

/** Incremented when stored bytes change meaning; a journal of another format is refused. */
export const JOURNAL_FORMAT = 1;

/** How long the writer waits for a lock. */
export const WRITER_BUSY_MS = 5_000;

/** When SQLite syncs, as it numbers that. */
const LEVELS = { NORMAL: 1, FULL: 2 } as const;

/** Ids sort by creation, so the indexes of open payments and refunds can start at any instant. */
const TABLES = `
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE journal(
  row INTEGER PRIMARY KEY,
  key BLOB,
  payload BLOB NOT NULL,
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
CREATE INDEX payments_open ON payments(state, id) WHERE state IN ('pending', 'unknown');
CREATE TABLE refunds(
  id TEXT PRIMARY KEY, state TEXT NOT NULL, doc TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
CREATE INDEX refunds_open ON refunds(state, id) WHERE state IN ('pending', 'failed');
CREATE TABLE subject_keys(
  booking_id TEXT PRIMARY KEY,
  wrapped_key TEXT NOT NULL,
  email_hash TEXT NOT NULL,
  name_hash TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX subject_email ON subject_keys(email_hash);
CREATE INDEX subject_name ON subject_keys(name_hash);
CREATE TABLE quarantine(
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  problem TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID;
${DESK_TABLES}`;

/**
 * Tables that came after 0.3.0, in their order. `user_version` counts those that a database has: it
 * tells a table that is new from one that is lost.
 */
const ADDED_TABLES = [AUTHORIZATION_TABLES, INCIDENT_TABLES];

/**
 * Opens the shard's database for the one writer: WAL, an fsync in every commit (`FULL`) or in every
 * checkpoint (`NORMAL`), checkpoints only by the engine (a checkpoint by another process lets the
 * WAL grow without bound).
 *
 * @throws Error when SQLite does not accept a pragma.
 */
export function openForWriting(path: string, synchronous: keyof typeof LEVELS = "FULL"): Database {
  const db = new Database(path, { create: true, strict: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run(`PRAGMA synchronous = ${synchronous}`);
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run(`PRAGMA busy_timeout = ${WRITER_BUSY_MS}`);
  db.run("PRAGMA temp_store = MEMORY");
  db.run("PRAGMA secure_delete = ON");
  const level = db.query<{ synchronous: number }, []>("PRAGMA synchronous").get()?.synchronous;
  if (level !== LEVELS[synchronous]) {
    throw new Error(`sqlite did not accept synchronous = ${synchronous}`);
  }
  const { count } = db
    .query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema")
    .get()!;
  // All tables or none: a table that is missing later is damage, not to be created again.
  const isNew = count === 0;
  const missing = missingTables(db);
  if (missing.length > 0) {
    db.transaction(() => {
      if (isNew) db.run(TABLES);
      for (const tables of missing) db.run(tables);
      db.run(`PRAGMA user_version = ${ADDED_TABLES.length}`);
    }).immediate();
  }
  return db;
}

/** Opens the shard's database for a reader; never writes, never checkpoints. */
export function openForReading(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("PRAGMA busy_timeout = 250");
  // Data that only 0.3.0 has written, such as a back-up: read as if it had the empty tables.
  for (const tables of missingTables(db)) {
    db.run(tables.replaceAll(/CREATE (TABLE|INDEX) /g, "$&temp."));
  }
  return db;
}

/** False for a database of 0.3.0 that no later engine has opened. */
export function hasAllTables(db: Database): boolean {
  return missingTables(db).length === 0;
}

function missingTables(db: Database): string[] {
  const sql = "PRAGMA user_version";
  const { user_version } = db.query<{ user_version: number }, []>(sql).get()!;
  return ADDED_TABLES.slice(user_version);
}
