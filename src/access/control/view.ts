/**
 * The control plane as requests see it: immutable entries in memory. A timer polls `control.db`
 * twice a second and reads only changed rows, so a revocation takes effect within a second in every
 * process, and no request touches SQLite.
 */
import type { Database } from "bun:sqlite";
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import type { GuardTerms } from "../../../jobs/net/address-guard.ts";
import { every, type Service } from "../../lib/service.ts";
import {
  type CheckedTable,
  type DamagedRow,
  selectOf,
  soundRow,
  soundRows,
} from "./checked-rows.ts";
import type { Denial } from "./denials.ts";
import {
  type AgentRow,
  type AgentTerms,
  type CredentialEntry,
  type CredentialRow,
  entryOf,
  type PersonRow,
  personEntryOf,
  termsOf,
} from "./entries.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import { type Issuer, type IssuerRow, issuerOf } from "./issuers.ts";
import { revokedTokens } from "./revoked-tokens.ts";
import { openControlReader } from "./schema.ts";
import type { ControlStore } from "./store.ts";

/** Maximum delay until a commit is visible to every process. */
export const REFRESH_INTERVAL_MS = 500;

/** The published members of an issuer. */
export type PublicIssuer = Pick<
  Issuer,
  "iss" | "name" | "status" | "jwks_url" | "allowed_audiences"
>;

interface News {
  readonly id: string;
  readonly kind: "agent" | "credential" | "issuer" | "person";
  readonly nth: number;
}

/** A signing key pair; the private half is encrypted (see `signing-keys.ts`). */
export interface SigningKeyRow {
  readonly kid: string;
  readonly purpose: "access_token" | "agent_card";
  readonly private_encrypted: string;
  /** JSON text of the public JWK, with `kid`, `alg` and `use`. */
  readonly public_jwk: string;
  /** Epoch milliseconds, as the two below. */
  readonly created_at: number;
  readonly signs_from: number;
  /** Null while there is no successor. */
  readonly published_until: number | null;
}

const SELECT_SIGNING_KEYS = `${selectOf("signing_key")} ORDER BY signs_from DESC, kid DESC`;

const SELECT_NEWS = "SELECT id, kind, nth FROM news WHERE nth > ? ORDER BY nth";

/** Issuers of one name; the first sound one counts: unrevoked, else registered last. */
const SELECT_ISSUERS_NAMED = `${selectOf("issuer")} WHERE tenant_id = ? AND mode = ? AND iss = ?
  ORDER BY status <> 'revoked' DESC, created_at DESC, issuer_id DESC`;

const MODES = ["live", "test"] as const;
const STATUS_RANK = { active: 0, suspended: 1, revoked: 2 } as const;

function realmKey({ tenant_id, mode }: Realm): string {
  return `${tenant_id}:${mode}`;
}

/** The tables and the polling timer. */
export class ControlView implements Service {
  readonly id = "control view";
  /** Verification keys of the issuers below. */
  readonly keys: IssuerKeys;
  readonly #db: Database;
  readonly #hashSecret: ControlStore["hashSecret"];
  readonly #timer = every(this.id, REFRESH_INTERVAL_MS, () => void this.refresh());
  #dataVersion = -1;
  /** The last change that was read; -1 before all rows are. */
  #seen = -1;
  readonly #agents = new Map<string, AgentTerms>();
  readonly #idsByHash = new Map<string, string>();
  /** People too, by their ids: no secret leads to them. */
  readonly #credentials = new Map<string, CredentialEntry>();
  readonly #people = new Map<string, PersonRow>();
  /** By tenant; null until asked for again. */
  #sellers: ReadonlyMap<string, readonly CredentialEntry[]> | null = null;
  #signingKeys: readonly SigningKeyRow[] = [];
  #revokedTokens: ReadonlySet<string> = new Set();
  /** Ids of rows and tokens whose end could not be stored; see `denials.ts`. */
  readonly #denied = new Set<string>();
  /** By table and id. */
  readonly #damaged = new Map<string, DamagedRow>();
  /** Tokens issued up to then may be revoked, epoch milliseconds. */
  #tokensFromMs: number | null = null;
  readonly #reported = new Set<string>();
  readonly #onDamaged: (damaged: DamagedRow) => void;
  /** By realm, then `iss`. An unchanged issuer stays the same object, with its keys. */
  readonly #issuers = new Map<string, Map<string, Issuer>>();
  /** Public lists of all tenants, by mode. */
  readonly #publicLists = new Map<Mode | undefined, PublicIssuer[]>();

  /**
   * Opens its own read connection (`data_version` counts only commits of other connections).
   * `terms`: where key sets may be fetched. `onDamaged` is called once per damaged row.
   */
  constructor(
    store: ControlStore,
    terms: GuardTerms,
    onDamaged: (damaged: DamagedRow) => void = () => {},
  ) {
    this.#onDamaged = onDamaged;
    this.#db = openControlReader(store.path);
    this.#hashSecret = store.hashSecret;
    this.keys = new IssuerKeys(terms);
    this.refresh();
  }

