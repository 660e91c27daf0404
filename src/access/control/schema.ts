/**
 * The tables of `control.db`: tenants, agents, credentials, people with their passkeys, delegation
 * issuers, signing keys, revoked tokens, outcomes of keyed admin calls, notices on their way,
 * webhook endpoints, flags and AI configurations. Writes are rare and made by whichever process
 * serves the call; every request reads the in-memory `ControlView` instead. A credential's secret
 * appears only as its peppered hash; private keys, stored answers, addresses of people and what
 * webhooks are signed and sent with only encrypted.
 */
import { Database } from "bun:sqlite";
import { openStoreFile } from "../../lib/store-file.ts";

/** Fixed statement texts on one connection are fewer; past this bun compiles anew on every use. */
Database.MAX_QUERY_CACHE_SIZE = 64;

const BUSY_TIMEOUT_MS = 250;
const FORMAT = 2;

/** Rows that decide who may do what carry a checksum (`checked-rows.ts`). */
const TABLES = `
  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE tenant (
    tenant_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    check_sum TEXT
  ) STRICT;
  CREATE TABLE agent (
    agent_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'operator', 'service', 'partner')),
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    state TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'revoked')),
    scopes TEXT NOT NULL,
    property_ids TEXT,
    limits TEXT NOT NULL,
    contact TEXT,
    daily_summary TEXT,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    check_sum TEXT
  ) STRICT;
  CREATE TABLE credential (
    credential_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agent,
    secret_hash TEXT NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'retiring', 'revoked')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    retire_at INTEGER,
    last_used_at INTEGER,
    check_sum TEXT
  ) STRICT;
  CREATE INDEX credential_by_agent ON credential (agent_id);
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
    check_sum TEXT,
    CHECK ((jwks_url IS NULL) <> (jwks IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX issuer_in_use ON issuer (tenant_id, mode, iss) WHERE status <> 'revoked';
  CREATE INDEX issuer_by_name ON issuer (tenant_id, mode, iss);
  CREATE TABLE signing_key (
    kid TEXT PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('access_token', 'agent_card')),
    private_encrypted TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    signs_from INTEGER NOT NULL,
    published_until INTEGER,
    check_sum TEXT
  ) STRICT;
  CREATE TABLE revoked_token (
    jti TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL,
    check_sum TEXT
  ) STRICT;
  CREATE TABLE keyed_outcome (
    command_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    encrypted TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX keyed_outcome_by_age ON keyed_outcome (created_at);
  CREATE TABLE notice (
    notice_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    notice TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ai_config (
    tenant_id TEXT NOT NULL REFERENCES tenant,
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    version INTEGER NOT NULL,
    encrypted TEXT NOT NULL,
    PRIMARY KEY (tenant_id, mode)
  ) STRICT, WITHOUT ROWID;
`;

/** Checksums stay valid: they cover later columns only where these have a value. */
const PAGES_OF_AGENTS = `
  ALTER TABLE agent ADD COLUMN return_origins TEXT;
  ALTER TABLE agent ADD COLUMN sells_directly INTEGER;
`;

/**
 * The count of changes tells `EndpointBook` that an endpoint was changed, without a look at the
 * endpoints themselves; a deleted one leaves nothing else behind.
 */
const ENDPOINTS = `
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
    format TEXT NOT NULL DEFAULT 'json'
      CHECK (format IN ('json', 'ota_rates', 'ota_availability', 'ota_inventory')),
    ota TEXT CHECK ((ota IS NULL) = (format = 'json')),
    check_sum TEXT,
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

/**
 * What `ControlView` has to read again, numbered as it happens: one row per agent, credential,
 * issuer or person. When a credential was last used is no news. SQLite numbers them, which keeps
 * the highest number twice: were it lowered by damage, views would miss a revocation.
 */
const NEWS = `
  ${newsTable("'agent', 'credential', 'issuer'")}
  ${newsOf("agent", "AFTER INSERT")}
  ${newsOf("agent", "AFTER UPDATE")}
  ${newsOf("credential", "AFTER INSERT")}
  ${newsOf("credential", "AFTER UPDATE OF state, expires_at, retire_at")}
  ${newsOf("issuer", "AFTER INSERT")}
  ${newsOf("issuer", "AFTER UPDATE")}
`;

function newsTable(kinds: string): string {
  return `CREATE TABLE news (
    nth INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN (${kinds}))
  ) STRICT;`;
}

function newsOf(kind: "agent" | "credential" | "issuer" | "person", when: string): string {
  const name = `news_of_${kind}_${when.includes("INSERT") ? "made" : "changed"}`;
  return `CREATE TRIGGER ${name} ${when} ON ${kind} BEGIN
    DELETE FROM news WHERE id = NEW.${kind}_id;
    INSERT INTO news (id, kind) VALUES (NEW.${kind}_id, '${kind}');
  END;`;
}

/**
 * People and their news, since format 2; news keep their numbers. An e-mail address appears only
 * encrypted.
 */
const PEOPLE = `
  CREATE TABLE person (
    person_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agent,
    name TEXT NOT NULL,
    email_encrypted TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'revoked')),
    scopes TEXT NOT NULL,
    property_ids TEXT,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    check_sum TEXT
  ) STRICT;
  CREATE INDEX person_by_agent ON person (agent_id);
  CREATE TABLE passkey (
    passkey_id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES person,
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    check_sum TEXT
  ) STRICT;
  CREATE INDEX passkey_by_person ON passkey (person_id);
  ALTER TABLE notice ADD COLUMN person_id TEXT;
  CREATE TEMP TABLE known_news AS SELECT * FROM news;
  DROP TABLE news;
  ${newsTable("'agent', 'credential', 'issuer', 'person'")}
  INSERT INTO news SELECT * FROM known_news;
  DROP TABLE known_news;
  ${newsOf("person", "AFTER INSERT")}
  ${newsOf("person", "AFTER UPDATE")}
`;

/** What a file of format 1 lacks; a new one gets it too. */
const FROM_1_TO_2 = PAGES_OF_AGENTS + PEOPLE;

/**
 * Opens (and on first use creates) the control database for writing: WAL, `synchronous=FULL`,
 * foreign keys, busy timeout 250 ms.
 *
 * @throws StartRefused when the file has another format, or is no database any more.
 */
export function openControlDatabase(path: string): Database {
  const tables = TABLES + ENDPOINTS + NEWS + FROM_1_TO_2;
  const terms = { format: FORMAT, synchronous: "full", busyTimeoutMs: BUSY_TIMEOUT_MS } as const;
  const db = openStoreFile(path, { tables, upgrades: [FROM_1_TO_2], ...terms });
  db.run("PRAGMA foreign_keys = ON");
  return db;
}

/** Opens the same file for reading only; it must exist. `data_version` follows all writers. */
export function openControlReader(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}
