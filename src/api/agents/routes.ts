/**
 * `/v1/admin/agents` (domain §10): who may call. An operator sees and changes the agents of its own
 * tenant and mode, cannot lock itself out, and hands out no right that it does not have.
 */
import {
  type Agent,
  type AgentChange,
  changeAgent,
  createAgent,
  DEFAULT_SCOPES,
  findAgent,
  listAgents,
} from "../../control/agents.ts";
import { findCredential, issueCredential, listCredentials } from "../../control/credentials.ts";
import type { ControlStore } from "../../control/store.ts";
import type { Call, ProtectedRoute } from "../../http/call.ts";
import {
  type ControlOutcome,
  type ControlRefusal,
  controlWrite,
  invalidInput,
} from "../../http/control-call.ts";
import { readIfMatch, versionMismatch } from "../../http/if-match.ts";
import { bad, good, invalid } from "../../http/respond.ts";
import type { FieldError } from "../../http/validate.ts";
import { type Grant, grantFaults, grantRefusal } from "./grants.ts";
import {
  agentActions,
  agentOfPath,
  agentOut,
  credentialOut,
  issuedOut,
  revokedConflict,
} from "./records.ts";
import {
  type AgentPatchRequest,
  type AgentRequest,
  checkAgent,
  checkAgentPatch,
  expiryMs,
  expiryProblems,
} from "./schemas.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:agents" } as const;

/** A live operator must not mint test agents, nor the other way round: the modes never meet. */
function modeFaults(call: Call, { mode }: AgentRequest): FieldError[] {
  const own = call.principal.mode;
  if (mode === undefined || mode === own) return [];
  const expected = `${own}: a credential makes agents of its own mode only`;
  return [{ path: "/mode", message: "is another mode than the credential's", expected }];
}

function create(call: Call): Promise<Response> {
  const body = call.body as AgentRequest;
  const { tenant_id, mode, property_ids: own } = call.principal;
  const { name, kind, contact = null, limits = {} } = body;
  const ownIds = own && [...own];
  const grant: Grant = {
    scopes: body.scopes ?? DEFAULT_SCOPES,
    property_ids: body.property_ids === undefined ? ownIds : body.property_ids,
  };
  return controlWrite(call, (store) => {
    const nowMs = call.deps.now();
    const faults = [
      ...modeFaults(call, body),
      ...grantFaults(call, kind, grant),
      ...expiryProblems(body, nowMs),
    ];
    if (faults.length > 0) return invalidInput(faults);
    const refused = grantRefusal(call.principal, grant);
    if (refused) return refused;
    const agentId = createAgent(store, tenant_id, { name, kind, mode, contact, limits, ...grant });
    const issued = issueCredential(store, agentId, expiryMs(body));
    const credential = findCredential(store, agentId, issued.credential_id, nowMs)!;
    return {
      ok: true,
      status: 201,
      data: { ...changedOut(call, store, agentId), credential: issuedOut(credential, issued) },
      actions: agentActions(call, agentId),
    };
  });
}

function list(call: Call): Response {
  const items = listAgents(call.deps.store, call.principal).map(agentOut);
  return good(call, { data: { items } });
}

function show(call: Call): Response {
  const { store, now } = call.deps;
  const found = agentOfPath(call, store);
  if (!found.ok) return bad(call, found);
  const credentials = listCredentials(store, found.agent.agent_id, now()).map(credentialOut);
  return good(call, { data: { ...agentOut(found.agent), credentials } });
}

function changedOut(call: Call, store: ControlStore, agentId: string) {
  return agentOut(findAgent(store, call.principal, agentId)!);
}

/** Rights that the change adds to those the agent has. */
function addedBy({ scopes = [], property_ids }: AgentChange, agent: Agent): Grant {
  const added = scopes.filter((scope) => !agent.scopes.includes(scope));
  const had = agent.property_ids;
  if (property_ids === undefined || had === null) return { scopes: added, property_ids: [] };
  return { scopes: added, property_ids: property_ids?.filter((id) => !had.includes(id)) ?? null };
}

/** An operator that has shut itself out could not undo it. */
function ownRefusal(call: Call, change: AgentChange, agent: Agent): ControlRefusal | null {
  if (agent.agent_id !== call.principal.agent_id) return null;
  const isEnded = change.state !== undefined && change.state !== agent.state;
  const may = (scopes: readonly string[]) =>
    scopes.includes("admin:*") || scopes.includes(ACCESS.scope);
  if (!isEnded && (change.scopes === undefined || may(change.scopes))) return null;
  const detail = { reason: "own_agent", agent_id: agent.agent_id };
  return { ok: false, code: "conflict", detail };
}

function applyChange(
  call: Call,
  store: ControlStore,
  agent: Agent,
  change: AgentChange,
): ControlOutcome {
  const { agent_id } = agent;
  if (agent.state === "revoked") return revokedConflict(agent_id);
  const own = ownRefusal(call, change, agent);
  if (own) return own;
  const faults = grantFaults(call, agent.kind, change);
  if (faults.length > 0) return invalidInput(faults);
  const refused = grantRefusal(call.principal, addedBy(change, agent));
  if (refused) return refused;
  if (Object.keys(change).length > 0) changeAgent(store, agent_id, change);
  const data = changedOut(call, store, agent_id);
  return { ok: true, data, actions: agentActions(call, agent_id) };
}

function patch(call: Call): Response | Promise<Response> {
  const { idempotency_key: _key, ...change } = call.body as AgentPatchRequest;
  const seen = readIfMatch(call.request);
  if (!seen.ok) return invalid(call, seen.errors);
  return controlWrite(call, (store) => {
    const found = agentOfPath(call, store);
    if (!found.ok) return found;
    const { agent_id, version } = found.agent;
    const stale = versionMismatch(seen.version, version, { agent_id });
    return stale ?? applyChange(call, store, found.agent, change);
  });
}

function remove(call: Call): Promise<Response> {
  return controlWrite(call, (store) => {
    const found = agentOfPath(call, store);
    if (!found.ok) return found;
    // Whoever revokes twice has what it wants.
    if (found.agent.state === "revoked") return { ok: true, data: agentOut(found.agent) };
    return applyChange(call, store, found.agent, { state: "revoked" });
  });
}

const PATH = "/v1/admin/agents";
const WRITE = { access: ACCESS, reads: "json", key: "accepted" } as const;

export const adminAgentRoutes: readonly ProtectedRoute[] = [
  { method: "GET", path: PATH, access: ACCESS, handle: list },
  { ...WRITE, method: "POST", path: PATH, check: checkAgent, handle: create },
  { method: "GET", path: `${PATH}/:id`, access: ACCESS, handle: show },
  { ...WRITE, method: "PATCH", path: `${PATH}/:id`, check: checkAgentPatch, handle: patch },
  { method: "DELETE", path: `${PATH}/:id`, access: ACCESS, key: "accepted", handle: remove },
];
