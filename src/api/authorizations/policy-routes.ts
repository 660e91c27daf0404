/** The tenant's policy of booking authorizations, in the mode of the credential. */
import {
  type AuthorizationPolicy,
  DEFAULT_POLICY,
} from "../../../engine/core/authorization-terms.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, plain } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { policyBody } from "./requests.ts";
import { ChangedPolicy, Policy } from "./responses.ts";

function show({ context, principal }: Call): Success {
  const tenant = context.replica.state.tenants.get(principal.tenant_id);
  const policy = tenant?.authorizationPolicy[principal.mode] ?? DEFAULT_POLICY;
  return { ok: true, data: { ...policy } };
}

function set(call: Call<AuthorizationPolicy>): Promise<Success | Refusal> {
  const command = { ...commandMeta(call), type: "SetAuthorizationPolicy" as const, ...call.body };
  return execute(call, command, plain("authorization_policy"));
}

const POLICY = {
  tag: "Desk",
  path: "/v1/admin/authorization-policy",
  access: { kinds: ["operator"], scope: "admin:authorization-policy", touches: "tenant" },
} as const;

export const authorizationPolicyRoutes = [
  route({
    ...POLICY,
    id: "admin_get_authorization_policy",
    method: "GET",
    summary: "Get the policy of booking authorizations",
    description: "The default requires none beyond the agents' own limits.",
    readsReplica: true,
    success: { status: 200, description: "The policy.", data: Policy },
    errors: [],
    handle: show,
  }),
  route({
    ...POLICY,
    id: "admin_set_authorization_policy",
    method: "PUT",
    summary: "Set which bookings need an authorization",
    description:
      "Replaces the policy. A booking that needs an authorization and has none is refused with " +
      "`authorization_required`, which opens a request. Open requests keep their expiry and " +
      "amount. Only operators approve; `approver: traveler` and `either` are refused in this " +
      "version.",
    key: "accepted",
    body: policyBody,
    success: { status: 200, description: "The new policy.", data: ChangedPolicy },
    errors: [],
    handle: set,
  }),
];
