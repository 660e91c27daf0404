/** Agents, credentials and delegation issuers for operators (domain §10, §12). */

import {
  Agent,
  AgentDetail,
  AgentList,
  CreatedAgent,
  Issuer,
  IssuerList,
  IssuerTest,
  NewCredential,
  RevokedCredential,
  RotatedCredential,
} from "../../api/agents/answers.ts";
import type { Operation, OperationTable } from "../../http/contract.ts";
import { pathId } from "./params.ts";

const TAG = "Access administration";
const AGENT_ID = pathId("Id of the agent.");
const CREDENTIAL_ID = pathId("Id of the credential.");
const ISSUER_ID = pathId("Id of the issuer.");

function issuerStep(id: string, summary: string, description: string): Operation {
  return {
    ...{ id, tag: TAG, summary, description },
    params: { id: ISSUER_ID },
    success: { status: 200, description: "The issuer.", data: Issuer },
    errors: ["delegation_issuer_not_found", "conflict"],
  };
}

const agents: OperationTable = {
  "GET /v1/admin/agents": {
    id: "list_agents",
    tag: TAG,
    summary: "List the agents",
    description: "All agents of the tenant and mode; complete.",
    success: { status: 200, description: "The agents, newest first.", data: AgentList },
    errors: [],
  },
  "POST /v1/admin/agents": {
    id: "create_agent",
    tag: TAG,
    summary: "Create an agent with a credential",
    description: "The secret is shown in this answer only. No right can be given that one lacks.",
    success: { status: 201, description: "The agent and its secret.", data: CreatedAgent },
    errors: [],
  },
  "GET /v1/admin/agents/:id": {
    id: "get_agent",
    tag: TAG,
    summary: "Get an agent with its credentials",
    description: "Credentials are listed without their secrets.",
    params: { id: AGENT_ID },
    success: { status: 200, description: "The agent.", data: AgentDetail },
    errors: ["agent_not_found"],
  },
  "PATCH /v1/admin/agents/:id": {
    id: "update_agent",
    tag: TAG,
    summary: "Change an agent",
    description: "What is left out stays. Revoking ends all its credentials, for good.",
    params: { id: AGENT_ID },
    takesIfMatch: true,
    success: { status: 200, description: "The agent.", data: Agent },
    errors: ["agent_not_found", "conflict"],
  },
  "DELETE /v1/admin/agents/:id": {
    id: "revoke_agent",
    tag: TAG,
    summary: "Revoke an agent",
    description: "With all its credentials, for good. Revoking twice answers alike.",
    params: { id: AGENT_ID },
    success: { status: 200, description: "The agent as it was left.", data: Agent },
    errors: ["agent_not_found", "conflict"],
  },
};

const credentials: OperationTable = {
  "POST /v1/admin/agents/:id/credentials": {
    id: "create_credential",
    tag: TAG,
    summary: "Issue a further credential",
    description: "The secret is shown in this answer only.",
    params: { id: AGENT_ID },
    success: { status: 201, description: "The credential and its secret.", data: NewCredential },
    errors: ["agent_not_found", "conflict"],
  },
  "POST /v1/admin/agents/:id/credentials/:credential_id/rotate": {
    id: "rotate_credential",
    tag: TAG,
    summary: "Replace a credential",
    description: "The old one works on for `overlap_s`, a day unless said.",
    params: { id: AGENT_ID, credential_id: CREDENTIAL_ID },
    success: { status: 201, description: "The new one and its secret.", data: RotatedCredential },
    errors: ["agent_not_found", "credential_not_found", "conflict"],
  },
  "DELETE /v1/admin/agents/:id/credentials/:credential_id": {
    id: "revoke_credential",
    tag: TAG,
    summary: "Revoke a credential",
    description: "It is refused from now on, and every access token made with it.",
    params: { id: AGENT_ID, credential_id: CREDENTIAL_ID },
    success: { status: 200, description: "The credential as left.", data: RevokedCredential },
    errors: ["agent_not_found", "credential_not_found", "conflict"],
  },
};

const issuers: OperationTable = {
  "GET /v1/admin/delegation-issuers": {
    id: "list_issuers",
    tag: TAG,
    summary: "List the delegation issuers",
    description: "All issuers of the tenant; complete.",
    success: { status: 200, description: "The issuers, newest first.", data: IssuerList },
    errors: [],
  },
  "POST /v1/admin/delegation-issuers": {
    id: "create_issuer",
    tag: TAG,
    summary: "Register a delegation issuer",
    description: "Its keys come from `jwks_url` or stand in `jwks`; exactly one of the two.",
    success: { status: 201, description: "The issuer.", data: Issuer },
    errors: ["conflict"],
  },
  "GET /v1/admin/delegation-issuers/:id": {
    ...issuerStep("get_issuer", "Get a delegation issuer", "As it is registered."),
    errors: ["delegation_issuer_not_found"],
  },
  "PATCH /v1/admin/delegation-issuers/:id": {
    ...issuerStep("update_issuer", "Change a delegation issuer", "What is left out stays."),
    takesIfMatch: true,
  },
  "DELETE /v1/admin/delegation-issuers/:id": issuerStep(
    "delete_issuer",
    "Revoke a delegation issuer",
    "The same as `revoke_issuer`.",
  ),
  "POST /v1/admin/delegation-issuers/:id/suspend": issuerStep(
    "suspend_issuer",
    "Suspend a delegation issuer",
    "Its tokens are refused until it is activated again.",
  ),
  "POST /v1/admin/delegation-issuers/:id/activate": issuerStep(
    "activate_issuer",
    "Activate a delegation issuer",
    "Its tokens are accepted again.",
  ),
  "POST /v1/admin/delegation-issuers/:id/revoke": issuerStep(
    "revoke_issuer",
    "Revoke a delegation issuer",
    "Its tokens are refused, for good.",
  ),
  "POST /v1/admin/delegation-issuers/:id/test": {
    ...issuerStep(
      "test_issuer",
      "Try a token of a delegation issuer",
      "Which checks the token passes, and which one it fails for what reason. Nothing is kept.",
    ),
    success: { status: 200, description: "The token's way.", data: IssuerTest },
    errors: ["delegation_issuer_not_found"],
  },
};

export const accessOperations: OperationTable = { ...agents, ...credentials, ...issuers };
