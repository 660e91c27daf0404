/** `POST /v1/holds`, and reads and writes of holds. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { requoteHint } from "../../../engine/core/holds/hold.ts";
import type { Hold } from "../../../engine/core/records.ts";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, unavailable } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { bookingActions } from "../bookings/actions.ts";
import { withRemaining } from "../bookings/views.ts";
import { agentLimits, BOOKERS } from "../callers.ts";
import { pathId } from "../parameters.ts";
import { whyMissing } from "../quotes/quote-id.ts";
import { EXAMPLE, HOLD_ARGUMENT, QUOTE_ARGUMENT } from "../tool-arguments.ts";
import { bookingOf, holdOf } from "../visible.ts";
import { confirmingHoldActions, endedHoldActions, holdActions } from "./actions.ts";
import { EXTENDED, PLACED, RELEASED } from "./render.ts";
import { HoldBody } from "./requests.ts";
import { ExtendedHold, Hold as HoldAnswer, HoldDetail, ReleasedHold } from "./responses.ts";

/** Sends `PlaceHold` even without a quote: the engine must check the key first. */
async function place(call: Call<{ readonly quote_id: string }>): Promise<Success | Refusal> {
  const { quote_id } = call.body;
  const { quotes, config } = call.context;
  const { tenant_id, mode } = call.principal;
  let quote: string | null;
  try {
    quote = await quotes.get(tenant_id, mode, quote_id);
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    throw error;
  }
  const command = {
    ...commandMeta(call),
    type: "PlaceHold" as const,
    quote_id,
    quote,
    ttl_ms: config.holdTtlMs,
    limits: agentLimits(call),
    ...(quote === null && { missing: whyMissing(call, quote_id) }),
  };
  return execute(call, command, PLACED);
}

function release(call: Call<unknown, "id">): Promise<Success | Refusal> {
  const { id: hold_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "ReleaseHold", hold_id }, RELEASED);
}

function extend(call: Call<unknown, "id">): Promise<Success | Refusal> {
  const { id: hold_id } = call.params;
  const ttl_ms = call.context.config.holdTtlMs;
  return execute(call, { ...commandMeta(call), type: "ExtendHold", hold_id, ttl_ms }, EXTENDED);
}

function show(call: Call<unknown, "id">): Success | Refusal {
  const hold = holdOf(call, call.params.id);
  if ("code" in hold) return hold;
  const { quote } = hold;
  const expires_at = instantIso(hold.expires_at);
  const data = {
    hold_id: hold.hold_id,
    quote_id: quote.quote_id,
    state: hold.state,
    expires_at,
    property_id: quote.property_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    stay: quote.stay,
    guests: quote.guests,
    total: { amount: quote.total, currency: quote.currency },
    extensions: hold.extensions,
    created_at: instantIso(hold.created_at),
    ended_at: hold.ended_at === null ? null : instantIso(hold.ended_at),
    booking_id: hold.booking_id,
    payment: paymentOf(call, hold),
  };
  return { ok: true, data, actions: actionsAt(call, hold, expires_at), expires_at };
}

function paymentOf({ context }: Call, hold: Hold) {
  if (hold.payment_id === null) return null;
  const { state, records } = context.replica;
  const payment = state.payments.get(hold.payment_id) ?? records.payment(hold.payment_id);
  return { payment_id: hold.payment_id, state: payment?.state ?? "pending" };
}

function actionsAt(call: Call, hold: Hold, expires_at: string) {
  const { may, context, principal } = call;
  const { hold_id, quote } = hold;
  const { state } = context.replica;
  switch (hold.state) {
    case "held": {
      const { extensions } = hold;
      const isOwn = hold.agent_id === principal.agent_id;
      const held = { hold_id, quote_id: quote.quote_id, expires_at, extensions, isOwn };
      return holdActions({ ...held, readAtMs: context.timeIn(principal) }, may);
    }
    case "confirming":
      return confirmingHoldActions(hold_id, may);
    case "consumed": {
      const booking = bookingOf(call, hold.booking_id ?? "");
      return "code" in booking
        ? []
        : bookingActions(withRemaining(context, booking), context.timeIn(principal), may);
    }
    case "released":
    case "expired": {
      const { requote } = requoteHint(quote, { state, now: context.timeIn(principal) });
      return endedHoldActions(requote, may);
    }
  }
}

