/** Commands about booking authorizations, for tests that care about one field at a time. */
import { APPROVERS, DEFAULT_POLICY } from "../../engine/core/authorization-terms.ts";
import type {
  ApproveAuthorization,
  CommandMeta,
  GrantAuthorization,
  RevokeAuthorization,
  SetAuthorizationPolicy,
} from "../../engine/core/commands.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { AGENT, commandMeta, frozenQuote } from "./builders.ts";

const OPERATOR = { kind: "operator", id: "agt_ops" } as const;

/** A grant for the stay of `frozenQuote`, of at most its total. */
export function grantAuthorization(
  tree: PropertyTree,
  over: Partial<GrantAuthorization> = {},
): GrantAuthorization {
  const { room_type_id, rate_plan_id, stay, guests, total, currency } = frozenQuote(tree);
  return {
    ...commandMeta({ actor: OPERATOR }),
    type: "GrantAuthorization",
    agent_id: AGENT,
    has_agent: true,
    request: { hotel_id: tree.id, room_type_id, rate_plan_id, stay, guests },
    traveler_hash: null,
    max_amount: total,
    currency,
    ...over,
  };
}

export function approveAuthorization(
  authorization_id: string,
  over: Partial<ApproveAuthorization> = {},
): ApproveAuthorization {
  const meta = commandMeta({ actor: OPERATOR });
  return { ...meta, type: "ApproveAuthorization", authorization_id, ...over };
}

export function revokeAuthorization(
  authorization_id: string,
  over: Partial<CommandMeta> = {},
): RevokeAuthorization {
  const meta = commandMeta({ actor: OPERATOR, ...over });
  return { ...meta, type: "RevokeAuthorization", authorization_id };
}

/** A policy that requires an authorization for every booking, unless said otherwise. */
export function setAuthorizationPolicy(
  over: Partial<SetAuthorizationPolicy> = {},
): SetAuthorizationPolicy {
  return {
    ...commandMeta({ actor: OPERATOR }),
    type: "SetAuthorizationPolicy",
    ...{ ...DEFAULT_POLICY, required_when: "always", approver: APPROVERS[0] },
    ...over,
  };
}
