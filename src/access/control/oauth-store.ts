/**
 * What OAuth clients have registered, asked for and been given, in `oauth.db`, which every api
 * process writes. The file has no secret: secrets of clients, codes and refresh tokens are stored
 * as peppered hashes. No back-up has it, so that no restored service takes a token that was used
 * or ended since.
 */
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { openStoreFile } from "../../lib/store-file.ts";
import { OauthClients } from "./oauth-clients.ts";
import { OauthGrants } from "./oauth-grants.ts";
import { OauthRequests } from "./oauth-requests.ts";

const FORMAT = 1;
const BUSY_TIMEOUT_MS = 1_000;

/** `connected_at` is when an operator first let the client in; null for never. */
const SCHEMA = `
  CREATE TABLE client (
    client_id TEXT PRIMARY KEY,
    secret_hash TEXT,
    auth_method TEXT NOT NULL
      CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    connected_at INTEGER,
    CHECK ((secret_hash IS NULL) = (auth_method = 'none'))
  ) STRICT;
  CREATE INDEX client_by_use ON client (used_at) WHERE connected_at IS NULL;
  CREATE TABLE request (
    request_id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    code_challenge TEXT NOT NULL,
    audience TEXT NOT NULL,
    scopes TEXT NOT NULL,
    state TEXT,
    created_at INTEGER NOT NULL,
    grant_id TEXT
  ) STRICT;
  CREATE INDEX request_by_age ON request (created_at);
  CREATE TABLE oauth_grant (
    grant_id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    audience TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    code_challenge TEXT NOT NULL,
    code_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    redeemed_at INTEGER,
    family_hash TEXT UNIQUE,
    token_hash TEXT,
    previous_hash TEXT,
    rotated_at INTEGER
  ) STRICT;
  CREATE INDEX grant_by_agent ON oauth_grant (agent_id);
  CREATE INDEX grant_by_client ON oauth_grant (client_id);`;

export class OauthStore {
  readonly #db: Database;
  readonly clients: OauthClients;
  readonly requests: OauthRequests;
  readonly grants: OauthGrants;

  /**
   * Opens or creates the file in `dataDir`; `hash` is that of credentials.
   *
   * @throws StartRefused when it is damaged or of another format.
   */
  constructor(dataDir: string, hash: (secret: string) => string) {
    const file = { tables: SCHEMA, format: FORMAT, synchronous: "full" } as const;
    const terms = { busyTimeoutMs: BUSY_TIMEOUT_MS, isRecreated: true };
    this.#db = openStoreFile(join(dataDir, "oauth.db"), { ...file, ...terms });
    this.clients = new OauthClients(this.#db, hash);
    this.requests = new OauthRequests(this.#db);
    this.grants = new OauthGrants(this.#db, hash);
  }

  /** Removes what has ended. */
  forget(nowMs: number): void {
    this.requests.forget(nowMs);
    this.grants.forget(nowMs);
    this.clients.forget(nowMs);
  }

  close(): void {
    this.#db.close();
  }
}