const HOLDS = {
  tag: "Holds",
  access: { kinds: BOOKERS, scope: "holds", touches: "properties" },
} as const;
const AT_HOLD_ARGUMENTS = {
  pathArguments: { id: "hold_id" },
  arguments: { hold_id: HOLD_ARGUMENT },
} as const;
const AT_HOLD = { ...HOLDS, params: { id: pathId("Id of the hold.") } } as const;
const WRITE = {
  ...AT_HOLD,
  method: "POST",
  body: json(EmptyBody),
  isBodyOptional: true,
  key: "accepted",
} as const;

export const holdRoutes = [
  route({
    ...HOLDS,
    id: "hold",
    method: "POST",
    path: "/v1/holds",
    summary: "Hold the room of a quote",
    description:
      "Reserves all nights, or none. Use the same `Idempotency-Key` to retry: a second key makes " +
      "a second hold, listed in `other_live_holds`.",
    key: "required",
    body: json(HoldBody),
    success: { status: 201, description: "The hold.", data: HoldAnswer, expires: true },
    errors: [
      "quote_not_found",
      "quote_expired",
      "allocation_failed",
      "allotment_exhausted",
      "property_not_found",
      "room_type_not_found",
      "rate_plan_not_found",
    ],
    tool: {
      title: "Hold a room",
      description:
        "Reserves the quoted room for some minutes, without payment. Before expires_at book " +
        "or create_checkout_session, or release_hold if the traveler declines.",
      tags: ["hold", "inventory"],
      nextRel: "confirm",
      arguments: { quote_id: QUOTE_ARGUMENT },
      example: { quote_id: EXAMPLE.quote_id, idempotency_key: EXAMPLE.idempotency_key },
    },
    handle: place,
  }),
  route({
    ...AT_HOLD,
    id: "get_hold",
    method: "GET",
    path: "/v1/holds/:id",
    summary: "Get a hold",
    description: "Its state, and its payment while a booking is being confirmed.",
    readsReplica: true,
    success: { status: 200, description: "The hold.", data: HoldDetail, expires: true },
    errors: ["hold_not_found"],
    tool: {
      title: "Get a hold",
      description:
        "A hold's state, and its payment's while a booking is being confirmed. Read it when an " +
        "answer was lost.",
      tags: ["hold"],
      nextRel: "confirm",
      ...AT_HOLD_ARGUMENTS,
      example: { hold_id: EXAMPLE.hold_id },
    },
    handle: show,
  }),
  route({
    ...WRITE,
    id: "release_hold",
    path: "/v1/holds/:id/release",
    summary: "Release a hold",
    description:
      "The room is on sale again at once. A second release gets the answer of the first.",
    success: { status: 200, description: "The hold is released.", data: ReleasedHold },
    errors: ["hold_not_found", "hold_expired", "hold_not_active"],
    tool: {
      title: "Release a hold",
      description: "Gives a held room back at once, when the traveler declines or wants another.",
      tags: ["hold", "inventory"],
      nextRel: "quote",
      ...AT_HOLD_ARGUMENTS,
      example: { hold_id: EXAMPLE.hold_id },
    },
    handle: release,
  }),
  route({
    ...WRITE,
    id: "extend_hold",
    path: "/v1/holds/:id/extend",
    summary: "Extend a hold",
    description: "Extends `expires_at` by the lifetime of a hold, at most twice.",
    success: { status: 200, description: "The hold.", data: ExtendedHold, expires: true },
    errors: ["hold_not_found", "hold_expired", "hold_not_active", "conflict"],
    tool: {
      title: "Extend a hold",
      description:
        "Keeps a held room for longer, at most twice, when the traveler needs more time.",
      tags: ["hold", "inventory"],
      nextRel: "confirm",
      ...AT_HOLD_ARGUMENTS,
      isIdempotent: false,
      example: { hold_id: EXAMPLE.hold_id, idempotency_key: EXAMPLE.idempotency_key },
    },
    handle: extend,
  }),
];
