/** In-memory credentials, people and agents, built by `ControlView`. */
import type { Mode } from "../../../engine/core/supply.ts";
import { type AgentState, originsOf } from "./agents.ts";
import { type Principal, type PrincipalKind, sharedIds, sharedScopes } from "./principal.ts";

export interface CredentialEntry {
  /** Built once, so that a successful look-up allocates nothing. */
  readonly authenticated: { readonly ok: true; readonly principal: Principal };
  readonly state: "active" | "retiring" | "revoked";
  readonly agent_state: AgentState;
  /** The agent sells on hotels' own pages; a person of it does not. */
  readonly sells_directly: boolean;
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
  readonly return_origins: string | null;
  readonly sells_directly: number | null;
}

/** The agent's part of a principal, shared by its credentials. */
export interface AgentTerms {
  readonly state: AgentState;
  readonly terms: Omit<Principal, "credential_id">;
  readonly return_origins: readonly string[];
  readonly sells_directly: boolean;
}

export interface CredentialRow {
  readonly credential_id: string;
  readonly agent_id: string;
  readonly secret_hash: string;
  readonly state: CredentialEntry["state"];
  readonly expires_at: number | null;
  readonly retire_at: number | null;
}

export interface PersonRow {
  readonly person_id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly state: AgentState;
  readonly scopes: string;
  readonly property_ids: string | null;
}

function scopesIn(text: string): Set<string> {
  return new Set(text.split(" ").filter((scope) => scope !== ""));
}

function idsIn(text: string | null): Set<string> | null {
  return text === null ? null : new Set<string>(JSON.parse(text));
}

/** The part of a principal that an agent's credentials share. */
export function termsOf(row: AgentRow): AgentTerms {
  const { agent_id, tenant_id, kind, mode, state, scopes, property_ids, limits } = row;
  const terms = {
    ...{ agent_id, tenant_id, kind, mode },
    scopes: scopesIn(scopes),
    property_ids: idsIn(property_ids),
    limits: JSON.parse(limits),
  };
  const sells_directly = row.sells_directly === 1;
  return { state, terms, return_origins: originsOf(row), sells_directly };
}

/** The entry of a credential of that agent. */
export function entryOf(row: CredentialRow, agent: AgentTerms): CredentialEntry {
  const { credential_id } = row;
  const { state, terms, sells_directly } = agent;
  return {
    authenticated: { ok: true, principal: { ...terms, credential_id } },
    state: row.state,
    agent_state: state,
    sells_directly,
    valid_until: Math.min(row.expires_at ?? Infinity, row.retire_at ?? Infinity),
  };
}

/**
 * The entry of a person of that agent: a credential without a secret, with the rights that both
 * have.
 */
export function personEntryOf(row: PersonRow, { state, terms }: AgentTerms): CredentialEntry {
  const { person_id } = row;
  const scopes = sharedScopes(scopesIn(row.scopes), terms.scopes);
  const property_ids = sharedIds(idsIn(row.property_ids), terms.property_ids);
  const principal = { ...terms, scopes, property_ids, credential_id: person_id, person_id };
  return {
    authenticated: { ok: true, principal },
    state: row.state === "revoked" ? "revoked" : "active",
    agent_state: row.state === "suspended" && state === "active" ? "suspended" : state,
    sells_directly: false,
    valid_until: Infinity,
  };
}
