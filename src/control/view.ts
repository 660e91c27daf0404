/**
 * The control plane as requests see it: immutable tables in memory. A timer looks twice a second
 * whether any connection has committed to `control.db` and then rebuilds them, so a revocation
 * takes effect within a second in every process and no request ever touches SQLite.
 */
import type { Database } from "bun:sqlite";
import type { Mode, Realm } from "../../engine/core/supply.ts";
import { every, type Service } from "../../engine/shell/service.ts";
import type { GuardTerms } from "../../jobs/net/address-guard.ts";
import type { AgentState } from "./agents.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import { type Issuer, type IssuerRow, issuerOf, SELECT_ISSUERS } from "./issuers.ts";
import type { Principal, PrincipalKind } from "./principal.ts";
import { SELECT_REVOKED_TOKENS } from "./revoked-tokens.ts";
import { openControlReader } from "./schema.ts";
import type { ControlStore } from "./store.ts";

/** How long a commit may take to be seen by every process. */
export const REFRESH_INTERVAL_MS = 500;

export interface CredentialEntry {
  /** Built once, so that a successful look-up allocates nothing. */
  readonly authenticated: { readonly ok: true; readonly principal: Principal };
  readonly state: "active" | "retiring" | "revoked";
  readonly agent_state: AgentState;
  /** Epoch milliseconds of expiry or retirement, whichever is first; Infinity for neither. */
  readonly valid_until: number;
}

/** Spec 2.10. */
export type PublicIssuer = Pick<
  Issuer,
  "iss" | "name" | "status" | "jwks_url" | "allowed_audiences"
>;

interface CredentialRow {
  readonly credential_id: string;
  readonly secret_hash: string;
  readonly state: CredentialEntry["state"];
  readonly expires_at: number | null;
  readonly retire_at: number | null;
  readonly agent_id: string;
  readonly tenant_id: string;
  readonly kind: PrincipalKind;
  readonly mode: Mode;
  readonly agent_state: AgentState;
  readonly scopes: string;
  readonly property_ids: string | null;
  readonly limits: string;
}

/** A key pair that signs; the private half is encrypted (see `signing-keys.ts`). */
export interface SigningKeyRow {
  readonly kid: string;
  readonly purpose: "access_token" | "agent_card";
  readonly private_encrypted: string;
  /** JSON text of the public JWK, with `kid`, `alg` and `use`. */
  readonly public_jwk: string;
  /** Epoch milliseconds, as the two below. */
  readonly created_at: number;
  readonly signs_from: number;
  /** Null while no successor has been made. */
  readonly published_until: number | null;
}

const SELECT_SIGNING_KEYS = `SELECT kid, purpose, private_encrypted, public_jwk, created_at,
  signs_from, published_until FROM signing_key ORDER BY signs_from DESC, kid DESC`;

const SELECT_CREDENTIALS = `SELECT c.credential_id, c.secret_hash, c.state, c.expires_at,
  c.retire_at, a.agent_id, a.tenant_id, a.kind, a.mode, a.state AS agent_state, a.scopes,
  a.property_ids, a.limits FROM credential c JOIN agent a ON a.agent_id = c.agent_id`;

/** Of those of one name the one that is not revoked, or was last registered, comes last. */
const SELECT_ISSUERS_TO_NAME = `${SELECT_ISSUERS} ORDER BY status <> 'revoked', created_at,
  issuer_id`;

const STATUS_RANK = { active: 0, suspended: 1, revoked: 2 } as const;

function realmKey({ tenant_id, mode }: Realm): string {
  return `${tenant_id}:${mode}`;
}

function entryOf(row: CredentialRow): CredentialEntry {
  const principal: Principal = {
    tenant_id: row.tenant_id,
    agent_id: row.agent_id,
    credential_id: row.credential_id,
    kind: row.kind,
    mode: row.mode,
    scopes: new Set(row.scopes.split(" ").filter((scope) => scope !== "")),
    property_ids: row.property_ids === null ? null : new Set<string>(JSON.parse(row.property_ids)),
    limits: JSON.parse(row.limits),
  };
  return {
    authenticated: { ok: true, principal },
    state: row.state,
    agent_state: row.agent_state,
    valid_until: Math.min(row.expires_at ?? Infinity, row.retire_at ?? Infinity),
  };
}