  /** Starts polling the file. */
  start(): void {
    this.#timer.start();
  }

  /** Reads the changes if the file has changed; true when it has. */
  refresh(): boolean {
    const version = this.#db.query<{ data_version: number }, []>("PRAGMA data_version").get();
    if (version === null || version.data_version === this.#dataVersion) return false;
    this.#db.transaction(() => this.#read())();
    this.#dataVersion = version.data_version;
    return true;
  }

  /** The credential of a secret, in any state. */
  credential(secret: string): CredentialEntry | undefined {
    const id = this.#idsByHash.get(this.#hashSecret(secret));
    return id === undefined ? undefined : this.#credentials.get(id);
  }

  /** The credential or person of an id, in any state. */
  credentialById(credentialId: string): CredentialEntry | undefined {
    return this.#credentials.get(credentialId);
  }

  /** The name of a person of the realm, in any state; null for others. */
  personName({ tenant_id, mode }: Realm, personId: string): string | null {
    const row = this.#people.get(personId);
    const terms = row && this.#agents.get(row.agent_id)?.terms;
    return terms?.tenant_id === tenant_id && terms.mode === mode ? row!.name : null;
  }

  /** Origins that checkout pages of the agent may lead back to. */
  returnOriginsOf(agentId: string): readonly string[] {
    return this.#agents.get(agentId)?.return_origins ?? [];
  }

  /** Live credentials, in any state, of the agents that sell directly: the longest valid first. */
  directSellers(tenantId: string): readonly CredentialEntry[] {
    this.#sellers ??= Map.groupBy(
      [...this.#credentials.values()]
        .filter(({ sells_directly }) => sells_directly)
        .sort(byValidity),
      ({ authenticated }) => authenticated.principal.tenant_id,
    );
    return this.#sellers.get(tenantId) ?? [];
  }

  /** The damaged rows that were met and have not been found sound since. */
  get damaged(): readonly DamagedRow[] {
    return [...this.#damaged.values()];
  }

  /** Treats it as revoked until a change of its row is read. */
  deny({ kind, id }: Denial): void {
    this.#denied.add(id);
    if (kind === "access_token" || kind === "webhook_endpoint") return;
    this.#db.transaction(() => this.#readRow({ kind, id }))();
  }

  /** All signing keys; the one that signs last comes first. */
  get signingKeys(): readonly SigningKeyRow[] {
    return this.#signingKeys;
  }

  /**
   * True when an access token was revoked before expiry; `iat` in seconds. The token of a damaged
   * row is unknown: then all tokens issued before the damage was found are refused.
   */
  isTokenRevoked({ jti, iat }: { jti: string; iat: number }, nowMs: number): boolean {
    if (this.#denied.has(jti) || this.#revokedTokens.has(jti)) return true;
    if (this.#damaged.size === 0) return false;
    if (!this.damaged.some(({ table }) => table === "revoked_token")) return false;
    this.#tokensFromMs ??= nowMs;
    return iat * 1_000 <= this.#tokensFromMs;
  }

  /** The realm's issuer of that name, in any status; of several the unrevoked one. */
  issuer(realm: Realm, iss: string): Issuer | undefined {
    return this.#issuers.get(realmKey(realm))?.get(iss);
  }

  /** The public list: one row per `iss` with its best status, of the given realms. */
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

  /** Stops polling and closes the file. */
  stop(): void {
    this.#timer.stop();
    this.#db.close();
  }

  #read(): void {
    this.#sellers = null;
    // These two are always read as a whole.
    for (const [name, { table }] of this.#damaged) {
      if (table === "signing_key" || table === "revoked_token") this.#damaged.delete(name);
    }
    const keys = this.#db.query<SigningKeyRow, []>(SELECT_SIGNING_KEYS).all();
    this.#signingKeys = this.#sound("signing_key", keys);
    this.#revokedTokens = revokedTokens(this.#db, (each) => this.#report(each));
    const news = this.#db.query<News, [number]>(SELECT_NEWS).all(this.#seen);
    if (this.#seen < 0) this.#readAll();
    else for (const each of news) this.#readOne(each);
    this.#seen = news.at(-1)?.nth ?? Math.max(this.#seen, 0);
  }

  #readAll(): void {
    const agents = this.#db.query<AgentRow, []>(selectOf("agent")).all();
    for (const row of this.#sound("agent", agents)) this.#agents.set(row.agent_id, termsOf(row));
    const credentials = this.#db.query<CredentialRow, []>(selectOf("credential")).all();
    for (const row of this.#sound("credential", credentials)) this.#keep(row);
    const people = this.#db.query<PersonRow, []>(selectOf("person")).all();
    for (const row of this.#sound("person", people)) this.#keepPerson(row);
    const names = "SELECT DISTINCT tenant_id, mode, iss FROM issuer";
    for (const name of this.#db.query<Realm & Pick<Issuer, "iss">, []>(names).all()) {
      this.#readIssuer(name);
    }
  }

  /** A stored change ends the denial of its row. */
  #readOne({ id, kind }: News): void {
    this.#denied.delete(id);
    this.#readRow({ id, kind });
  }

  #readRow({ id, kind }: Pick<News, "id" | "kind">): void {
    this.#sellers = null;
    this.#damaged.delete(`${kind} ${id}`);
    if (kind === "issuer") return this.#readIssuerOfId(id);
    if (kind === "person") return this.#readPerson(id);
    if (kind === "agent") {
      const select = `${selectOf("agent")} WHERE agent_id = ?`;
      const [row] = this.#sound("agent", this.#db.query<AgentRow, [string]>(select).all(id));
      if (!row) this.#agents.delete(id);
      else this.#agents.set(id, this.#denied.has(id) ? ended(termsOf(row)) : termsOf(row));
    }
    const select = `${selectOf("credential")} WHERE ${kind}_id = ?`;
    const rows = this.#db.query<CredentialRow, [string]>(select).all(id);
    // A damaged row names no credential: the one known by this id is dropped.
    if (kind === "credential") this.#credentials.delete(id);
    for (const row of this.#sound("credential", rows)) this.#keep(row);
    if (kind !== "agent") return;
    for (const row of this.#people.values()) if (row.agent_id === id) this.#keepPerson(row);
  }

  #readPerson(id: string): void {
    this.#people.delete(id);
    this.#credentials.delete(id);
    const select = `${selectOf("person")} WHERE person_id = ?`;
    const rows = this.#db.query<PersonRow, [string]>(select).all(id);
    for (const row of this.#sound("person", rows)) this.#keepPerson(row);
  }

  #keepPerson(row: PersonRow): void {
    const { person_id } = row;
    this.#people.set(person_id, row);
    const agent = this.#agents.get(row.agent_id);
    if (!agent) {
      this.#credentials.delete(person_id);
      return;
    }
    const entry = personEntryOf(row, agent);
    const isDenied = this.#denied.has(person_id);
    this.#credentials.set(person_id, isDenied ? { ...entry, state: "revoked" } : entry);
  }

  #keep(row: CredentialRow): void {
    const { credential_id } = row;
    const agent = this.#agents.get(row.agent_id);
    // A damaged agent, or one made with its credential: it is read a little later.
    if (!agent) {
      this.#credentials.delete(credential_id);
      return;
    }
    const entry = entryOf(row, agent);
    const isDenied = this.#denied.has(credential_id);
    this.#idsByHash.set(row.secret_hash, credential_id);
    this.#credentials.set(credential_id, isDenied ? { ...entry, state: "revoked" } : entry);
  }

  #readIssuerOfId(id: string): void {
    // Damage may have changed its name: entries with this id are dropped first.
    for (const named of this.#issuers.values()) {
      for (const [iss, issuer] of named) if (issuer.issuer_id === id) named.delete(iss);
    }
    const row = soundRow<IssuerRow>(this.#db, "issuer", id);
    const name = "SELECT tenant_id, mode, iss FROM issuer WHERE issuer_id = ?";
    type Name = Realm & Pick<Issuer, "iss">;
    const found = row ?? this.#db.query<Name, [string]>(name).get(id);
    this.#publicLists.clear();
    if (found) this.#readIssuer(found);
  }

  #readIssuer({ tenant_id, mode, iss }: Realm & Pick<Issuer, "iss">): void {
    const select = this.#db.query<IssuerRow, [string, Mode, string]>(SELECT_ISSUERS_NAMED);
    const [row] = this.#sound("issuer", select.all(tenant_id, mode, iss));
    const key = realmKey({ tenant_id, mode });
    const named = this.#issuers.get(key) ?? new Map<string, Issuer>();
    this.#publicLists.clear();
    this.#issuers.set(key, named);
    if (!row) named.delete(iss);
    else named.set(iss, this.#issuerOf(row));
  }

  #issuerOf(row: IssuerRow): Issuer {
    const issuer = issuerOf(row);
    return this.#denied.has(row.issuer_id) ? { ...issuer, status: "revoked" } : issuer;
  }

  #sound<R extends object>(table: CheckedTable, rows: readonly R[]): R[] {
    return soundRows(table, rows, (each) => this.#report(each));
  }

  #report(damaged: DamagedRow): void {
    const name = `${damaged.table} ${damaged.id}`;
    this.#damaged.set(name, damaged);
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#onDamaged(damaged);
  }
}

function byValidity(a: CredentialEntry, b: CredentialEntry): number {
  const [one, other] = [a, b].map((each) => each.authenticated.principal.credential_id);
  return b.valid_until - a.valid_until || (one! < other! ? -1 : 1);
}

function ended(agent: AgentTerms): AgentTerms {
  return { ...agent, state: "revoked" };
}

/** One row per `iss`, with the best status. */
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
