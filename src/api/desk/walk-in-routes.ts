/**
 * Bookings that the property makes itself, for a guest at the desk or on the telephone. The
 * operator who books answers for the guest's consent, so no token is needed; the audit names the
 * operator.
 */
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { type DelegationGrant, deskIssuer } from "../../access/auth/delegation.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { bookHold } from "../bookings/begin.ts";
import { Booking } from "../bookings/responses.ts";
import { CURRENCY } from "../parameters.ts";
import { quoteRequest } from "../quotes/requests.ts";
import { Quote } from "../quotes/responses.ts";
import { makeFor, QUOTE_ERRORS } from "../quotes/routes.ts";
import { DeskBookingBody, type DeskBookingRequest } from "./requests.ts";

function quote(call: Call<QuoteRequest>): Promise<Success | Refusal> {
  return makeFor(call, { isPaidAtProperty: true });
}

/** Consent to this hold alone. There is no token of the guest, so its subject is the hold. */
function consentOf({ principal, context, body }: Call<DeskBookingRequest>): DelegationGrant {
  const claims = { azp: principal.agent_id, hold_id: body.hold_id };
  return { ok: true, iss: deskIssuer(context.config), sub: body.hold_id, consent: { claims } };
}

function book(call: Call<DeskBookingRequest>): Promise<Success | Refusal> | Refusal {
  const { method, provider_token } = call.body.payment;
  const pays_at_property = method === "at_property";
  if (pays_at_property !== (provider_token === undefined)) {
    const message = pays_at_property ? "is not taken with at_property" : "is missing";
    const expected = "the payment provider's token, exactly with the method card";
    return invalid([{ path: "/payment/provider_token", message, expected }]);
  }
  const paid = { method, ...(provider_token !== undefined && { provider_token }) };
  return bookHold(call, consentOf(call), { ...paid, desk: { pays_at_property } });
}

export const walkInRoutes = [
  route({
    id: "admin_quote_at_property",
    tag: "Desk",
    method: "POST",
    path: "/v1/admin/bookings/quote",
    summary: "Quote a stay that is paid at the property",
    description:
      "As `POST /v1/quotes`, with everything due at the property: `due_now` is 0, and so is every " +
      "cancellation fee, which is a share of what was prepaid. Hold the quote with " +
      "`POST /v1/holds`, then book it with `POST /v1/admin/bookings`. For a guest who pays by " +
      "card now, quote with `POST /v1/quotes`.",
    access: { kinds: ["operator"], scope: "quotes", touches: "properties" },
    query: { currency: CURRENCY },
    body: quoteRequest,
    readsReplica: true,
    success: { status: 201, description: "The quote.", data: Quote, expires: true },
    errors: QUOTE_ERRORS,
    handle: quote,
  }),
  route({
    id: "admin_book",
    tag: "Desk",
    method: "POST",
    path: "/v1/admin/bookings",
    summary: "Book for a guest at the desk",
    description:
      "Books a hold of your own for a guest at the desk or on the telephone, without a delegation " +
      "token. `at_property` takes no payment: the quote must be one of " +
      "`POST /v1/admin/bookings/quote`, otherwise `conflict` with reason `payment_due`. `card` " +
      "captures what is due now with a `provider_token`. The tenant's authorization policy does " +
      "not apply to these bookings; the credential's own `max_booking_amount` does. Use the same " +
      "`Idempotency-Key` to retry.",
    access: { kinds: ["operator"], scope: "bookings:write", touches: "properties" },
    key: "required",
    body: json(DeskBookingBody),
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
      "conflict",
      "resource_access_denied",
      "authorization_required",
      "payment_failed",
      "payment_provider_error",
      "payment_timeout",
      "service_not_configured",
    ],
    handle: book,
  }),
];
