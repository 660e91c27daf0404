/**
 * Tables of `feeds.db`: feeds, their runs, and what is published. The worker and api processes
 * write it. It is not in back-ups, because feeds can be rebuilt from the journal.
 */
import type { Database } from "bun:sqlite";
import { openStoreFile } from "../../src/lib/store-file.ts";

const FORMAT = 1;
const BUSY_TIMEOUT_MS = 2_000;

/**
 * Unique indexes allow a feed one queued and one running run. Instants are engine time, epoch
 * milliseconds.
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
 * Opens the file, as `openStoreFile` does.
 *
 * @param synchronous `full` where an operator is promised a run; the worker repeats a build whose
 *   commit is lost.
 */
export function openFeeds(path: string, synchronous: "normal" | "full"): Database {
  const file = { tables: FORMAT_1, format: FORMAT, busyTimeoutMs: BUSY_TIMEOUT_MS };
  return openStoreFile(path, { ...file, synchronous, isRecreated: true, isLocal: true });
}
