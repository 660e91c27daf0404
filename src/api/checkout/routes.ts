/** `/v1/checkout/sessions`: hands a hold over to a person, who books it on a page. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { holdProblem } from "../../../engine/core/holds/hold.ts";
import type { Hold } from "../../../engine/core/records.ts";
import type { CheckoutSession } from "../../access/control/checkout-sessions.ts";
import { requireScope } from "../../access/control/principal.ts";
import { action, type Offer, offered } from "../../actions/next-action.ts";
import { LIST_HOLDS } from "../../actions/steps.ts";
import { invalid, type Refusal, refuse, type Success, unknownId } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { keyedEffect } from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { BOOKERS } from "../callers.ts";
import { pathId } from "../parameters.ts";
import { CHECKOUT_ARGUMENT, EXAMPLE, HOLD_ARGUMENT } from "../tool-arguments.ts";
import { holdOf } from "../visible.ts";
import { CheckoutBody, type CheckoutRequest } from "./requests.ts";
import { CheckoutSessionOut } from "./responses.ts";
import { checkoutState, linkToken, missingForPage, pagePath, returnFault } from "./state.ts";

const SESSIONS = "/v1/checkout/sessions";

/** The caller's own hold: the booking will be its agent's. */
function ownHoldOf(call: Call, hold_id: string): Hold | Refusal {
  const hold = holdOf(call, hold_id);
  if ("code" in hold || hold.agent_id === call.principal.agent_id) return hold;
  return refuse("hold_not_found", { hold_id });
}

function create(call: Call<CheckoutRequest>): Promise<Success | Refusal> {
  const { context, principal, body } = call;
  return keyedEffect(call, async () => {
    // The person books in the agent's name, which must be allowed to.
    const unable = requireScope(principal, "bookings:write");
    if (unable) return unable;
    const hold = ownHoldOf(call, body.hold_id);
    if ("code" in hold) return hold;
    const { state } = context.replica;
    const ended = holdProblem(hold, { state, now: context.timeIn(principal) });
    if (ended) return refuse(ended.code, ended.detail, { hints: ended.hints ?? {} });
    const fault = returnFault(context, principal.agent_id, body.return_url);
    if (fault !== null) return invalid([fault]);
    const missing = missingForPage(context, hold.quote.due_now);
    if (missing !== null) return refuse("service_not_configured", { missing });
    const { tenant_id, mode, agent_id, credential_id } = principal;
    const return_url = body.return_url ?? null;
    const of = { tenant_id, mode, agent_id, credential_id, return_url, hold_id: hold.hold_id };
    const tokenOf = (session_id: string) => linkToken(context, session_id);
    const session = context.checkout.open(of, tokenOf, context.now());
    return { ...answerOf(call, session, hold), status: 201 };
  });
}

/** The caller's session with its hold. */
function ownSession(call: Call<unknown, "id">) {
  const { context, principal, params } = call;
  const session = context.checkout.find(params.id, principal, context.now());
  if (!session) return unknownId("/session_id", "the id of your checkout session", LIST_HOLDS);
  const hold = ownHoldOf(call, session.hold_id);
  return "code" in hold ? hold : { session, hold };
}

function show(call: Call<unknown, "id">): Success | Refusal {
  const found = ownSession(call);
  return "code" in found ? found : answerOf(call, found.session, found.hold);
}

/** A payment that has begun is not stopped: its session stays open until the outcome is known. */
function cancel(call: Call<unknown, "id">): Success | Refusal {
  const found = ownSession(call);
  if ("code" in found) return found;
  const { session, hold } = found;
  const nowMs = call.context.now();
  if (hold.state !== "held") return answerOf(call, session, hold);
  call.context.checkout.cancel(session, nowMs);
  return answerOf(call, { ...session, cancelled_at: session.cancelled_at ?? nowMs }, hold);
}

