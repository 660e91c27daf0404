/**
 * The tables of `control.db`: tenants, agents, credentials, delegation issuers, signing keys,
 * revoked tokens, outcomes of keyed admin calls, notices on their way, webhook endpoints, flags.
 * Writes are rare and made by whichever process serves the call; every request reads the in-memory
 * `ControlView` instead. A credential's secret appears only as its peppered hash; private keys,
 * stored answers and what webhooks are signed and sent with only encrypted.
 */
import { Database } from "bun:sqlite";
import { openingFile } from "../base/damaged-file.ts";
import { refusedStart } from "../base/refused-starts.ts";
import { CHECKED_TABLES, stampAll } from "./checked-rows.ts";

/** Fixed statement texts on one connection are fewer; past this bun compiles anew on every use. */
Database.MAX_QUERY_CACHE_SIZE = 64;

const BUSY_TIMEOUT_MS = 250;
/** Several processes may open a new file at once, and switching to WAL needs it exclusively. */
const OPEN_TIMEOUT_MS = 5000;

const FORMAT_1 = `
  CREATE TABLE IF NOT EXISTS meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tenant (
    tenant_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS agent (
    agent_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'operator', 'service', 'partner')),
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    state TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'revoked')),
    scopes TEXT NOT NULL,
    property_ids TEXT,
    limits TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS credential (
    credential_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agent,
    secret_hash TEXT NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'retiring', 'revoked')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    retire_at INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS issuer (
    issuer_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant,
    iss TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
    jwks_url TEXT,
    jwks TEXT,
    allowed_audiences TEXT NOT NULL,
    allowed_algs TEXT NOT NULL,
    max_ttl_s INTEGER NOT NULL,
    clock_skew_s INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (tenant_id, iss),
    CHECK ((jwks_url IS NULL) <> (jwks IS NULL))
  ) STRICT;
`;

const FORMAT_2 = `
  ALTER TABLE agent ADD COLUMN contact TEXT;
  ALTER TABLE agent ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE credential ADD COLUMN last_used_at INTEGER;
  ALTER TABLE issuer ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  CREATE TABLE signing_key (
    kid TEXT PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('access_token', 'agent_card')),
    private_sealed TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    signs_from INTEGER NOT NULL,
    published_until INTEGER
  ) STRICT;
  CREATE TABLE revoked_token (
    jti TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE keyed_outcome (
    command_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE notice (
    notice_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    notice TEXT NOT NULL
  ) STRICT;
  CREATE INDEX keyed_outcome_by_age ON keyed_outcome (created_at);
  CREATE INDEX credential_by_agent ON credential (agent_id);
`;

/** One word for privacy: what is sealed is an answer under its idempotency key. */
const FORMAT_3 = `
  ALTER TABLE signing_key RENAME COLUMN private_sealed TO private_encrypted;
  ALTER TABLE keyed_outcome RENAME COLUMN sealed TO encrypted;
`;

/**
 * Issuers belong to a mode too. One of before was trusted by both and goes on being so: the live
 * one keeps its id, its twin in mode test gets its own. A revoked `iss` can be registered anew.
 */
const FORMAT_4 = `
  ALTER TABLE issuer RENAME TO issuer_of_both_modes;
  CREATE TABLE issuer (
    issuer_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant,
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    iss TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
    jwks_url TEXT,
    jwks TEXT,
    allowed_audiences TEXT NOT NULL,
    allowed_algs TEXT NOT NULL,
    max_ttl_s INTEGER NOT NULL,
    clock_skew_s INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    CHECK ((jwks_url IS NULL) <> (jwks IS NULL))
  ) STRICT;
  INSERT INTO issuer SELECT issuer_id, tenant_id, 'live', iss, name, status, jwks_url, jwks,
    allowed_audiences, allowed_algs, max_ttl_s, clock_skew_s, created_at, version
    FROM issuer_of_both_modes;
  INSERT INTO issuer SELECT 'iss_' || lower(hex(randomblob(16))), tenant_id, 'test', iss, name,
    status, jwks_url, jwks, allowed_audiences, allowed_algs, max_ttl_s, clock_skew_s, created_at,
    version FROM issuer_of_both_modes;
  DROP TABLE issuer_of_both_modes;
  CREATE UNIQUE INDEX issuer_in_use ON issuer (tenant_id, mode, iss) WHERE status <> 'revoked';
`;

