/** In-memory credentials and agents, built by `ControlView`. */
import type { Mode } from "../../../engine/core/supply.ts";
import type { AgentState } from "./agents.ts";
import type { Principal, PrincipalKind } from "./principal.ts";

export interface CredentialEntry {
  /** Built once, so that a successful look-up allocates nothing. */
  readonly authenticated: { readonly ok: true; readonly principal: Principal };
  readonly state: "active" | "retiring" | "revoked";
  readonly agent_state: AgentState;
  /** Epoch milliseconds of expiry or retirement, whichever is first, or Infinity. */
  readonly valid_until: number;
}

export interface AgentRow {
  readonly agent_id: string;
  readonly tenant_id: string;
  readonly kind: PrincipalKind;
  readonly mode: Mode;
  readonly state: AgentState;
  readonly scopes: string;
  readonly property_ids: string | null;
  readonly limits: string;
}

/** The agent's part of a principal, shared by its credentials. */
export interface AgentTerms {
  readonly state: AgentState;
  readonly terms: Omit<Principal, "credential_id">;
}

export interface CredentialRow {
  readonly credential_id: string;
  readonly agent_id: string;
  readonly secret_hash: string;
  readonly state: CredentialEntry["state"];
  readonly expires_at: number | null;
  readonly retire_at: number | null;
}

/** The part of a principal that an agent's credentials share. */
export function termsOf(row: AgentRow): AgentTerms {
  const { agent_id, tenant_id, kind, mode, state, scopes, property_ids, limits } = row;
  const terms = {
    ...{ agent_id, tenant_id, kind, mode },
    scopes: new Set(scopes.split(" ").filter((scope) => scope !== "")),
    property_ids: property_ids === null ? null : new Set<string>(JSON.parse(property_ids)),
    limits: JSON.parse(limits),
  };
  return { state, terms };
}

/** The entry of a credential of that agent. */
export function entryOf(row: CredentialRow, { state, terms }: AgentTerms): CredentialEntry {
  const { credential_id } = row;
  return {
    authenticated: { ok: true, principal: { ...terms, credential_id } },
    state: row.state,
    agent_state: state,
    valid_until: Math.min(row.expires_at ?? Infinity, row.retire_at ?? Infinity),
  };
}
