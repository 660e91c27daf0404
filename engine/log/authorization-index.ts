/**
 * The table of booking authorizations and its searches: by agent for decisions, by state for the
 * operators' lists. It came after 0.3.0, so a journal of that version gets it at its first start.
 */
import type { Database } from "bun:sqlite";
import type { Authorization } from "../core/authorization.ts";
import type { AuthorizationStateAt } from "../core/authorization-terms.ts";
import type { Realm } from "../core/supply.ts";
import type { Owned } from "../core/visibility.ts";
import { type Condition, findIds, isOneOf } from "./id-search.ts";

/** Column → the member of an authorization that it repeats. */
export const AUTHORIZATION_COLUMNS = {
  tenant_id: ({ tenant_id }: Authorization) => tenant_id,
  mode: ({ mode }: Authorization) => mode,
  agent_id: ({ agent_id }: Authorization) => agent_id,
  property_id: ({ property_id }: Authorization) => property_id,
  expires_at: ({ expires_at }: Authorization) => expires_at,
  state: ({ state }: Authorization) => state,
} as const;

export const AUTHORIZATION_TABLES = `
CREATE TABLE authorizations(
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  doc TEXT NOT NULL,
  crc INTEGER NOT NULL) STRICT;
CREATE INDEX authorizations_live ON authorizations(tenant_id, mode, agent_id, expires_at)
  WHERE state IN ('pending', 'approved');
CREATE INDEX authorizations_state ON authorizations(tenant_id, mode, state, id);
`;

/** The condition of the agent's authorizations that can still lead to a booking at an instant. */
export const LIVE_SQL = `tenant_id = ? AND mode = ? AND agent_id = ?
  AND state IN ('pending', 'approved') AND expires_at > ?`;

/** Whether `LIVE_SQL` finds it for these values. */
export function isLive(
  authorization: Authorization,
  of: Owned & { readonly atMs: number },
): boolean {
  const { tenant_id, mode, agent_id, state, expires_at } = authorization;
  const isOwn = tenant_id === of.tenant_id && mode === of.mode && agent_id === of.agent_id;
  return isOwn && (state === "pending" || state === "approved") && expires_at > of.atMs;
}

/** Ids of all that are live at an instant, of one realm if given: for clocks, which move rarely. */
export function liveIds(db: Database, atMs: number, realm?: Realm): string[] {
  const sql = `SELECT id FROM authorizations INDEXED BY authorizations_live
    WHERE state IN ('pending', 'approved') AND expires_at > ?`;
  const found = realm
    ? db
        .query<{ id: string }, [number, string, string]>(`${sql} AND tenant_id = ? AND mode = ?`)
        .all(atMs, realm.tenant_id, realm.mode)
    : db.query<{ id: string }, [number]>(sql).all(atMs);
  return found.map(({ id }) => id).sort();
}

/** What operators look for; absent members match everything. */
export interface AuthorizationQuery extends Realm {
  /** Null for all. */
  readonly property_ids: readonly string[] | null;
  readonly agent_id?: string;
  readonly state?: AuthorizationStateAt;
  /** The instant for which `state` is meant. */
  readonly atMs: number;
  /** Ids sort by creation: from the first on, before the second. */
  readonly ids: readonly [from: string, before: string];
}

const STATES = ["pending", "approved", "consumed", "revoked"] as const;

/** The stored states, and whether their time must be over; null when that does not matter. */
function storedStates(state: AuthorizationStateAt | undefined) {
  switch (state) {
    case undefined:
      return { states: STATES, isOver: null };
    case "expired":
      return { states: ["pending", "approved"], isOver: true };
    case "pending":
    case "approved":
      return { states: [state], isOver: false };
    default:
      return { states: [state], isOver: null };
  }
}

/** Ids of matching authorizations, newest first; of more than `limit` it returns any `limit`. */
export function findAuthorizations(
  db: Database,
  { tenant_id, mode, property_ids, agent_id, state, atMs, ids }: AuthorizationQuery,
  limit: number,
): string[] {
  const { states, isOver } = storedStates(state);
  const conditions: Condition[] = [
    ["tenant_id = ? AND mode = ?", tenant_id, mode],
    isOneOf("state", states),
    ["id >= ? AND id < ?", ...ids],
  ];
  if (isOver !== null) conditions.push([`expires_at ${isOver ? "<=" : ">"} ?`, atMs]);
  if (agent_id !== undefined) conditions.push(["agent_id = ?", agent_id]);
  if (property_ids !== null) conditions.push(isOneOf("property_id", property_ids));
  const from = "authorizations INDEXED BY authorizations_state";
  return findIds(db, { id: "id", from }, conditions, limit);
}
