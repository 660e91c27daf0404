/**
 * Tables of `deliveries.db`, written by the worker and by api processes for operators. Deliveries
 * and the journal position they were derived up to are in one file, so a crash cannot separate
 * them. Bodies are not stored: each attempt makes them from the journal.
 */
import type { Database } from "bun:sqlite";
import { openStoreFile } from "../../../src/lib/store-file.ts";

const FORMAT = 1;
/** The worker does not block on an operator's commit, it retries; an api process waits. */
const BUSY_TIMEOUT_MS = { normal: 50, full: 2_000 } as const;

const FORMAT_1 = `
  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE waypoint (
    row INTEGER PRIMARY KEY,
    chain TEXT NOT NULL
  ) STRICT;
  CREATE TABLE progress (
    endpoint_id TEXT PRIMARY KEY,
    row INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    ordering TEXT NOT NULL,
    failing_since INTEGER,
    failed_at INTEGER
  ) STRICT;
  CREATE TABLE refill (
    refill_id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    row INTEGER NOT NULL,
    found INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    done_at INTEGER
  ) STRICT;
  CREATE TABLE recovery (
    recovery_id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    filter TEXT NOT NULL,
    total INTEGER NOT NULL,
    replayed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    done_at INTEGER,
    request_key TEXT UNIQUE
  ) STRICT;
  CREATE INDEX recovery_open ON recovery (recovery_id) WHERE done_at IS NULL;
  CREATE TABLE delivery (
    delivery_id TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    row INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    prev_seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    property_id TEXT,
    event_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN
      ('pending', 'in_flight', 'scheduled', 'succeeded', 'dead_lettered', 'cancelled')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    reason TEXT,
    last_status INTEGER,
    settled_at INTEGER,
    replay_of TEXT,
    replayed_as TEXT,
    trigger TEXT NOT NULL,
    after_dead_letter TEXT,
    note TEXT,
    request_key TEXT,
    is_lost INTEGER NOT NULL DEFAULT 0,
    CHECK (next_attempt_at IS NULL OR state IN ('pending', 'scheduled')),
    CHECK ((settled_at IS NULL) = (state IN ('pending', 'in_flight', 'scheduled')))
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX delivery_once ON delivery (endpoint_id, seq)
    WHERE replay_of IS NULL AND is_lost = 0;
  CREATE UNIQUE INDEX delivery_asked ON delivery (request_key) WHERE request_key IS NOT NULL;
  CREATE INDEX delivery_of_realm ON delivery (tenant_id, mode, delivery_id);
  CREATE INDEX delivery_of_endpoint ON delivery (endpoint_id, delivery_id);
  CREATE INDEX delivery_of_event ON delivery (webhook_id);
  CREATE INDEX delivery_due ON delivery (endpoint_id, next_attempt_at, seq)
    WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX delivery_open ON delivery (endpoint_id, subject, seq)
    WHERE state IN ('pending', 'in_flight', 'scheduled');
  CREATE INDEX delivery_oldest ON delivery (endpoint_id, delivery_id)
    WHERE state IN ('pending', 'in_flight', 'scheduled');
  CREATE INDEX delivery_in_flight ON delivery (delivery_id) WHERE state = 'in_flight';
  CREATE INDEX delivery_dead ON delivery (delivery_id)
    WHERE state = 'dead_lettered' AND replayed_as IS NULL;
  CREATE INDEX delivery_dead_of_endpoint ON delivery (endpoint_id, delivery_id)
    WHERE state = 'dead_lettered' AND replayed_as IS NULL;
  CREATE INDEX delivery_dead_of_realm ON delivery (tenant_id, mode, delivery_id)
    WHERE state = 'dead_lettered' AND replayed_as IS NULL;
  CREATE TABLE attempt (
    delivery_id TEXT NOT NULL,
    nth INTEGER NOT NULL,
    at INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    reason TEXT,
    status INTEGER,
    address TEXT,
    request_id TEXT NOT NULL,
    request_headers TEXT NOT NULL,
    response_headers TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    PRIMARY KEY (delivery_id, nth)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE hourly (
    endpoint_id TEXT NOT NULL,
    hour INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    dead_lettered INTEGER NOT NULL DEFAULT 0,
    latency_ms INTEGER NOT NULL DEFAULT 0,
    latency_ms_max INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (endpoint_id, hour)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the file, as `openStoreFile` does.
 *
 * @param synchronous `full`: every commit survives a power cut; needed where a client receives a
 *   promise. With `normal` the worker repeats the commits that it lost.
 */
export function openDeliveries(path: string, synchronous: "normal" | "full"): Database {
  const busyTimeoutMs = BUSY_TIMEOUT_MS[synchronous];
  const file = { tables: FORMAT_1, format: FORMAT, synchronous, busyTimeoutMs };
  return openStoreFile(path, { ...file, isOfWorker: true });
}
