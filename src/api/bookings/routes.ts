/** `POST /v1/bookings` and cancellation: the two delegation-gated writes (spec 4.6, 5). */

import type { CommandMeta } from "../../../engine/core/commands.ts";
import type { Traveler } from "../../../engine/core/parties.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { delegationInvalid } from "../../auth/delegation.ts";
import { type Call, commandMeta, type ProtectedRoute } from "../../http/call.ts";
import { BOOKING_DEADLINE_MS, execute } from "../../http/execute.ts";
import { bad } from "../../http/respond.ts";
import { sealFields, travelerHash } from "../../privacy/personal-data.ts";
import { agentLimits } from "../holds/routes.ts";
import { type BookingRequest, type CancelRequest, checkBooking, checkCancel } from "./schemas.ts";
import { sealNote } from "./traveler.ts";

const KINDS = ["agent", "operator", "service"] as const;

function travelerOf(call: Call): Traveler & { readonly sub: string } {
  const { iss, sub } = call.delegation!;
  return { hash: travelerHash(call.deps.keys.hmac, iss, sub), iss, sub };
}

/**
 * An expired token still answers a key that is known (rules §1): the agent must be able to learn
 * what its earlier request came to. Only the engine knows every key, so it is told.
 */
function gatedMeta(call: Call): CommandMeta {
  const meta = commandMeta(call);
  return call.delegation?.expired ? { ...meta, is_token_expired: true } : meta;
}

/** Claims that bind the token to one hold or to an amount (rules §3). */
function boundClaimRefusal(call: Call, holdId: string): Response | null {
  const { hold_id, max_amount } = call.delegation!.claims;
  if (hold_id !== undefined && hold_id !== holdId) {
    return bad(call, delegationInvalid("audience_mismatch", "hold_id"));
  }
  if (max_amount === undefined) return null;
  const { replica } = call.deps;
  replica.catchUp(2);
  const hold = replica.state.holds.get(holdId) ?? replica.records.hold(holdId);
  if (!hold || hold.quote.total <= max_amount) return null;
  return bad(call, delegationInvalid("audience_mismatch", "max_amount"));
}

async function book(call: Call): Promise<Response> {
  const body = call.body as BookingRequest;
  const { deps } = call;
  const meta = gatedMeta(call);
  const refused = boundClaimRefusal(call, body.hold_id);
  if (refused) return refused;
  const missing = missingForPayments(deps.config);
  if (missing !== null) return bad(call, { code: "service_not_configured", detail: { missing } });
  const { sub, ...traveler } = travelerOf(call);
  const { primary, additional } = body.guest;
  const { sealed, wrapped_key } = sealFields(
    deps.keys.master,
    { tenant_id: meta.tenant_id, command: meta.key! },
    {
      guest: JSON.stringify({ primary, ...(additional ? { additional } : {}) }),
      traveler_sub: sub,
      provider_token: body.payment.provider_token,
      ...(body.special_requests ? { special_requests: body.special_requests } : {}),
    },
  );
  const { jti } = call.delegation!;
  const { method, billing_country } = body.payment;
  return execute(
    call,
    {
      ...meta,
      type: "BeginBooking",
      hold_id: body.hold_id,
      quote_id: body.quote_id,
      limits: agentLimits(call),
      ...(body.authorization_id === undefined ? {} : { authorization_id: body.authorization_id }),
      traveler,
      method,
      ...(billing_country === undefined ? {} : { billing_country }),
      sealed,
      wrapped_key,
      ...(jti === null ? {} : { jti }),
    },
    { deadlineMs: BOOKING_DEADLINE_MS, isPayment: true },
  );
}

async function cancel(call: Call): Promise<Response> {
  const body = (call.body ?? {}) as CancelRequest;
  const meta = gatedMeta(call);
  const { sub: _sub, ...traveler } = travelerOf(call);
  const { jti } = call.delegation!;
  const id = call.params.id ?? "";
  const booking = body.note === undefined ? null : call.deps.replica.records.booking(id);
  // The engine decides whether the caller may know of the booking; a note is only sealed here.
  const sealed =
    booking && body.note !== undefined ? sealNote(call.deps, booking, body.note) : null;
  return execute(call, {
    ...meta,
    type: "CancelBooking",
    booking_id: id,
    traveler,
    ...(body.reason_code === undefined ? {} : { reason_code: body.reason_code }),
    ...(sealed ? { sealed } : {}),
    ...(jti === null ? {} : { jti }),
  });
}

export const bookingRoutes: readonly ProtectedRoute[] = [
  {
    method: "POST",
    path: "/v1/bookings",
    access: { kinds: KINDS, scope: "bookings:write" },
    isDelegated: true,
    reads: "json",
    key: "required",
    check: checkBooking,
    handle: book,
  },
  {
    method: "POST",
    path: "/v1/bookings/:id/cancel",
    access: { kinds: KINDS, scope: "bookings:cancel" },
    isDelegated: true,
    reads: "json",
    key: "accepted",
    check: checkCancel,
    isBodyOptional: true,
    handle: cancel,
  },
];
