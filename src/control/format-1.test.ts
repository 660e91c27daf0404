/**
 * Goal: a file of the first format is brought up without losing anything. Method: the tables as
 * version 0.1.0 made them, with a row in each, opened by this version.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintSecret } from "../privacy/credential-secret.ts";
import { listAgents } from "./agents.ts";
import { listCredentials } from "./credentials.ts";
import { listIssuers } from "./issuers.ts";
import { openControlStore } from "./store.ts";
import { hasFlag } from "./tenants.ts";
import { ControlView } from "./view.ts";

const TABLES = `
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

const TENANT = "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a11";
const LIMITS = { rpm: 60, burst: 10, max_open_holds: 1, max_open_quotes: 1 };
const secret = mintSecret("live");
const directory = mkdtempSync(join(tmpdir(), "innkeep-control-"));
const path = join(directory, "control.db");

beforeAll(() => {
  const db = new Database(path, { create: true });
  db.run(TABLES);
  const hash = createHash("sha256").update(`pepper.${secret}`).digest("base64url");
  const limits = JSON.stringify({ ...LIMITS, max_booking_amount: null });
  db.run("INSERT INTO meta VALUES ('demo_seeded', 'true')");
  db.run("INSERT INTO tenant VALUES (?, 'Old', 1)", [TENANT]);
  const agent =
    "INSERT INTO agent VALUES ('agt_1', ?, 'A', 'agent', 'live', 'active', 'search', ?, ?, 2)";
  db.run(agent, [TENANT, null, limits]);
  const credential = `INSERT INTO credential VALUES
    ('crd_1', 'agt_1', ?, 'ik_live_', 'last', 'active', 3, NULL, NULL)`;
  db.run(credential, [hash]);
  const issuer = `INSERT INTO issuer VALUES ('iss_1', ?, 'https://a.example', 'A', 'active', NULL,
    '{"keys":[]}', '["aud"]', '["ES256"]', 600, 60, 4)`;
  db.run(issuer, [TENANT]);
  db.run("PRAGMA user_version = 1");
  db.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

test("a file of format 1 keeps its rows and gets what is new", () => {
  for (const _opening of [1, 2]) {
    const store = openControlStore(path, "pepper");
    const view = new ControlView(store, { allowPrivate: false });
    const realm = { tenant_id: TENANT, mode: "live" } as const;
    expect(listAgents(store, realm)).toMatchObject([
      { agent_id: "agt_1", limits: LIMITS, contact: null, version: 1, last_seen_at: null },
    ]);
    expect(listCredentials(store, "agt_1", 5)).toMatchObject([
      { credential_id: "crd_1", state: "active", last_used_at: null },
    ]);
    const issuer = { iss: "https://a.example", status: "active", allowed_algs: ["ES256"] };
    expect(listIssuers(store, realm)).toMatchObject([
      { ...issuer, issuer_id: "iss_1", mode: "live", version: 1 } as never,
    ]);
    const inTest = { ...realm, mode: "test" } as const;
    const twins = listIssuers(store, inTest);
    expect(twins).toMatchObject([{ ...issuer, mode: "test", version: 1, created_at: 4 } as never]);
    expect(twins[0]!.issuer_id).toMatch(/^iss_[0-9a-f]{32}$/);
    for (const each of [realm, inTest]) {
      expect(view.issuer(each, issuer.iss)).toMatchObject({ mode: each.mode, status: "active" });
    }
    expect(hasFlag(store, "demo_seeded")).toBeTrue();
    expect(view.credential(secret)?.authenticated.principal.agent_id).toBe("agt_1");
    expect(view.signingKeys).toEqual([]);
    view.stop();
    store.close();
  }
});
