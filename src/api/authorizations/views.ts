/** Booking authorizations on the wire. */
import { type Authorization, stateAt } from "../../../engine/core/authorization.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Call } from "../../http/call.ts";
import { sealedNoteIn } from "../bookings/personal-fields.ts";

/** How long a person needs at least. */
const RETRY_AFTER_S = 30;

function common(authorization: Authorization, atMs: number) {
  const { authorization_id, agent_id, property_id, room_type_id, rate_plan_id } = authorization;
  const { stay, guests, asked, max_amount, currency, approved, revoked, used } = authorization;
  const decided = (one: typeof approved) => one && { by: one.by, at: instantIso(one.at) };
  return {
    ...{ authorization_id, state: stateAt(authorization, atMs), agent_id },
    ...{ property_id, room_type_id, rate_plan_id, stay, guests },
    policy: asked?.policy ?? null,
    threshold: asked?.threshold ?? null,
    amount: asked?.amount ?? null,
    ...{ max_amount, currency },
    requested_at: instantIso(authorization.created_at),
    expires_at: instantIso(authorization.expires_at),
    approved: decided(approved),
    revoked: decided(revoked),
    used: used && { ...used, at: instantIso(used.at) },
  };
}

/** As the agent sees it. */
export function authorizationOut(authorization: Authorization, atMs: number) {
  const shown = common(authorization, atMs);
  return { ...shown, retry_after: shown.state === "pending" ? RETRY_AFTER_S : null };
}

/** As operators see it. */
export function deskAuthorization({ context, principal }: Call, authorization: Authorization) {
  const { authorization_id, tenant_id, requested_by, traveler_hash, note } = authorization;
  return {
    ...common(authorization, context.timeIn(principal)),
    requested_by,
    is_for_one_traveler: traveler_hash !== null,
    note: sealedNoteIn(context, { id: authorization_id, tenant_id, note }),
  };
}