function answerOf(call: Call, session: CheckoutSession, hold: Hold): Success {
  const { context, principal, may } = call;
  const { session_id } = session;
  const { hold_id, booking_id } = hold;
  const url = context.config.baseUrl + pagePath(linkToken(context, session_id));
  const expires_at = instantIso(hold.expires_at);
  const state = checkoutState(session, hold, context.timeIn(principal));
  const { return_url } = session;
  const links = { url, continue_url: url, return_url };
  const data = { session_id, hold_id, state, ...links, booking_id, expires_at };
  const own: Offer = ["get_checkout_session", action("get", "GET", `${SESSIONS}/${session_id}`)];
  const booking: Offer = ["get_booking", action("get", "GET", `/v1/bookings/${booking_id}`)];
  const actions = offered([booking_id === null ? own : booking], may);
  return { ok: true, data, actions, expires_at };
}

const CHECKOUT = {
  tag: "Checkout",
  access: { kinds: BOOKERS, scope: "holds", touches: "properties" },
  readsReplica: true,
} as const;
const AT_SESSION = {
  ...CHECKOUT,
  params: { id: pathId("Id of the checkout session.") },
  hasUnlistedIds: true,
} as const;

export const checkoutApiRoutes = [
  route({
    ...CHECKOUT,
    id: "create_checkout_session",
    method: "POST",
    path: SESSIONS,
    summary: "Hand a hold over to the traveler",
    description:
      "For an agent without a delegation token: the traveler opens `continue_url`, sees price and " +
      "terms, gives name and e-mail address, pays, and so consents. The booking is the agent's, " +
      "with its present rights and limits; it also needs `bookings:write`. A hold has one open " +
      "session: another request answers the same one. Whichever books first, page or API, books " +
      "the hold. `return_url` is at one of the agent's `return_origins`: when the page is over, it " +
      "has a link there with `session_id` and `state`. That of the first request stays.",
    key: "accepted",
    body: json(CheckoutBody),
    success: { status: 201, description: "The session.", data: CheckoutSessionOut, expires: true },
    errors: [
      ...(["hold_not_found", "hold_expired", "hold_not_active"] as const),
      ...(["service_not_configured", "upstream_unavailable"] as const),
    ],
    tool: {
      title: "Hand a hold to the traveler",
      description:
        "Instead of book, without a delegation token: give data.continue_url to the traveler, who " +
        "sees the terms, pays and books there. Then get_checkout_session.",
      tags: ["booking", "checkout"],
      nextRel: "get",
      arguments: { hold_id: HOLD_ARGUMENT },
      example: { hold_id: EXAMPLE.hold_id, idempotency_key: EXAMPLE.idempotency_key },
    },
    handle: create,
  }),
  route({
    ...AT_SESSION,
    id: "get_checkout_session",
    method: "GET",
    path: `${SESSIONS}/:id`,
    summary: "Get a checkout session",
    description:
      "Only for the agent that made it, for 24 hours. `booking_id` is set as soon as the hold is " +
      "booked.",
    success: { status: 200, description: "The session.", data: CheckoutSessionOut, expires: true },
    errors: ["hold_not_found"],
    tool: {
      title: "Get a checkout session",
      description: "Whether the traveler has booked: data.state and data.booking_id.",
      tags: ["booking", "checkout"],
      nextRel: "get",
      pathArguments: { id: "session_id" },
      arguments: { session_id: CHECKOUT_ARGUMENT },
      example: { session_id: EXAMPLE.checkout_session_id },
    },
    handle: show,
  }),
  route({
    ...AT_SESSION,
    id: "cancel_checkout_session",
    method: "POST",
    path: `${SESSIONS}/:id/cancel`,
    summary: "Take a checkout page back",
    description:
      "The page can no longer book; the hold stays. A payment that has begun is not stopped, and " +
      "an ended session stays as it is: see `state`. Repeating it does no harm.",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The session.", data: CheckoutSessionOut, expires: true },
    errors: ["hold_not_found", "upstream_unavailable"],
    handle: cancel,
  }),
];
