/**
 * The credentials of an agent. A secret is in the answer that issues it, nowhere else:
 * replays of that answer show null in its place.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Agent } from "../../access/control/agents.ts";
import {
  type Credential,
  findCredential,
  issueCredential,
  retireCredential,
  revokeCredential,
} from "../../access/control/credentials.ts";
import { writeNotice } from "../../access/control/notices.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { invalid, type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import {
  type ControlOutcome,
  causeOf,
  controlWrite,
  type Ending,
} from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import {
  agentActions,
  agentToChange,
  credentialOut,
  issuedOut,
  revokedConflict,
} from "./records.ts";
import {
  CredentialBody,
  type CredentialRequest,
  expiryMs,
  expiryProblems,
  RotateBody,
  type RotateRequest,
} from "./requests.ts";
import { CreatedCredential, RevokedCredential, RotatedCredential } from "./responses.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:agents", touches: "agents" } as const;
const OVERLAP_S = 86_400;

type AtCredential<B = unknown> = Call<B, "id" | "credential_id">;

function credentialOfPath(
  call: AtCredential,
  store: ControlStore,
  { agent_id }: Agent,
): { readonly ok: true; readonly credential: Credential } | Refusal {
  const { credential_id } = call.params;
  const credential = findCredential(store, agent_id, credential_id, call.context.now());
  if (credential) return { ok: true, credential };
  return refuse("credential_not_found", { agent_id, credential_id });
}

/** Why the agent cannot get another credential; null if it can. */
function issueRefusal(call: Call, agent: Agent, body: CredentialRequest): Refusal | null {
  if (agent.state === "revoked") return revokedConflict(agent.agent_id);
  const faults = expiryProblems(body, call.context.now());
  return faults.length > 0 ? invalid(faults) : null;
}

/** Another credential of the agent, with its secret. */
function issued(call: Call, store: ControlStore, agentId: string, body: CredentialRequest) {
  const fresh = issueCredential(store, agentId, expiryMs(body));
  const { credential_id } = fresh;
  return issuedOut(findCredential(store, agentId, credential_id, call.context.now())!, fresh);
}

function issue(call: Call<CredentialRequest, "id">): Promise<ControlOutcome> {
  const { body } = call;
  return controlWrite(call, (store) => {
    const found = agentToChange(call, store);
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
  call: AtCredential<RotateRequest>,
  store: ControlStore,
  agent: Agent,
  ending: Ending,
): ControlOutcome {
  const { body } = call;
  const { agent_id } = agent;
  const found = credentialOfPath(call, store, agent);
  if (!found.ok) return found;
  const refused = issueRefusal(call, agent, body);
  if (refused) return refused;
  const { credential_id, state } = found.credential;
  if (state !== "active") {
    const detail = { reason: "credential_not_active", agent_id, credential_id, state };
    return refuse("conflict", detail);
  }
  const overlapMs = (body.overlap_s ?? OVERLAP_S) * 1000;
  const nowMs = call.context.now();
  if (overlapMs === 0) ending({ kind: "credential", id: credential_id });
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

function rotate(call: AtCredential<RotateRequest>): Promise<ControlOutcome> {
  return controlWrite(call, (store, ending) => {
    const found = agentToChange(call, store);
    return found.ok ? rotated(call, store, found.agent, ending) : found;
  });
}

function removed(
  call: AtCredential,
  store: ControlStore,
  agent: Agent,
  ending: Ending,
): ControlOutcome {
  const { agent_id } = agent;
  const found = credentialOfPath(call, store, agent);
  if (!found.ok) return found;
  const { credential_id } = found.credential;
  if (credential_id === call.principal.credential_id) {
    const detail = { reason: "own_credential", agent_id, credential_id };
    return refuse("conflict", detail);
  }
  ending({ kind: "credential", id: credential_id });
  revokeCredential(store, credential_id);
  const credential = findCredential(store, agent_id, credential_id, call.context.now())!;
  const data = { agent_id, ...credentialOut(credential) };
  return { ok: true, data, actions: agentActions(call, agent_id) };
}

function remove(call: AtCredential): Promise<ControlOutcome> {
  return controlWrite(call, (store, ending) => {
    const found = agentToChange(call, store);
    return found.ok ? removed(call, store, found.agent, ending) : found;
  });
}

const SHOWN_ONCE = "The secret is shown once; a replay shows null.";
const OWN_RIGHTS = "The agent may have no right that the caller's credential lacks.";
const AGENT_ID = pathId("Id of the agent.");
const CREDENTIALS = {
  tag: "Access administration",
  access: ACCESS,
  params: { id: AGENT_ID },
  key: "accepted",
} as const;
const AT_CREDENTIAL = {
  ...CREDENTIALS,
  params: { id: AGENT_ID, credential_id: pathId("Id of the credential.") },
} as const;

export const credentialRoutes = [
  route({
    ...CREDENTIALS,
    id: "create_credential",
    method: "POST",
    path: "/v1/admin/agents/:id/credentials",
    summary: "Issue another credential",
    description: `${SHOWN_ONCE} ${OWN_RIGHTS}`,
    body: json(CredentialBody),
    isBodyOptional: true,
    success: {
      status: 201,
      description: "The credential and its secret.",
      data: CreatedCredential,
    },
    errors: ["agent_not_found", "conflict"],
    handle: issue,
  }),
  route({
    ...AT_CREDENTIAL,
    id: "rotate_credential",
    method: "POST",
    path: "/v1/admin/agents/:id/credentials/:credential_id/rotate",
    summary: "Replace a credential",
    description: `The old one keeps working for \`overlap_s\`, a day by default. ${SHOWN_ONCE} ${OWN_RIGHTS}`,
    body: json(RotateBody),
    isBodyOptional: true,
    success: {
      status: 201,
      description: "The new credential and its secret.",
      data: RotatedCredential,
    },
    errors: ["agent_not_found", "credential_not_found", "conflict"],
    handle: rotate,
  }),
  route({
    ...AT_CREDENTIAL,
    id: "revoke_credential",
    method: "DELETE",
    path: "/v1/admin/agents/:id/credentials/:credential_id",
    summary: "Revoke a credential",
    description: `It is refused from now on, with every access token issued for it. ${OWN_RIGHTS}`,
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The revoked credential.", data: RevokedCredential },
    errors: ["agent_not_found", "credential_not_found", "conflict"],
    handle: remove,
  }),
];
