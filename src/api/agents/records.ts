/** Agents and credentials as their operator sees them. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { type Agent, findAgent } from "../../access/control/agents.ts";
import type { Credential, IssuedCredential } from "../../access/control/credentials.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { rightsRefusal } from "./grants.ts";

function iso(ms: number | null): string | null {
  return ms === null ? null : instantIso(ms);
}

/** An agent on the wire; its tenant is the caller's. */
export function agentOut(agent: Agent) {
  const { agent_id, name, kind, state, mode, scopes, property_ids, limits } = agent;
  const { contact, daily_summary, return_origins, sells_directly } = agent;
  const { rpm, burst, max_booking_amount, max_open_holds, max_open_quotes } = limits;
  const { step_up_amount = null } = limits;
  return {
    ...{ agent_id, name, kind, state, mode, scopes, property_ids },
    limits: { rpm, burst, max_booking_amount, max_open_holds, max_open_quotes, step_up_amount },
    ...{ contact, daily_summary, return_origins, sells_directly },
    created_at: instantIso(agent.created_at),
    last_seen_at: iso(agent.last_seen_at),
    version: agent.version,
  };
}

/** A credential on the wire, without its secret. */
export function credentialOut(credential: Credential) {
  const { credential_id, prefix, last4, state } = credential;
  return {
    ...{ credential_id, prefix, last4, state },
    created_at: instantIso(credential.created_at),
    expires_at: iso(credential.expires_at),
    retire_at: iso(credential.retire_at),
    last_used_at: iso(credential.last_used_at),
  };
}

/** A new credential with its secret, which is shown once. */
export function issuedOut(credential: Credential, { secret }: IssuedCredential) {
  return { ...credentialOut(credential), secret };
}

/** A call that names an agent in its path. */
export type AtAgent = Call<unknown, "id">;

type Found = { readonly ok: true; readonly agent: Agent } | Refusal;

/** The agent of the path, or the refusal; unknown and foreign ids have the same answer. */
export function agentOfPath(call: AtAgent, store: ControlStore): Found {
  const agent_id = call.params.id;
  const agent = findAgent(store, call.principal, agent_id);
  if (agent !== null) return { ok: true, agent };
  return refuse("agent_not_found", { agent_id });
}

/** The same for changes: an agent with more rights than the caller is refused. */
export function agentToChange(call: AtAgent, store: ControlStore): Found {
  const found = agentOfPath(call, store);
  return found.ok ? (rightsRefusal(call, found.agent) ?? found) : found;
}

/** The read of the agent. */
export function agentActions(call: Call, agentId: string): NextAction[] {
  return permitted([action("get", "GET", `/v1/admin/agents/${agentId}`)], call.may);
}

/** Refusal of a change to a revoked object. */
export function revokedConflict(agent_id: string): Refusal {
  return refuse("conflict", { reason: "revoked", agent_id });
}
