/**
 * Which bookings need an authorization: those above the agent's own limit, and those that the
 * tenant's policy names. The policy is state of the realm, so that every process and every replay
 * decides alike.
 */
import {
  type Amount,
  type AuthorizationPolicy,
  DEFAULT_POLICY,
  type Requirement,
} from "../authorization-terms.ts";
import type { AgentLimits, SetAuthorizationPolicy } from "../commands.ts";
import { type Context, type Decision, EventList, success } from "../decision.ts";
import type { Fold } from "../fold.ts";
import { feeAt } from "../price/policy.ts";
import type { FrozenQuote } from "../price/quote.ts";
import type { Realm } from "../supply.ts";

/** The policy of a realm. */
export function policyOf({ tenant_id, mode }: Realm, { state }: Context): AuthorizationPolicy {
  return state.tenants.get(tenant_id)?.authorizationPolicy[mode] ?? DEFAULT_POLICY;
}

/** Why the quote needs an authorization; null when it needs none. The agent's limit comes first. */
export function requirementOf(
  limit: AgentLimits["max_booking_amount"],
  { required_when, over }: AuthorizationPolicy,
  quote: FrozenQuote,
  atMs: number,
): Requirement | null {
  if (limit !== null && exceeds(quote, limit)) {
    return { policy: "max_booking_amount", threshold: limit };
  }
  switch (required_when) {
    case "never":
      return null;
    case "over_amount":
      return over !== null && exceeds(quote, over)
        ? { policy: "over_amount", threshold: over }
        : null;
    case "always":
      return { policy: "always", threshold: null };
    case "non_refundable":
      return keepsAll(quote, atMs) ? { policy: "non_refundable", threshold: null } : null;
  }
}

/** Amounts in different currencies cannot be compared, so they exceed each other. */
function exceeds({ total, currency }: FrozenQuote, limit: Amount): boolean {
  return currency !== limit.currency || total > limit.amount;
}

/** Whether a cancellation right after the booking would give nothing back. */
function keepsAll({ due_now, fees }: FrozenQuote, atMs: number): boolean {
  return due_now > 0 && feeAt(fees, atMs).fee === due_now;
}

/** Decides `PUT /v1/admin/authorization-policy`; open requests keep what they were promised. */
export function setAuthorizationPolicy(command: SetAuthorizationPolicy, ctx: Context): Decision {
  const { required_when, over, approver, ttl_s, tolerance_bps } = command;
  const policy = { required_when, over, approver, ttl_s, tolerance_bps };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({ type: "authorization_policy.changed", data: policy });
  const outcome = success(command, "authorization_policy", { ...policy, seq });
  return { events: events.list, outcome, phase: "sealed" };
}

export const policyChanged: Fold<"authorization_policy.changed"> = (state, event, row) => {
  state.tenant(row.tenant_id).authorizationPolicy[row.mode] = event.data;
};
