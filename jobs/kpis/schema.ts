/**
 * Tables of `kpi.db`, which the worker writes and every api process reads. Each ledger has totals
 * up to `place` in chunks of days, and deltas by mark (a page of the journal; for supply a row).
 * Figures as of an earlier row are the totals minus later deltas.
 */
import type { Database } from "bun:sqlite";
import { openStoreFile } from "../../src/lib/store-file.ts";
import { LEDGERS, type LedgerName } from "./measures.ts";

const FORMAT = 1;
const BUSY_TIMEOUT_MS = 5_000;

export const LEDGER_NAMES = Object.keys(LEDGERS) as LedgerName[];

function tablesOf(ledger: LedgerName): string {
  const { keys, measures } = LEDGERS[ledger];
  const texts = keys.map((key) => `${key} TEXT NOT NULL, `).join("");
  const numbers = measures.map((measure) => `${measure} INTEGER NOT NULL`).join(", ");
  return `
  CREATE TABLE ${ledger}_total (
    property INTEGER NOT NULL, chunk INTEGER NOT NULL, ${texts} sums BLOB NOT NULL,
    PRIMARY KEY (${["property", "chunk", ...keys].join(", ")})
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ${ledger}_delta (
    property INTEGER NOT NULL, mark INTEGER NOT NULL, day INTEGER NOT NULL, ${texts} ${numbers},
    PRIMARY KEY (${["property", "mark", "day", ...keys].join(", ")})
  ) STRICT, WITHOUT ROWID;`;
}

const TABLES = `
  CREATE TABLE place (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    row INTEGER NOT NULL,
    chain TEXT NOT NULL
  ) STRICT;
  CREATE TABLE property (
    property INTEGER PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    property_id TEXT NOT NULL,
    supply TEXT,
    UNIQUE (tenant_id, mode, property_id)
  ) STRICT;
  CREATE TABLE page (
    page INTEGER PRIMARY KEY,
    first_at INTEGER NOT NULL
  ) STRICT;
  ${LEDGER_NAMES.map(tablesOf).join("\n")}`;

/**
 * Opens or creates the file at `path`, as `openStoreFile` does.
 *
 * @throws StartRefused when the file is damaged or has another format.
 */
export function openKpis(path: string): Database {
  return openStoreFile(path, {
    ...{ tables: TABLES, format: FORMAT, synchronous: "normal", busyTimeoutMs: BUSY_TIMEOUT_MS },
    isRecreated: true,
    isLocal: true,
  });
}
