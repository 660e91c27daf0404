/**
 * Ready bodies of the calls that answers offer, so that an agent goes on or recovers without
 * guessing. Pure, with their members in one order: a sealed answer rendered again for the same
 * agent gives the same bytes.
 */
import type { QuoteRequest } from "../../engine/core/quote.ts";

/** Stands for what the caller alone should have, a guest's data above all. */
export const AS_SENT = "<as you sent it>";

/** Body of `POST /v1/quotes`: a quote request with nothing else in it. */
export function quoteBody(request: QuoteRequest): Record<string, unknown> {
  const { hotel_id, room_type_id, rate_plan_id } = request;
  return { hotel_id, room_type_id, rate_plan_id, ...stayBody(request) };
}

/** Body of `POST /v1/search` for the same dates and party, anywhere. */
export function stayBody(request: Pick<QuoteRequest, "stay" | "guests">): Record<string, unknown> {
  const { stay, guests } = request;
  return {
    stay: { check_in: stay.check_in, check_out: stay.check_out },
    guests: { adults: guests.adults, children: guests.children.map(({ age }) => ({ age })) },
  };
}

/** Body of `POST /v1/bookings`; only what the traveler knows is left to fill in. */
export function bookingBody(ids: {
  readonly hold_id: string;
  readonly quote_id: string;
  readonly authorization_id?: string;
}): Record<string, unknown> {
  return {
    ...ids,
    guest: { primary: { full_name: "<full name>", email: "<email address>" } },
    payment: { method: "card", provider_token: "<token from the payment provider>" },
  };
}
