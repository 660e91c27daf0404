/** What operators decide about authorizations: grant one unasked, approve or revoke a request. */

import { type Authorization, stateAt } from "../authorization.ts";
import type { AuthorizationStateAt } from "../authorization-terms.ts";
import { instantIso } from "../calendar.ts";
import type { ApproveAuthorization, GrantAuthorization, RevokeAuthorization } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { deriveId } from "../ids.ts";
import type { Rejection } from "../outcomes.ts";
import { findOffer } from "../state/state.ts";
import { seenBy } from "../visibility.ts";
import { policyOf } from "./policy.ts";
import { limitProblem } from "./request.ts";

/** No search finds a guest by these. */
const NO_GUEST = { email: "", name: "" };

/** Decides `POST /v1/admin/booking-authorizations`: it is approved at once. */
export function grantAuthorization(command: GrantAuthorization, ctx: Context): Decision {
  const { agent_id, request, traveler_hash, max_amount, currency, ttl_s } = command;
  if (agent_id === command.actor.id) return reject(command, ownRequest({ agent_id }));
  if (!command.has_agent) return reject(command, { code: "agent_not_found", detail: { agent_id } });
  const property = ctx.state.propertyNamed(command, request.hotel_id);
  const unknown = {
    code: "property_not_found",
    detail: { property_id: request.hotel_id },
  } as const;
  const seen = seenBy(command, property, ({ tree }) => tree.id, unknown);
  if ("code" in seen) return reject(command, seen);
  const { room_type_id, rate_plan_id, stay, guests } = request;
  const property_id = seen.tree.id;
  const offer = findOffer(seen, room_type_id, rate_plan_id);
  if (typeof offer === "string") {
    return reject(command, { code: offer, detail: { property_id, room_type_id, rate_plan_id } });
  }
  const of = { tenant_id: command.tenant_id, mode: command.mode, agent_id, atMs: ctx.now };
  const tooMany = limitProblem(ctx.records.liveAuthorizations(of), ctx);
  if (tooMany) return reject(command, tooMany);
  const authorization_id = deriveId("aut", ctx.now, command.random, 4);
  const expires_at = ctx.now + 1000 * (ttl_s ?? policyOf(command, ctx).ttl_s);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  events.add({
    type: "authorization.requested",
    data: {
      ...{ authorization_id, agent_id, property_id, room_type_id, rate_plan_id, stay },
      ...{ policy: null, threshold: null, amount: null },
      ...{ max_amount, currency, expires_at: instantIso(expires_at) },
    },
    secret: { guests, traveler_hash },
  });
  return approved(command, { authorization_id, max_amount, currency, expires_at }, events);
}

/** Decides `POST …/{id}/approve`. The requester cannot approve. */
export function approveAuthorization(command: ApproveAuthorization, ctx: Context): Decision {
  const found = openOf(command, ["pending"], ctx);
  if ("code" in found) return reject(command, found);
  const { authorization_id, agent_id } = found;
  if (agent_id === command.actor.id) return reject(command, ownRequest({ authorization_id }));
  const { max_amount = found.max_amount } = command;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  return approved(command, { ...found, max_amount }, events);
}

/** Decides `POST …/{id}/revoke`, also of an approved one that is not used yet. */
export function revokeAuthorization(command: RevokeAuthorization, ctx: Context): Decision {
  const found = openOf(command, ["pending", "approved"], ctx);
  if ("code" in found) return reject(command, found);
  const { authorization_id, max_amount, currency, expires_at } = found;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({ type: "authorization.revoked", data: { authorization_id } });
  const outcome = success(command, "authorization", {
    ...{ authorization_id, state: "revoked", max_amount, currency },
    ...{ expires_at: instantIso(expires_at), seq },
  });
  return { events: events.list, outcome, phase: "sealed" };
}

function approved(
  command: GrantAuthorization | ApproveAuthorization,
  of: Pick<Authorization, "authorization_id" | "max_amount" | "currency" | "expires_at">,
  events: EventList,
): Decision {
  const { authorization_id, max_amount, currency, expires_at } = of;
  const { note } = command;
  const seq = events.add({
    type: "authorization.approved",
    data: { authorization_id, max_amount, currency },
    ...(note && { secret: { encrypted: note.encrypted, key: command.key ?? "" } }),
  });
  const outcome = success(command, "authorization", {
    ...{ authorization_id, state: "approved", max_amount, currency },
    ...{ expires_at: instantIso(expires_at), seq },
  });
  const decision = { events: events.list, outcome, phase: "sealed" } as const;
  if (!note) return decision;
  const { wrapped_key } = note;
  return {
    ...decision,
    subjectKey: { booking_id: authorization_id, wrapped_key, guest: NO_GUEST },
  };
}

/** The authorization of a command in one of these states, or the refusal. */
function openOf(
  command: ApproveAuthorization | RevokeAuthorization,
  states: readonly AuthorizationStateAt[],
  ctx: Context,
): Authorization | Rejection {
  const { authorization_id } = command;
  const found = seenBy(
    command,
    ctx.records.authorization(authorization_id),
    ({ property_id }) => property_id,
    { code: "booking_authorization_not_found", detail: { authorization_id } },
  );
  if ("code" in found) return found;
  const state = stateAt(found, ctx.now);
  if (states.includes(state)) return found;
  const needed = states.join(" or ");
  return {
    code: "conflict",
    detail: { reason: "authorization_state", authorization_id, state, needed },
  };
}

function ownRequest(ids: Readonly<Record<string, string>>): Rejection {
  return { code: "conflict", detail: { reason: "own_request", ...ids } };
}
