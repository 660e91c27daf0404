/** What operators do about booking authorizations: list, grant, approve and revoke them. */
import { stateAt } from "../../../engine/core/authorization.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { namedOffer } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import { findAgent } from "../../access/control/agents.ts";
import { travelerHash } from "../../access/privacy/personal-data.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, type Rendering } from "../../http/execute.ts";
import { FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { sealedNote } from "../bookings/personal-fields.ts";
import { admin, DESK_READ, ITEMS_MAX, idsBetween, listed, tooMany } from "../desk/lists.ts";
import { PROPERTY, textParameter } from "../desk/parameters.ts";
import { instantParameter, pathId, wordParameter } from "../parameters.ts";
import { unclear } from "../quotes/routes.ts";
import { partyOf, stayProblems } from "../stays.ts";
import { askedProperty, authorizationIdsOf, authorizationOf, propertyOf } from "../visible.ts";
import { deskActions } from "./actions.ts";
import { ApproveBody, type ApproveRequest, GrantBody, type GrantRequest } from "./requests.ts";
import {
  DecidedAuthorization,
  DeskAuthorization,
  DeskAuthorizations,
  STATES,
} from "./responses.ts";
import { deskAuthorization } from "./views.ts";

const PATH = "/v1/admin/booking-authorizations";

/** The answer of a decision; a grant creates something. */
function decided(status?: 201): Rendering<"authorization"> {
  return {
    kind: "authorization",
    answer: ({ may }, { data, trace_id }) => ({
      ...(status && { status }),
      data,
      actions: deskActions(data, data.state, may),
      trace_id,
    }),
  };
}

async function list(call: Call): Promise<Success | Refusal> {
  const { query } = call;
  const property = askedProperty(call);
  if (property && "code" in property) return property;
  const agent_id = query.get("agent_id");
  const state = STATES.find((each) => each === query.get("state"));
  const asked = {
    ...(agent_id !== undefined && { agent_id }),
    ...(state && { state }),
    ...(property && { property_id: property.tree.id }),
    ids: idsBetween("aut", call, ["created_from", "created_before"]),
  } as const;
  const ids = authorizationIdsOf(call, asked, ITEMS_MAX + 1);
  if (ids.length > ITEMS_MAX) return tooMany("?created_from", "authorizations");
  const items = [];
  for await (const id of nextTurnEach(ids)) {
    const found = authorizationOf(call, id);
    if (!("code" in found)) items.push(deskAuthorization(call, found));
  }
  return { ok: true, data: { items } };
}

type AtId<B = unknown> = Call<B, "id">;

function show(call: AtId): Success | Refusal {
  const found = authorizationOf(call, call.params.id);
  if ("code" in found) return found;
  const state = stateAt(found, call.context.timeIn(call.principal));
  const actions = deskActions(found, state, call.may);
  return { ok: true, data: deskAuthorization(call, found), actions };
}

async function grant(call: Call<GrantRequest>): Promise<Success | Refusal> {
  const { body, context, principal } = call;
  const { agent_id, traveler, max_amount, currency, ttl_s, note } = body;
  const faults = stayProblems(body.stay, Number.NEGATIVE_INFINITY);
  if (faults.length > 0) return invalid(faults);
  const request = requestIn(call);
  if ("code" in request) return request;
  const meta = commandMeta(call);
  const { hmac } = context.keys;
  const command = {
    ...meta,
    type: "GrantAuthorization" as const,
    ...{ agent_id, request, max_amount, currency },
    has_agent: findAgent(context.store, principal, agent_id) !== null,
    traveler_hash: traveler ? travelerHash(hmac, traveler.iss, traveler.sub) : null,
    ...(ttl_s !== undefined && { ttl_s }),
    ...sealedNote(call, meta, note),
  };
  return execute(call, command, decided(201));
}

/** The stay by ids; unknown ones stay as they were sent: the engine's refusal is sealed. */
function requestIn(call: Call<GrantRequest>): QuoteRequest | Refusal {
  const { body } = call;
  const { hotel_id, room_type_id, rate_plan_id, stay } = body;
  const sent = { hotel_id, room_type_id, rate_plan_id, stay, guests: partyOf(body.guests) };
  const property = propertyOf(call, hotel_id);
  if ("code" in property) return property.code === "property_not_found" ? sent : property;
  const offer = namedOffer(property, room_type_id, rate_plan_id);
  if (typeof offer === "string") return sent;
  if ("candidates" in offer) return invalid([unclear(offer)]);
  return { ...sent, room_type_id: offer.roomType.id, rate_plan_id: offer.plan.id };
}

function approve(call: AtId<ApproveRequest>): Promise<Success | Refusal> {
  const { max_amount, note } = call.body;
  const meta = commandMeta(call);
  const command = {
    ...meta,
    type: "ApproveAuthorization" as const,
    authorization_id: call.params.id,
    ...(max_amount !== undefined && { max_amount }),
    ...sealedNote(call, meta, note),
  };
  return execute(call, command, decided());
}

function revoke(call: AtId): Promise<Success | Refusal> {
  const authorization_id = call.params.id;
  const command = { ...commandMeta(call), type: "RevokeAuthorization" as const, authorization_id };
  return execute(call, command, decided());
}

const ACCESS = admin("booking-authorizations");
const AT_ID = { params: { id: pathId("Id of the authorization.") } } as const;
const DECISION = {
  ...AT_ID,
  tag: "Desk",
  method: "POST",
  access: ACCESS,
  key: "accepted",
  isBodyOptional: true,
  errors: ["booking_authorization_not_found", "resource_access_denied", "conflict"],
} as const;
const DECIDED = { status: 200, description: "The decision.", data: DecidedAuthorization } as const;

export const authorizationAdminRoutes = [
  route({
    ...DESK_READ,
    id: "admin_list_authorizations",
    path: PATH,
    summary: "List the booking authorizations",
    description:
      "Newest first. `?state=pending` lists the requests that wait for a decision; `expired` " +
      "follows from the clock.",
    access: ACCESS,
    query: {
      state: wordParameter(STATES, "Only authorizations in this state."),
      agent_id: textParameter("Only those of this agent.", 64),
      property_id: PROPERTY,
      created_from: instantParameter("Requested at this instant or later."),
      created_before: instantParameter("Requested before this instant."),
      format: FORMAT,
    },
    renderer: "table",
    success: listed("The authorizations.", DeskAuthorizations),
    errors: ["property_not_found", "resource_access_denied"],
    handle: list,
  }),
  route({
    ...DESK_READ,
    ...AT_ID,
    id: "admin_get_authorization",
    path: `${PATH}/:id`,
    summary: "Get a booking authorization for operators",
    description: "With who asked, who decided, and the booking that used it.",
    access: ACCESS,
    success: { status: 200, description: "The authorization.", data: DeskAuthorization },
    errors: ["booking_authorization_not_found", "resource_access_denied"],
    handle: show,
  }),
  route({
    id: "admin_grant_authorization",
    tag: "Desk",
    method: "POST",
    path: PATH,
    summary: "Grant a booking authorization unasked",
    description:
      "Approved at once, for one booking of this room type and these dates by the agent, of at " +
      "most `max_amount`. Agents ask by themselves: `authorization_required` opens a request.",
    access: ACCESS,
    key: "accepted",
    body: json(GrantBody),
    readsReplica: true,
    success: { status: 201, description: "The authorization.", data: DecidedAuthorization },
    errors: [
      ...(["property_not_found", "resource_access_denied", "room_type_not_found"] as const),
      ...(["rate_plan_not_found", "agent_not_found", "conflict"] as const),
    ],
    handle: grant,
  }),
  route({
    ...DECISION,
    id: "admin_approve_authorization",
    path: `${PATH}/:id/approve`,
    summary: "Approve a booking authorization",
    description:
      "Of at most `max_amount`, by default what was asked for. One booking can use it until it " +
      "expires. The operator that asked for it cannot approve it.",
    body: json(ApproveBody),
    success: DECIDED,
    handle: approve,
  }),
  route({
    ...DECISION,
    id: "admin_revoke_authorization",
    path: `${PATH}/:id/revoke`,
    summary: "Revoke a booking authorization",
    description: "A `pending` or `approved` one; no booking can use it then.",
    body: json(EmptyBody),
    success: DECIDED,
    handle: revoke,
  }),
];
