/**
 * `/v1/admin/agents`. An operator sees and changes the agents of its own tenant and
 * mode. It cannot lock itself out, grant a right that its credential lacks, or change an agent with
 * such a right.
 */
import {
  type Agent,
  type AgentChange,
  changeAgent,
  createAgent,
  DEFAULT_SCOPES,
  findAgent,
  listAgents,
} from "../../access/control/agents.ts";
import {
  findCredential,
  issueCredential,
  listCredentials,
} from "../../access/control/credentials.ts";
import { limitsWithin, type Rights } from "../../access/control/rights.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlWrite, type Ending } from "../../http/control-write.ts";
import { versionMismatch } from "../../http/if-match.ts";
import { AS_TABLE, FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { type FieldError, json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import { connectionOf } from "./connection.ts";
import {
  grantFaults,
  namedProperties,
  pageFaults,
  rightsRefusal,
  summaryFaults,
} from "./grants.ts";
import {
  type AtAgent,
  agentActions,
  agentOfPath,
  agentOut,
  agentToChange,
  credentialOut,
  issuedOut,
  revokedConflict,
} from "./records.ts";
import {
  AgentBody,
  AgentPatchBody,
  type AgentPatchRequest,
  type AgentRequest,
  expiryMs,
  expiryProblems,
} from "./requests.ts";
import { Agent as AgentAnswer, AgentDetail, AgentList, CreatedAgent } from "./responses.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:agents", touches: "agents" } as const;

/** An operator creates agents of its own mode only. */
function modeFaults(call: Call, { mode }: AgentRequest): FieldError[] {
  const own = call.principal.mode;
  if (mode === undefined || mode === own) return [];
  const expected = `${own}: a credential creates agents of its own mode only`;
  return [{ path: "/mode", message: "differs from the credential's mode", expected }];
}

function create(call: Call<AgentRequest>): Promise<ControlOutcome> {
  const { body } = call;
  const { tenant_id, mode, property_ids: own, limits } = call.principal;
  const { name, kind, contact = null, return_origins = [], sells_directly = false } = body;
  const pageTerms = { return_origins, sells_directly };
  const ownIds = own && [...own];
  const rights: Rights = {
    scopes: body.scopes ?? DEFAULT_SCOPES,
    property_ids:
      body.property_ids === undefined ? ownIds : namedProperties(call, body.property_ids),
    limits: limitsWithin(limits, body.limits ?? {}),
  };
  return controlWrite(call, (store) => {
    const nowMs = call.context.now();
    const faults = [
      ...modeFaults(call, body),
      ...grantFaults(call, kind, rights),
      ...pageFaults({ kind, mode, ...pageTerms }),
      ...expiryProblems(body, nowMs),
    ];
    if (faults.length > 0) return invalid(faults);
    const refused = rightsRefusal(call, rights);
    if (refused) return refused;
    const terms = { name, kind, mode, contact, ...rights, ...pageTerms };
    const agentId = createAgent(store, tenant_id, terms);
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

function list(call: Call): Success {
  const items = listAgents(call.context.store, call.principal).map(agentOut);
  return { ok: true, data: { items } };
}

function show(call: AtAgent): Success | Refusal {
  const { store, now } = call.context;
  const found = agentOfPath(call, store);
  if (!found.ok) return found;
  const { agent_id } = found.agent;
  const known = listCredentials(store, agent_id, now());
  const connection = connectionOf(call.context, agent_id, known);
  const credentials = known.map(credentialOut);
  return { ok: true, data: { ...agentOut(found.agent), credentials, connection } };
}

function changedOut(call: Call, store: ControlStore, agentId: string) {
  return agentOut(findAgent(store, call.principal, agentId)!);
}

/** An operator that locks itself out could not undo it. */
function ownRefusal(call: Call, change: AgentChange, agent: Agent): Refusal | null {
  if (agent.agent_id !== call.principal.agent_id) return null;
  const isEnded = change.state !== undefined && change.state !== agent.state;
  const may = (scopes: readonly string[]) =>
    scopes.includes("admin:*") || scopes.includes(ACCESS.scope);
  if (!isEnded && (change.scopes === undefined || may(change.scopes))) return null;
  const detail = { reason: "own_agent", agent_id: agent.agent_id };
  return refuse("conflict", detail);
}

function applyChange(
  call: Call,
  store: ControlStore,
  agent: Agent,
  change: AgentChange,
  ending: Ending,
): ControlOutcome {
  const { agent_id } = agent;
  if (agent.state === "revoked") return revokedConflict(agent_id);
  const own = ownRefusal(call, change, agent);
  if (own) return own;
  const limits = { ...agent.limits, ...change.limits };
  const next = { ...agent, ...change, limits };
  const summary = change.daily_summary === undefined ? [] : summaryFaults(next);
  const faults = [...grantFaults(call, agent.kind, change), ...summary, ...pageFaults(next)];
  if (faults.length > 0) return invalid(faults);
  const refused = rightsRefusal(call, next);
  if (refused) return refused;
  const isEnded = change.state !== undefined && change.state !== "active";
  if (isEnded) ending({ kind: "agent", id: agent_id });
  if (Object.keys(change).length > 0) changeAgent(store, agent_id, change);
  const data = changedOut(call, store, agent_id);
  return { ok: true, data, actions: agentActions(call, agent_id) };
}

function patch(call: Call<AgentPatchRequest, "id">): Promise<ControlOutcome> {
  const { idempotency_key: _key, property_ids: named, ...others } = call.body;
  const granted = named === undefined ? {} : { property_ids: namedProperties(call, named) };
  const change = { ...others, ...granted };
  return controlWrite(call, (store, ending) => {
    const found = agentToChange(call, store);
    if (!found.ok) return found;
    const { agent_id, version } = found.agent;
    const stale = versionMismatch(call.seenVersion, version, { agent_id });
    return stale ?? applyChange(call, store, found.agent, change, ending);
  });
}

function remove(call: AtAgent): Promise<ControlOutcome> {
  return controlWrite(call, (store, ending) => {
    const found = agentToChange(call, store);
    if (!found.ok) return found;
    // A second revocation succeeds.
    if (found.agent.state === "revoked") return { ok: true, data: agentOut(found.agent) };
    return applyChange(call, store, found.agent, { state: "revoked" }, ending);
  });
}

const AGENTS = { tag: "Access administration", access: ACCESS } as const;
const AT_AGENT = {
  ...AGENTS,
  path: "/v1/admin/agents/:id",
  params: { id: pathId("Id of the agent.") },
} as const;

export const agentRoutes = [
  route({
    ...AGENTS,
    id: "list_agents",
    method: "GET",
    path: "/v1/admin/agents",
    summary: "List the agents",
    description: "All agents of the tenant and mode; complete.",
    query: { format: FORMAT },
    renderer: "table",
    success: {
      status: 200,
      description: "The agents, newest first.",
      data: AgentList,
      alternatives: AS_TABLE,
    },
    errors: [],
    handle: list,
  }),
  route({
    ...AGENTS,
    id: "create_agent",
    method: "POST",
    path: "/v1/admin/agents",
    summary: "Create an agent with a credential",
    description:
      "The secret is shown once; a replay shows null. The caller cannot grant rights that its " +
      "own credential lacks. An omitted limit is the default, or the caller's own if that is " +
      "lower. `return_origins`: where checkout pages may lead back to. `sells_directly`: guests " +
      "book on the hotels' own pages, with this agent's rights and limits.",
    key: "accepted",
    body: json(AgentBody),
    readsReplica: true,
    success: { status: 201, description: "The agent and its secret.", data: CreatedAgent },
    errors: [],
    handle: create,
  }),
  route({
    ...AT_AGENT,
    id: "get_agent",
    method: "GET",
    summary: "Get an agent with its credentials",
    description:
      "Credentials are listed without secrets. The `ETag` changes with them too; use it in " +
      "`If-Match` of a change.",
    etag: "version_and_content",
    success: { status: 200, description: "The agent.", data: AgentDetail },
    errors: ["agent_not_found"],
    handle: show,
  }),
  route({
    ...AT_AGENT,
    id: "update_agent",
    method: "PATCH",
    summary: "Change an agent",
    description:
      "Omitted fields stay. Revoking ends all credentials permanently. Neither the current nor " +
      "the new rights may exceed the caller's. `daily_summary` sends an operator with " +
      "`admin:kpis` the key figures of its properties by mail, once a day.",
    key: "accepted",
    takesIfMatch: true,
    body: json(AgentPatchBody),
    readsReplica: true,
    success: { status: 200, description: "The agent.", data: AgentAnswer },
    errors: ["agent_not_found", "conflict"],
    handle: patch,
  }),
  route({
    ...AT_AGENT,
    id: "revoke_agent",
    method: "DELETE",
    summary: "Revoke an agent",
    description:
      "Permanently, with all its credentials. The agent may not have more rights than the " +
      "caller. Revoking twice has the same answer.",
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The revoked agent.", data: AgentAnswer },
    errors: ["agent_not_found", "conflict"],
    handle: remove,
  }),
];
