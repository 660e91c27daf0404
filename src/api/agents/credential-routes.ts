/**
 * The credentials of an agent (domain §10). A secret is in the answer that issues it, and in the
 * replays of that answer, nowhere else.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Agent } from "../../control/agents.ts";
import {
  type Credential,
  findCredential,
  issueCredential,
  retireCredential,
  revokeCredential,
} from "../../control/credentials.ts";
import { writeNotice } from "../../control/notices.ts";
import type { ControlStore } from "../../control/store.ts";
import type { Call, ProtectedRoute } from "../../http/call.ts";
import {
  type ControlOutcome,
  type ControlRefusal,
  causeOf,
  controlWrite,
  invalidInput,
} from "../../http/control-call.ts";
import { grantRefusal } from "./grants.ts";
import { agentActions, agentOfPath, credentialOut, issuedOut, revokedConflict } from "./records.ts";
import {
  type CredentialRequest,
  checkCredential,
  checkRotate,
  expiryMs,
  expiryProblems,
  type RotateRequest,
} from "./schemas.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:agents" } as const;
const OVERLAP_S = 86_400;

/** The agent's credential of the path, or the refusal. */
function credentialOfPath(
  call: Call,
  store: ControlStore,
  { agent_id }: Agent,
): { readonly ok: true; readonly credential: Credential } | ControlRefusal {
  const credential_id = call.params.credential_id ?? "";
  const credential = findCredential(store, agent_id, credential_id, call.deps.now());
  if (credential) return { ok: true, credential };
  return { ok: false, code: "credential_not_found", detail: { agent_id, credential_id } };
}

/** Why the agent gets no further credential, if so. */
function issueRefusal(call: Call, agent: Agent, body: CredentialRequest): ControlRefusal | null {
  if (agent.state === "revoked") return revokedConflict(agent.agent_id);
  const faults = expiryProblems(body, call.deps.now());
  if (faults.length > 0) return invalidInput(faults);
  return grantRefusal(call.principal, agent);
}

/** A further credential of the agent, with its secret. */
function issued(call: Call, store: ControlStore, agentId: string, body: CredentialRequest) {
  const fresh = issueCredential(store, agentId, expiryMs(body));
  const { credential_id } = fresh;
  return issuedOut(findCredential(store, agentId, credential_id, call.deps.now())!, fresh);
}

function issue(call: Call): Promise<Response> {
  const body = (call.body ?? {}) as CredentialRequest;
  return controlWrite(call, (store) => {
    const found = agentOfPath(call, store);
    if (!found.ok) return found;
    const { agent_id } = found.agent;
    const refused = issueRefusal(call, found.agent, body);
    if (refused) return refused;
    const credential = issued(call, store, agent_id, body);
    const actions = agentActions(call, agent_id);
    return { ok: true, status: 201, data: { agent_id, credential }, actions };
  });
}

function rotated(
  call: Call,
  store: ControlStore,
  agent: Agent,
  body: RotateRequest,
): ControlOutcome {
  const { agent_id } = agent;
  const found = credentialOfPath(call, store, agent);
  if (!found.ok) return found;
  const refused = issueRefusal(call, agent, body);
  if (refused) return refused;
  const { credential_id, state } = found.credential;
  if (state !== "active") {
    const detail = { reason: "credential_not_active", agent_id, credential_id, state };
    return { ok: false, code: "conflict", detail };
  }
  const overlapMs = (body.overlap_s ?? OVERLAP_S) * 1000;
  const nowMs = call.deps.now();
  retireCredential(store, credential_id, nowMs + overlapMs);
  const previous = credentialOut(findCredential(store, agent_id, credential_id, nowMs)!);
  const credential = issued(call, store, agent_id, body);
  writeNotice(store, causeOf(call), {
    type: "credential.rotated",
    data: {
      agent_id,
      credential_id: credential.credential_id,
      previous_credential_id: credential_id,
      retire_at: instantIso(nowMs + overlapMs),
    },
  });
  const actions = agentActions(call, agent_id);
  return { ok: true, status: 201, data: { agent_id, credential, previous }, actions };
}

function rotate(call: Call): Promise<Response> {
  const body = (call.body ?? {}) as RotateRequest;
  return controlWrite(call, (store) => {
    const found = agentOfPath(call, store);
    return found.ok ? rotated(call, store, found.agent, body) : found;
  });
}

function removed(call: Call, store: ControlStore, agent: Agent): ControlOutcome {
  const { agent_id } = agent;
  const found = credentialOfPath(call, store, agent);
  if (!found.ok) return found;
  const { credential_id } = found.credential;
  if (credential_id === call.principal.credential_id) {
    const detail = { reason: "own_credential", agent_id, credential_id };
    return { ok: false, code: "conflict", detail };
  }
  revokeCredential(store, credential_id);
  const credential = findCredential(store, agent_id, credential_id, call.deps.now())!;
  const data = { agent_id, ...credentialOut(credential) };
  return { ok: true, data, actions: agentActions(call, agent_id) };
}

function remove(call: Call): Promise<Response> {
  return controlWrite(call, (store) => {
    const found = agentOfPath(call, store);
    return found.ok ? removed(call, store, found.agent) : found;
  });
}

const PATH = "/v1/admin/agents/:id/credentials";
const WRITE = { access: ACCESS, key: "accepted" } as const;
const OPTIONAL_BODY = { reads: "json", isBodyOptional: true } as const;

export const adminCredentialRoutes: readonly ProtectedRoute[] = [
  {
    ...WRITE,
    ...OPTIONAL_BODY,
    method: "POST",
    path: PATH,
    check: checkCredential,
    handle: issue,
  },
  {
    ...WRITE,
    ...OPTIONAL_BODY,
    method: "POST",
    path: `${PATH}/:credential_id/rotate`,
    check: checkRotate,
    handle: rotate,
  },
  { ...WRITE, method: "DELETE", path: `${PATH}/:credential_id`, handle: remove },
];
