/** `POST /v1/bookings` and cancellation: the two delegation-gated writes. */
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { BOOKERS } from "../callers.ts";
import { BOOKING_ID } from "../parameters.ts";
import { BOOKING_ARGUMENT, EXAMPLE, HOLD_ARGUMENT, QUOTE_ARGUMENT } from "../tool-arguments.ts";
import { bookingOf } from "../visible.ts";
import { bookHold, travelerFrom } from "./begin.ts";
import { encryptedNote } from "./personal-fields.ts";
import { CANCELLED } from "./render.ts";
import { BookingBody, type BookingRequest, CancelBody, type CancelRequest } from "./requests.ts";
import { Booking, Cancellation } from "./responses.ts";

function book(call: Call<BookingRequest>): Promise<Success | Refusal> {
  const { authorization_id, payment } = call.body;
  return bookHold(call, call.delegation!, {
    ...payment,
    ...(authorization_id === undefined ? {} : { authorization_id }),
  });
}

async function cancel(call: Call<CancelRequest, "id">): Promise<Success | Refusal> {
  const { body, context, params, delegation } = call;
  const meta = commandMeta(call);
  const { sub: _sub, ...traveler } = travelerFrom(context, delegation!);
  const command = {
    ...meta,
    type: "CancelBooking" as const,
    booking_id: params.id,
    consent: delegation!.consent,
    traveler,
    ...(body.reason_code === undefined ? {} : { reason_code: body.reason_code }),
    ...encryptedNote(context, body.note, () => bookingOf(call, params.id)),
  };
  return execute(call, command, CANCELLED);
}

export const bookingRoutes = [
  route({
    id: "book",
    tag: "Bookings",
    method: "POST",
    path: "/v1/bookings",
    summary: "Confirm a hold, take payment, get a signed receipt",
    description:
      "Needs the traveler's consent as a JWT in `X-Delegated-User`. Use the same " +
      "`Idempotency-Key` to retry: after `payment_timeout` the outcome is open and only the same " +
      "key finds it. After `payment_failed` try a new key and a new token on the same hold.",
    access: { kinds: BOOKERS, scope: "bookings:write", touches: "properties" },
    isDelegated: true,
    key: "required",
    body: json(BookingBody),
    rendersReplica: true,
    success: {
      status: 201,
      description: "The booking, with its receipt.",
      data: Booking,
      hasReceipt: true,
    },
    errors: [
      "hold_not_found",
      "hold_expired",
      "hold_not_active",
      "quote_mismatch",
      "authorization_required",
      "booking_authorization_invalid",
      "payment_failed",
      "payment_provider_error",
      "payment_timeout",
      "service_not_configured",
    ],
    tool: {
      title: "Book a held room",
      description:
        "Confirms a hold, takes the payment and returns a signed receipt. Only after the traveler " +
        "agreed, with the delegation token; without one use create_checkout_session. A new " +
        "idempotency_key makes another payment.",
      tags: ["booking", "payment"],
      nextRel: "get",
      arguments: { hold_id: HOLD_ARGUMENT, quote_id: QUOTE_ARGUMENT },
      isDestructive: true,
      isOpenWorld: true,
      example: {
        hold_id: EXAMPLE.hold_id,
        quote_id: EXAMPLE.quote_id,
        guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
        payment: { method: "card", provider_token: "<token from the payment provider>" },
        idempotency_key: EXAMPLE.idempotency_key,
        delegation_token: EXAMPLE.delegation_token,
      },
    },
    handle: book,
  }),
  route({
    id: "cancel",
    tag: "Bookings",
    method: "POST",
    path: "/v1/bookings/:id/cancel",
    summary: "Cancel a booking",
    description:
      "The fee comes from the policy frozen with the booking, not from the current one. Needs " +
      "the booking's own traveler in `X-Delegated-User`. The room is on sale again at once.",
    access: { kinds: BOOKERS, scope: "bookings:cancel", touches: "properties" },
    isDelegated: true,
    params: { id: BOOKING_ID },
    key: "accepted",
    body: json(CancelBody),
    isBodyOptional: true,
    success: {
      status: 200,
      description: "The cancellation, with its receipt.",
      data: Cancellation,
      hasReceipt: true,
    },
    errors: ["booking_not_found", "resource_access_denied", "booking_not_cancellable"],
    tool: {
      title: "Cancel a booking",
      description:
        "Cancels a booking for good: a fee by its frozen terms, the rest is refunded. Only on the " +
        "traveler's word, with the delegation token.",
      tags: ["booking", "cancellation", "refund"],
      nextRel: "get",
      pathArguments: { id: "booking_id" },
      arguments: { booking_id: BOOKING_ARGUMENT },
      isDestructive: true,
      example: {
        booking_id: EXAMPLE.booking_id,
        idempotency_key: EXAMPLE.idempotency_key,
        delegation_token: EXAMPLE.delegation_token,
      },
    },
    handle: cancel,
  }),
];