/** The tables, and the timer that looks. */
export class ControlView implements Service {
  readonly id = "control view";
  /** Verification keys of the issuers below. */
  readonly keys: IssuerKeys;
  readonly #db: Database;
  readonly #hashSecret: ControlStore["hashSecret"];
  readonly #timer = every(this.id, REFRESH_INTERVAL_MS, () => void this.refresh());
  #dataVersion = -1;
  #credentials: ReadonlyMap<string, CredentialEntry> = new Map();
  #credentialsById: ReadonlyMap<string, CredentialEntry> = new Map();
  #signingKeys: readonly SigningKeyRow[] = [];
  #revokedTokens: ReadonlySet<string> = new Set();
  /** By realm, then `iss`. */
  #issuers: ReadonlyMap<string, ReadonlyMap<string, Issuer>> = new Map();
  /** Unchanged issuers stay the same object across rebuilds, and with it their cached keys. */
  #issuerByRow: ReadonlyMap<string, Issuer> = new Map();

  /**
   * Reads the store's file through a connection of its own (`data_version` counts only the commits
   * of others). `terms` say where key sets may be fetched from.
   */
  constructor(store: ControlStore, terms: GuardTerms) {
    this.#db = openControlReader(store.path);
    this.#hashSecret = store.hashSecret;
    this.keys = new IssuerKeys(terms);
    this.refresh();
  }

  /** Follows the file from now on. */
  start(): void {
    this.#timer.start();
  }

  /** Rebuilds the tables when the file has changed; true when it did. */
  refresh(): boolean {
    const version = this.#db.query<{ data_version: number }, []>("PRAGMA data_version").get();
    if (version === null || version.data_version === this.#dataVersion) return false;
    this.#db.transaction(() => this.#rebuild())();
    this.#dataVersion = version.data_version;
    return true;
  }

  /** The credential that the secret belongs to, whatever its state. */
  credential(secret: string): CredentialEntry | undefined {
    return this.#credentials.get(this.#hashSecret(secret));
  }

  /** The credential of that id, whatever its state. */
  credentialById(credentialId: string): CredentialEntry | undefined {
    return this.#credentialsById.get(credentialId);
  }

  /** All signing keys, the one that signs last first. */
  get signingKeys(): readonly SigningKeyRow[] {
    return this.#signingKeys;
  }

  /** True when the access token of that `jti` was revoked before its end. */
  isTokenRevoked(jti: string): boolean {
    return this.#revokedTokens.has(jti);
  }

  /** The realm's issuer of that name, whatever its status: of several the one not revoked. */
  issuer(realm: Realm, iss: string): Issuer | undefined {
    return this.#issuers.get(realmKey(realm))?.get(iss);
  }

  /** The public list: one row per `iss` with its best status, of all realms or those asked for. */
  publicIssuers({ tenant_id, mode }: Partial<Realm> = {}): PublicIssuer[] {
    const best = new Map<string, Issuer>();
    for (const issuer of [...this.#issuers.values()].flatMap((named) => [...named.values()])) {
      if (tenant_id !== undefined && issuer.tenant_id !== tenant_id) continue;
      if (mode !== undefined && issuer.mode !== mode) continue;
      const known = best.get(issuer.iss);
      if (known === undefined || STATUS_RANK[issuer.status] < STATUS_RANK[known.status]) {
        best.set(issuer.iss, issuer);
      }
    }
    return [...best.values()]
      .sort((a, b) => (a.iss < b.iss ? -1 : 1))
      .map(({ iss, name, status, jwks_url, allowed_audiences }) => {
        return { iss, name, status, jwks_url, allowed_audiences };
      });
  }

  /** Stops following the file and closes it. */
  stop(): void {
    this.#timer.stop();
    this.#db.close();
  }

  #rebuild(): void {
    const credentials = this.#db.query<CredentialRow, []>(SELECT_CREDENTIALS).all();
    const entries = credentials.map((row) => ({ row, entry: entryOf(row) }));
    this.#credentials = new Map(entries.map(({ row, entry }) => [row.secret_hash, entry]));
    this.#credentialsById = new Map(entries.map(({ row, entry }) => [row.credential_id, entry]));
    this.#signingKeys = this.#db.query<SigningKeyRow, []>(SELECT_SIGNING_KEYS).all();
    const revoked = this.#db.query<{ jti: string }, []>(SELECT_REVOKED_TOKENS).all();
    this.#revokedTokens = new Set(revoked.map(({ jti }) => jti));
    const issuers = new Map<string, Map<string, Issuer>>();
    const issuerByRow = new Map<string, Issuer>();
    for (const row of this.#db.query<IssuerRow, []>(SELECT_ISSUERS_TO_NAME).all()) {
      const text = JSON.stringify(row);
      const issuer = this.#issuerByRow.get(text) ?? issuerOf(row);
      issuerByRow.set(text, issuer);
      const named = issuers.get(realmKey(row)) ?? new Map<string, Issuer>();
      issuers.set(realmKey(row), named.set(row.iss, issuer));
    }
    this.#issuers = issuers;
    this.#issuerByRow = issuerByRow;
  }
}
