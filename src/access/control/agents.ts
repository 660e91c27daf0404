/** Agents with their scopes, properties and limits. */
import type { Database } from "bun:sqlite";
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import { selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import { revokeCredentialsOf } from "./credentials.ts";
import { coversScope, type PrincipalKind, type PrincipalLimits } from "./principal.ts";
import { type ControlStore, newId } from "./store.ts";

export type AgentState = "active" | "suspended" | "revoked";

export interface NewAgent {
  readonly name: string;
  readonly kind: PrincipalKind;
  readonly mode: Mode;
  /** Default: the scopes of the kind. */
  readonly scopes?: readonly string[];
  /** Default and null: every property of the tenant and mode. */
  readonly property_ids?: readonly string[] | null;
  /** A missing limit gets its default; null means none. */
  readonly limits?: Partial<PrincipalLimits>;
  /** Free text of the operator. */
  readonly contact?: string | null;
  readonly return_origins?: readonly string[];
  readonly sells_directly?: boolean;
}

/** A mail with the key figures of the day before, to `email` at the hour `at` of `timezone`. */
export interface DailySummary {
  readonly email: string;
  /** `HH:mm`. */
  readonly at: string;
  /** IANA zone. */
  readonly timezone: string;
}

export interface Agent {
  readonly agent_id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly kind: PrincipalKind;
  readonly mode: Mode;
  readonly state: AgentState;
  readonly scopes: readonly string[];
  readonly property_ids: readonly string[] | null;
  readonly limits: PrincipalLimits;
  readonly contact: string | null;
  /** For operators only. */
  readonly daily_summary: DailySummary | null;
  /** Where checkout pages may lead back to, as browsers write origins. */
  readonly return_origins: readonly string[];
  /** Guests book on the hotels' own pages through it. */
  readonly sells_directly: boolean;
  /** Epoch milliseconds, as the one below. */
  readonly created_at: number;
  /** When a credential was last used, to the minute. */
  readonly last_seen_at: number | null;
  /** Starts at 1. */
  readonly version: number;
}

/** Missing members stay. */
export type AgentChange = Partial<
  Pick<
    Agent,
    | "name"
    | "state"
    | "scopes"
    | "property_ids"
    | "contact"
    | "daily_summary"
    | "return_origins"
    | "sells_directly"
  >
> & { readonly limits?: Partial<PrincipalLimits> };

/** Default of new agents: everything but administration. */
export const DEFAULT_SCOPES = [
  "supply:read",
  "search",
  "quotes",
  "holds",
  "bookings:read",
  "bookings:write",
  "bookings:cancel",
] as const;

/** `admin:<first path segment>` of each operator area; `admin:*` is all. */
export const ADMIN_SCOPES = [
  "admin:*",
  "admin:agents",
  "admin:ai-config",
  "admin:ari",
  "admin:audit",
  "admin:authorization-policy",
  "admin:booking-authorizations",
  "admin:bookings",
  "admin:delegation-issuers",
  "admin:events",
  "admin:feeds",
  "admin:fx",
  "admin:guests",
  "admin:holds",
  "admin:kpis",
  "admin:oversell-incidents",
  "admin:payments",
  "admin:properties",
  "admin:refunds",
  "admin:test-clock",
  "admin:webhooks",
] as const;

/** Rates, open holds, and open quotes per credential. */
export const DEFAULT_LIMITS: Required<Omit<PrincipalLimits, "step_up_amount">> = {
  rpm: 1200,
  burst: 200,
  max_open_holds: 20,
  max_open_quotes: 1000,
  max_booking_amount: null,
};

export const NO_LIMITS: PrincipalLimits = {
  rpm: null,
  burst: null,
  max_open_holds: null,
  max_open_quotes: null,
  max_booking_amount: null,
};

type Stored =
  | "scopes"
  | "property_ids"
  | "limits"
  | "daily_summary"
  | "return_origins"
  | "sells_directly";

interface AgentRow extends Omit<Agent, Stored> {
  readonly scopes: string;
  readonly property_ids: string | null;
  readonly limits: string;
  readonly daily_summary: string | null;
  readonly return_origins: string | null;
  readonly sells_directly: number | null;
}

const LAST_SEEN = [
  `(SELECT max(last_used_at) FROM credential
    WHERE credential.agent_id = agent.agent_id) AS last_seen_at`,
];

function agentOf(row: AgentRow): Agent {
  return {
    ...row,
    scopes: row.scopes.split(" ").filter((scope) => scope !== ""),
    property_ids: row.property_ids === null ? null : JSON.parse(row.property_ids),
    limits: JSON.parse(row.limits),
    daily_summary: row.daily_summary === null ? null : JSON.parse(row.daily_summary),
    return_origins: originsOf(row),
    sells_directly: row.sells_directly === 1,
  };
}

/** The origins of a stored agent. */
export function originsOf({ return_origins }: Pick<AgentRow, "return_origins">): readonly string[] {
  return return_origins === null ? [] : JSON.parse(return_origins);
}

type PageTerms = Pick<NewAgent, "return_origins" | "sells_directly">;

/** Null stands for the default. */
function rowPartOf({ return_origins = [], sells_directly = false }: PageTerms) {
  const origins = return_origins.length === 0 ? null : return_origins;
  return [textOrNull(origins), sells_directly ? 1 : null] as const;
}

function textOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function defaultScopes(kind: PrincipalKind): readonly string[] {
  return kind === "operator" ? [...DEFAULT_SCOPES, "admin:*"] : DEFAULT_SCOPES;
}

/** Number of agents with that name created since. */
export function countAgents(
  store: ControlStore,
  tenantId: string,
  { name, sinceMs }: { readonly name: string; readonly sinceMs: number },
): number {
  const count = `SELECT count(*) AS n FROM agent
    WHERE tenant_id = ? AND name = ? AND created_at > ?`;
  return store.db
    .query<{ n: number }, [string, string, number]>(count)
    .get(tenantId, name, sinceMs)!.n;
}

/** Creates an active agent and returns its id. Throws when the tenant is unknown. */
export function createAgent(store: ControlStore, tenantId: string, agent: NewAgent): string {
  const agentId = newId("agt");
  const insert = `INSERT INTO agent (agent_id, tenant_id, name, kind, mode, state, scopes,
    property_ids, limits, contact, return_origins, sells_directly, created_at)
    VALUES (?, ?, ?, ?, ?, 'active', ?, ?, ?, ?, ?, ?, ?)`;
  store.write(() => {
    store.db
      .query(insert)
      .run(
        agentId,
        tenantId,
        agent.name,
        agent.kind,
        agent.mode,
        (agent.scopes ?? defaultScopes(agent.kind)).join(" "),
        textOrNull(agent.property_ids ?? null),
        JSON.stringify({ ...DEFAULT_LIMITS, ...agent.limits }),
        agent.contact ?? null,
        ...rowPartOf(agent),
        Date.now(),
      );
    stamp(store.db, "agent", agentId);
  });
  return agentId;
}

/** The agent in any realm, or null. */
export function agentById(store: ControlStore, agentId: string): Agent | null {
  const row = soundRow<AgentRow>(store.db, "agent", agentId, LAST_SEEN);
  return row && agentOf(row);
}

/** The agent if it belongs to the realm, else null. */
export function findAgent(store: ControlStore, realm: Realm, agentId: string): Agent | null {
  const agent = agentById(store, agentId);
  return agent?.tenant_id === realm.tenant_id && agent.mode === realm.mode ? agent : null;
}

/** The realm's agents, newest first. */
export function listAgents(store: ControlStore, realm: Realm): Agent[] {
  const select = `${selectOf("agent", LAST_SEEN)} WHERE tenant_id = ? AND mode = ?
    ORDER BY created_at DESC, agent_id DESC`;
  const rows = store.db.query<AgentRow, [string, Mode]>(select).all(realm.tenant_id, realm.mode);
  return soundRows("agent", rows).map(agentOf);
}

/** Active operators of all tenants with a daily summary and the scope for key figures. */
export function summaryReaders(db: Database): Agent[] {
  const select = `${selectOf("agent", LAST_SEEN)}
    WHERE daily_summary IS NOT NULL AND kind = 'operator' AND state = 'active'`;
  const found = soundRows("agent", db.query<AgentRow, []>(select).all()).map(agentOf);
  return found.filter(({ scopes }) => coversScope(new Set(scopes), "admin:kpis"));
}

/**
 * Changes an agent and its version; revoking it revokes its credentials. False when the agent is
 * unknown or already revoked (terminal).
 */
export function changeAgent(store: ControlStore, agentId: string, change: AgentChange): boolean {
  return store.write(() => {
    const known = agentById(store, agentId);
    if (known === null || known.state === "revoked") return false;
    const next = { ...known, ...change };
    const update = `UPDATE agent SET name = ?, state = ?, scopes = ?, property_ids = ?, limits = ?,
      contact = ?, daily_summary = ?, return_origins = ?, sells_directly = ?, version = version + 1 WHERE agent_id = ?`;
    store.db
      .query(update)
      .run(
        next.name,
        next.state,
        next.scopes.join(" "),
        textOrNull(next.property_ids),
        JSON.stringify({ ...known.limits, ...change.limits }),
        next.contact,
        textOrNull(next.daily_summary),
        ...rowPartOf(next),
        agentId,
      );
    stamp(store.db, "agent", agentId);
    if (next.state === "revoked") revokeCredentialsOf(store, agentId);
    return true;
  });
}
