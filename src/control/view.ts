/**
 * The control plane as requests see it: tables in memory, of entries that never change. A timer
 * looks twice a second whether any connection has committed to `control.db` and then reads what is
 * new, so a revocation takes effect within a second in every process, no request ever touches
 * SQLite, and nobody waits because somebody else has registered much.
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

interface AgentRow {
  readonly agent_id: string;
  readonly tenant_id: string;
  readonly kind: PrincipalKind;
  readonly mode: Mode;
  readonly state: AgentState;
  readonly scopes: string;
  readonly property_ids: string | null;
  readonly limits: string;
}

/** An agent's part of its principals; its credentials share it. */
interface AgentTerms {
  readonly state: AgentState;
  readonly terms: Omit<Principal, "credential_id">;
}

interface CredentialRow {
  readonly credential_id: string;
  readonly agent_id: string;
  readonly secret_hash: string;
  readonly state: CredentialEntry["state"];
  readonly expires_at: number | null;
  readonly retire_at: number | null;
}

interface News {
  readonly id: string;
  readonly kind: "agent" | "credential" | "issuer";
  readonly nth: number;
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

const SELECT_AGENTS = `SELECT agent_id, tenant_id, kind, mode, state, scopes, property_ids, limits
  FROM agent`;

const SELECT_CREDENTIALS = `SELECT credential_id, agent_id, secret_hash, state, expires_at, retire_at
  FROM credential`;

const SELECT_NEWS = "SELECT id, kind, nth FROM news WHERE nth > ? ORDER BY nth";

/** Of those of one name the one that is not revoked, or was last registered. */
const SELECT_ISSUER_MEANT = `${SELECT_ISSUERS} WHERE issuer_id = (SELECT issuer_id FROM issuer
  WHERE tenant_id = ? AND mode = ? AND iss = ?
  ORDER BY status <> 'revoked' DESC, created_at DESC, issuer_id DESC LIMIT 1)`;

const MODES = ["live", "test"] as const;
const STATUS_RANK = { active: 0, suspended: 1, revoked: 2 } as const;

function realmKey({ tenant_id, mode }: Realm): string {
  return `${tenant_id}:${mode}`;
}

function termsOf({ state, scopes, property_ids, limits, ...row }: AgentRow): AgentTerms {
  const terms = {
    ...row,
    scopes: new Set(scopes.split(" ").filter((scope) => scope !== "")),
    property_ids: property_ids === null ? null : new Set<string>(JSON.parse(property_ids)),
    limits: JSON.parse(limits),
  };
  return { state, terms };
}

function entryOf(row: CredentialRow, { state, terms }: AgentTerms): CredentialEntry {
  const { credential_id } = row;
  return {
    authenticated: { ok: true, principal: { ...terms, credential_id } },
    state: row.state,
    agent_state: state,
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
  /** The last news that was read; before the first all rows are. */
  #seen = -1;
  readonly #agents = new Map<string, AgentTerms>();
  /** By the hash of the secret. */
  readonly #credentials = new Map<string, CredentialEntry>();
  readonly #credentialsById = new Map<string, CredentialEntry>();
  #signingKeys: readonly SigningKeyRow[] = [];
  #revokedTokens: ReadonlySet<string> = new Set();
  /** By realm, then `iss`. An unchanged issuer stays the same object, and with it its keys. */
  readonly #issuers = new Map<string, Map<string, Issuer>>();
  /** The public lists that are not of one tenant, by mode. */
  readonly #publicLists = new Map<Mode | undefined, PublicIssuer[]>();

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

  /** Reads what is new when the file has changed; true when it has. Costs what is new. */
  refresh(): boolean {
    const version = this.#db.query<{ data_version: number }, []>("PRAGMA data_version").get();
    if (version === null || version.data_version === this.#dataVersion) return false;
    this.#db.transaction(() => this.#read())();
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
    if (tenant_id !== undefined) return publicList(this.#issuersOf({ tenant_id, mode }));
    let list = this.#publicLists.get(mode);
    if (!list) {
      list = publicList(this.#issuersOf({ mode }));
      this.#publicLists.set(mode, list);
    }
    return list;
  }

  #issuersOf({ tenant_id, mode }: { tenant_id?: string; mode: Mode | undefined }): Issuer[] {
    const modes = mode === undefined ? MODES : [mode];
    const realms =
      tenant_id === undefined
        ? [...this.#issuers.keys()].filter((key) => modes.some((each) => key.endsWith(`:${each}`)))
        : modes.map((each) => realmKey({ tenant_id, mode: each }));
    return realms.flatMap((key) => [...(this.#issuers.get(key)?.values() ?? [])]);
  }

  /** Stops following the file and closes it. */
  stop(): void {
    this.#timer.stop();
    this.#db.close();
  }

  #read(): void {
    this.#signingKeys = this.#db.query<SigningKeyRow, []>(SELECT_SIGNING_KEYS).all();
    const revoked = this.#db.query<{ jti: string }, []>(SELECT_REVOKED_TOKENS).all();
    this.#revokedTokens = new Set(revoked.map(({ jti }) => jti));
    const news = this.#db.query<News, [number]>(SELECT_NEWS).all(this.#seen);
    if (this.#seen < 0) this.#readAll();
    else for (const each of news) this.#readOne(each);
    this.#seen = news.at(-1)?.nth ?? Math.max(this.#seen, 0);
  }

  #readAll(): void {
    for (const row of this.#db.query<AgentRow, []>(SELECT_AGENTS).all()) {
      this.#agents.set(row.agent_id, termsOf(row));
    }
    for (const row of this.#db.query<CredentialRow, []>(SELECT_CREDENTIALS).all()) this.#keep(row);
    const names = "SELECT DISTINCT tenant_id, mode, iss FROM issuer";
    for (const name of this.#db.query<Realm & Pick<Issuer, "iss">, []>(names).all()) {
      this.#readIssuer(name);
    }
  }

  #readOne({ id, kind }: News): void {
    if (kind === "agent") {
      const row = this.#db.query<AgentRow, [string]>(`${SELECT_AGENTS} WHERE agent_id = ?`).get(id);
      this.#agents.set(id, termsOf(row!));
    }
    if (kind === "issuer") {
      const name = "SELECT tenant_id, mode, iss FROM issuer WHERE issuer_id = ?";
      this.#readIssuer(this.#db.query<Realm & Pick<Issuer, "iss">, [string]>(name).get(id)!);
      return;
    }
    const select = `${SELECT_CREDENTIALS} WHERE ${kind}_id = ?`;
    for (const row of this.#db.query<CredentialRow, [string]>(select).all(id)) this.#keep(row);
  }

  #keep(row: CredentialRow): void {
    const agent = this.#agents.get(row.agent_id);
    // An agent that was made together with its credential is read a little later, and this again.
    if (!agent) return;
    const entry = entryOf(row, agent);
    this.#credentials.set(row.secret_hash, entry);
    this.#credentialsById.set(row.credential_id, entry);
  }

  #readIssuer({ tenant_id, mode, iss }: Realm & Pick<Issuer, "iss">): void {
    const select = this.#db.query<IssuerRow, [string, Mode, string]>(SELECT_ISSUER_MEANT);
    const key = realmKey({ tenant_id, mode });
    const named = this.#issuers.get(key) ?? new Map<string, Issuer>();
    this.#issuers.set(key, named.set(iss, issuerOf(select.get(tenant_id, mode, iss)!)));
    this.#publicLists.clear();
  }
}

/** One row per `iss`, the best status of those it has. */
function publicList(issuers: readonly Issuer[]): PublicIssuer[] {
  const best = new Map<string, Issuer>();
  for (const issuer of issuers) {
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
