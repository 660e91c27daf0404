/**
 * The tables of `feeds.db`: which partner feeds are kept, the runs that build them, and what of
 * them is published. The worker writes it as it builds, the api processes when a feed is asked for.
 * It is in no back-up: what it tells is built again from the journal.
 */
import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { NewerFormat } from "../newer-format.ts";

const FORMAT = 1;
const BUSY_TIMEOUT_MS = 2_000;
/** Several processes may open a new file at once, and switching to WAL needs it exclusively. */
const OPEN_TIMEOUT_MS = 5_000;

/**
 * A feed has at most one run that is queued and one that is running: the indexes say so, whoever
 * asks. Instants are engine time, epoch milliseconds.
 */
const FORMAT_1 = `
  CREATE TABLE feed (
    tenant_id TEXT NOT NULL,
    partner TEXT NOT NULL,
    published_run TEXT,
    asked_at INTEGER NOT NULL,
    next_nightly_at INTEGER,
    PRIMARY KEY (tenant_id, partner)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE run (
    run_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    partner TEXT NOT NULL,
    trigger TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'published', 'failed')),
    accept_shrink INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    phase TEXT,
    progress REAL NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    journal_id TEXT,
    seq INTEGER,
    row INTEGER,
    at INTEGER,
    listings INTEGER,
    manifest TEXT,
    reason TEXT,
    detail TEXT,
    request_key TEXT,
    is_told INTEGER NOT NULL DEFAULT 0,
    CHECK ((ended_at IS NULL) = (state IN ('queued', 'running'))),
    CHECK ((reason IS NULL) = (state <> 'failed'))
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX run_queued ON run (tenant_id, partner) WHERE state = 'queued';
  CREATE UNIQUE INDEX run_running ON run (tenant_id, partner) WHERE state = 'running';
  CREATE UNIQUE INDEX run_asked ON run (request_key) WHERE request_key IS NOT NULL;
  CREATE INDEX run_of_feed ON run (tenant_id, partner, run_id);
  CREATE INDEX run_open ON run (run_id) WHERE ended_at IS NULL;
  CREATE INDEX run_untold ON run (run_id) WHERE ended_at IS NOT NULL AND is_told = 0;
  CREATE TABLE accuracy (
    tenant_id TEXT NOT NULL,
    partner TEXT NOT NULL,
    checked_at INTEGER NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (tenant_id, partner)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the file, making it when it is missing, readable by nobody else.
 *
 * @param synchronous `full` for whoever promises a run to an operator; a commit that the worker
 *   loses with the power costs a build.
 * @throws NewerFormat, and what SQLite says of a file that is none of its own.
 */
export function openFeeds(path: string, synchronous: "normal" | "full"): Database {
  // What SQLite puts beside a file has the rights of the file.
  closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { strict: true });
  try {
    db.run(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`);
    db.run("PRAGMA journal_mode = WAL");
    db.run(`PRAGMA synchronous = ${synchronous}`);
    db.transaction(() => bringUp(db, path)).immediate();
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function bringUp(db: Database, path: string): void {
  const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  const format = found?.user_version ?? 0;
  if (format === FORMAT) return;
  if (format > FORMAT) throw new NewerFormat(path, format, FORMAT);
  db.run(FORMAT_1);
  db.run(`PRAGMA user_version = ${FORMAT}`);
}