/**
 * What `ControlView` has to read again, numbered as it happens: one row per agent, credential or
 * issuer. When a credential was last used is no news to it.
 */
const FORMAT_5 = `
  CREATE TABLE news (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'credential', 'issuer')),
    nth INTEGER NOT NULL UNIQUE
  ) STRICT;
  CREATE INDEX issuer_by_name ON issuer (tenant_id, mode, iss);
  ${newsOf("agent", "AFTER INSERT")}
  ${newsOf("agent", "AFTER UPDATE")}
  ${newsOf("credential", "AFTER INSERT")}
  ${newsOf("credential", "AFTER UPDATE OF state, expires_at, retire_at")}
  ${newsOf("issuer", "AFTER INSERT")}
  ${newsOf("issuer", "AFTER UPDATE")}
`;

function newsOf(kind: "agent" | "credential" | "issuer", when: string): string {
  const name = `news_of_${kind}_${when.includes("INSERT") ? "made" : "changed"}`;
  return `CREATE TRIGGER ${name} ${when} ON ${kind} BEGIN
    INSERT INTO news (id, kind, nth)
      VALUES (NEW.${kind}_id, '${kind}', (SELECT ifnull(max(nth), 0) + 1 FROM news))
      ON CONFLICT (id) DO UPDATE SET nth = excluded.nth;
  END;`;
}

const NEWS_TRIGGERS = ["agent", "credential", "issuer"].flatMap((kind) => {
  return [`news_of_${kind}_made`, `news_of_${kind}_changed`];
});

/**
 * Where tenants want their events. The count of changes tells `EndpointBook` that one was made,
 * without a look at the endpoints themselves; a deleted one leaves nothing else behind.
 */
const FORMAT_6 = `
  CREATE TABLE webhook_endpoint (
    endpoint_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant,
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    url TEXT NOT NULL,
    description TEXT,
    kinds TEXT,
    property_ids TEXT,
    subjects TEXT,
    headers TEXT NOT NULL,
    secrets TEXT NOT NULL,
    scopes TEXT NOT NULL,
    max_in_flight INTEGER NOT NULL,
    max_per_s INTEGER,
    ordering TEXT NOT NULL CHECK (ordering IN ('none', 'per_subject')),
    state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
    reason TEXT,
    ping TEXT,
    disabled_at INTEGER,
    after_row INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    CHECK ((state = 'active') = (reason IS NULL))
  ) STRICT;
  CREATE INDEX webhook_endpoint_by_realm ON webhook_endpoint (tenant_id, mode);
  INSERT INTO meta (name, value) VALUES ('webhook_endpoint_changes', '0');
  ${["INSERT", "UPDATE", "DELETE"].map(countOfChanges).join("\n")}
`;

function countOfChanges(what: string): string {
  return `CREATE TRIGGER webhook_endpoint_${what.toLowerCase()} AFTER ${what} ON webhook_endpoint
    BEGIN UPDATE meta SET value = CAST(value AS INTEGER) + 1
      WHERE name = 'webhook_endpoint_changes'; END;`;
}

/** What an endpoint is sent; those of before get the events as they are. */
const FORMAT_7 = `
  ALTER TABLE webhook_endpoint ADD COLUMN format TEXT NOT NULL DEFAULT 'json'
    CHECK (format IN ('json', 'ota_rates', 'ota_availability', 'ota_inventory'));
  ALTER TABLE webhook_endpoint ADD COLUMN ota TEXT CHECK ((ota IS NULL) = (format = 'json'));
`;

