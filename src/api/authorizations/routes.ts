/** `GET /v1/booking-authorizations/{id}`: what became of an agent's own request. */
import { stateAt } from "../../../engine/core/authorization.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { BOOKERS } from "../callers.ts";
import { pathId } from "../parameters.ts";
import { AUTHORIZATION_ARGUMENT, EXAMPLE } from "../tool-arguments.ts";
import { ownAuthorizationOf, ownHoldsOf } from "../visible.ts";
import { authorizationActions } from "./actions.ts";
import { BookingAuthorization } from "./responses.ts";
import { authorizationOut } from "./views.ts";

function show(call: Call<unknown, "id">): Success | Refusal {
  const found = ownAuthorizationOf(call, call.params.id);
  if ("code" in found) return found;
  const nowMs = call.context.timeIn(call.principal);
  const state = stateAt(found, nowMs);
  const holds = state === "approved" ? ownHoldsOf(call) : [];
  const actions = authorizationActions(found, state, holds, nowMs, call.may);
  return { ok: true, data: authorizationOut(found, nowMs), actions };
}

export const authorizationRoutes = [
  route({
    id: "get_booking_authorization",
    tag: "Bookings",
    method: "GET",
    path: "/v1/booking-authorizations/:id",
    summary: "Get a booking authorization",
    description:
      "The agent's own, which `authorization_required` named. While it is `pending`, read it " +
      "again after `retry_after` seconds. Once `approved`, the next actions carry it from a new " +
      "quote over a hold to the booking.",
    access: { kinds: BOOKERS, scope: "bookings:write", touches: "properties" },
    params: { id: pathId("Id of the authorization.") },
    readsReplica: true,
    success: { status: 200, description: "The authorization.", data: BookingAuthorization },
    errors: ["booking_authorization_not_found"],
    tool: {
      title: "Get an authorization",
      description: "Whether a person approved a booking refused with authorization_required.",
      tags: ["booking"],
      nextRel: "requote",
      pathArguments: { id: "authorization_id" },
      arguments: { authorization_id: AUTHORIZATION_ARGUMENT },
      example: { authorization_id: EXAMPLE.authorization_id },
    },
    handle: show,
  }),
];
