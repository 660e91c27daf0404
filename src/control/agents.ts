/** Agents: who may call, with which scopes, on which properties, up to which limits. */
import type { Mode } from "../../engine/core/supply.ts";
import type { PrincipalKind, PrincipalLimits } from "../auth/principal.ts";
import { type ControlStore, newId } from "./store.ts";

export type AgentState = "active" | "suspended" | "revoked";

export interface NewAgent {
  readonly name: string;
  readonly kind: PrincipalKind;
  readonly mode: Mode;
  /** Left out: the defaults of the kind. */
  readonly scopes?: readonly string[];
  /** Left out or null: every property of the tenant and mode. */
  readonly property_ids?: readonly string[] | null;
  /** A limit that is left out gets its default; null means none. */
  readonly limits?: Partial<PrincipalLimits>;
}

/** What a new agent may do unless told otherwise: everything but administration (rules §3). */
export const DEFAULT_SCOPES: readonly string[] = [
  "supply:read",
  "search",
  "quotes",
  "holds",
  "bookings:read",
  "bookings:write",
  "bookings:cancel",
];

/** Rules §3 (rates, open holds) and the read path's bound on open quotes per credential. */
export const DEFAULT_LIMITS: PrincipalLimits = {
  rpm: 1200,
  burst: 200,
  max_open_holds: 20,
  max_open_quotes: 1000,
  max_booking_amount: null,
};

function defaultScopes(kind: PrincipalKind): readonly string[] {
  return kind === "operator" ? [...DEFAULT_SCOPES, "admin:*"] : DEFAULT_SCOPES;
}

/** Creates an active agent of the tenant and returns its id. Throws when the tenant is unknown. */
export function createAgent(store: ControlStore, tenantId: string, agent: NewAgent): string {
  const agentId = newId("agt");
  const propertyIds = agent.property_ids ?? null;
  const insert = `INSERT INTO agent (agent_id, tenant_id, name, kind, mode, state, scopes,
    property_ids, limits, created_at) VALUES (?, ?, ?, ?, ?, 'active', ?, ?, ?, ?)`;
  store.write(() =>
    store.db
      .query(insert)
      .run(
        agentId,
        tenantId,
        agent.name,
        agent.kind,
        agent.mode,
        (agent.scopes ?? defaultScopes(agent.kind)).join(" "),
        propertyIds === null ? null : JSON.stringify(propertyIds),
        JSON.stringify({ ...DEFAULT_LIMITS, ...agent.limits }),
        Date.now(),
      ),
  );
  return agentId;
}

/** Sets an agent's state; false when the agent is unknown or revoked, which is terminal. */
export function setAgentState(store: ControlStore, agentId: string, state: AgentState): boolean {
  const update = "UPDATE agent SET state = ? WHERE agent_id = ? AND state <> 'revoked'";
  return store.write(() => store.db.query(update).run(state, agentId).changes === 1);
}