/**
 * Check sums (`checked-rows.ts`). News are numbered by SQLite from now on, which keeps the highest
 * number twice: were it lowered by damage, views would take a revocation for one they have seen.
 */
const FORMAT_8 = `
  ${CHECKED_TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN check_sum TEXT;`).join("\n")}
  ${NEWS_TRIGGERS.map((name) => `DROP TRIGGER ${name};`).join("\n")}
  ALTER TABLE news RENAME TO former_news;
  CREATE TABLE news (
    nth INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'credential', 'issuer'))
  ) STRICT;
  INSERT INTO news (nth, id, kind) SELECT nth, id, kind FROM former_news;
  DROP TABLE former_news;
  ${numberedNewsOf("agent", "AFTER INSERT")}
  ${numberedNewsOf("agent", "AFTER UPDATE")}
  ${numberedNewsOf("credential", "AFTER INSERT")}
  ${numberedNewsOf("credential", "AFTER UPDATE OF state, expires_at, retire_at")}
  ${numberedNewsOf("issuer", "AFTER INSERT")}
  ${numberedNewsOf("issuer", "AFTER UPDATE")}
`;

function numberedNewsOf(kind: "agent" | "credential" | "issuer", when: string): string {
  const name = `news_of_${kind}_${when.includes("INSERT") ? "made" : "changed"}`;
  return `CREATE TRIGGER ${name} ${when} ON ${kind} BEGIN
    DELETE FROM news WHERE id = NEW.${kind}_id;
    INSERT INTO news (id, kind) VALUES (NEW.${kind}_id, '${kind}');
  END;`;
}

/** How advisors answer; the configuration is authenticated as a whole, see `ai-config.ts`. */
const FORMAT_9 = `
  CREATE TABLE ai_config (
    tenant_id TEXT NOT NULL REFERENCES tenant,
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    version INTEGER NOT NULL,
    encrypted TEXT NOT NULL,
    PRIMARY KEY (tenant_id, mode)
  ) STRICT, WITHOUT ROWID;
`;

/** To whom an operator's daily summary goes, and when; null for none. */
const FORMAT_10 = "ALTER TABLE agent ADD COLUMN daily_summary TEXT;";

/** Each makes the next format of the one before; a file is brought up when it is opened. */
const FORMATS = [
  FORMAT_1,
  FORMAT_2,
  FORMAT_3,
  FORMAT_4,
  FORMAT_5,
  FORMAT_6,
  FORMAT_7,
  FORMAT_8,
  FORMAT_9,
  FORMAT_10,
];
/** The first whose rows carry check sums. */
const CHECKED_FORMAT = 8;

/**
 * Opens (and on first use creates) the control database for writing: WAL, `synchronous=FULL`,
 * foreign keys, busy timeout 250 ms.
 *
 * @throws StartRefused when the file was written in a newer format, or is no database any more.
 */
export function openControlDatabase(path: string): Database {
  return openingFile(path, () => openBroughtUp(path));
}

function openBroughtUp(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`);
  if (db.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get()?.journal_mode !== "wal") {
    db.run("PRAGMA journal_mode = WAL");
  }
  db.run("PRAGMA synchronous = FULL");
  db.run("PRAGMA foreign_keys = ON");
  db.transaction(() => {
    const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
    const format = found?.user_version ?? 0;
    if (format > FORMATS.length) {
      throw refusedStart("file_newer", { file: path, format, known: FORMATS.length });
    }
    for (const step of FORMATS.slice(format)) db.run(step);
    if (format < CHECKED_FORMAT) stampAll(db);
    db.run(`PRAGMA user_version = ${FORMATS.length}`);
  }).immediate();
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** False of a file that this version has not opened yet: it may lack columns, or check sums. */
export function isBroughtUp(db: Database): boolean {
  const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return (found?.user_version ?? 0) >= FORMATS.length;
}

/** Opens the same file for reading only; it must exist. `data_version` follows all writers. */
export function openControlReader(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}
