/** The table of oversell incidents, and the search for operators' lists. It came after 0.3.0. */
import type { Database } from "bun:sqlite";
import type { OversellIncident } from "../core/oversell-incident.ts";
import { INCIDENT_STATES, type IncidentState } from "../core/oversell-terms.ts";
import type { Realm } from "../core/supply.ts";
import { findIds, isOneOf } from "./id-search.ts";

/** Column → the member of an incident that it repeats. */
export const INCIDENT_COLUMNS = {
  tenant_id: ({ tenant_id }: OversellIncident) => tenant_id,
  mode: ({ mode }: OversellIncident) => mode,
  property_id: ({ property_id }: OversellIncident) => property_id,
  state: ({ state }: OversellIncident) => state,
} as const;

export const INCIDENT_TABLES = `
CREATE TABLE oversell_incidents(
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  property_id TEXT NOT NULL,
  state TEXT NOT NULL,
  doc TEXT NOT NULL,
  crc INTEGER NOT NULL) STRICT;
CREATE INDEX oversell_incidents_state ON oversell_incidents(tenant_id, mode, state, id);
`;

/** What operators look for; absent members match everything. */
export interface IncidentQuery extends Realm {
  /** Null for all. */
  readonly property_ids: readonly string[] | null;
  readonly state?: IncidentState;
  /** Ids sort by creation: from the first on, before the second. */
  readonly ids: readonly [from: string, before: string];
}

/** Ids of matching incidents, newest first; of more than `limit` it returns any `limit`. */
export function findIncidents(
  db: Database,
  { tenant_id, mode, property_ids, state, ids }: IncidentQuery,
  limit: number,
): string[] {
  const conditions = [
    ["tenant_id = ? AND mode = ?", tenant_id, mode] as const,
    isOneOf("state", state ? [state] : INCIDENT_STATES),
    ["id >= ? AND id < ?", ...ids] as const,
    ...(property_ids === null ? [] : [isOneOf("property_id", property_ids)]),
  ];
  const from = "oversell_incidents INDEXED BY oversell_incidents_state";
  return findIds(db, { id: "id", from }, conditions, limit);
}
