/**
 * Ready bodies of the calls that answers offer, so that an agent goes on or recovers without
 * guessing. Pure, with their members in one order: a sealed answer rendered again for the same
 * agent gives the same bytes.
 */
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import type { FillIn } from "./next-action.ts";

/** Placeholder for personal data, such as a guest's. */
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

/** The header of the traveler's consent, which `book` and `cancel` need. */
export const CONSENT: FillIn = {
  path: "X-Delegated-User",
  meaning: "the traveler's consent: a JWT of a trusted issuer",
};

/** What only the caller has of a booking. */
export const BOOKING_FILL_IN: readonly FillIn[] = [
  { path: "/guest/primary/full_name", meaning: "full name" },
  { path: "/guest/primary/email", meaning: "email address" },
  { path: "/payment/provider_token", meaning: "token from the payment provider" },
  CONSENT,
];

/** Body of `POST /v1/bookings`; `BOOKING_FILL_IN` says what is left to fill in. */
export function bookingBody(ids: {
  readonly hold_id: string;
  readonly quote_id: string;
  readonly idempotency_key: string;
}): Record<string, unknown> {
  return {
    ...ids,
    guest: { primary: { full_name: "<full name>", email: "<email address>" } },
    payment: { method: "card", provider_token: "<token from the payment provider>" },
  };
}

const BLANK = /^<(.*)>$/s;

/** The blanks of a body, `<what it is>`, as what is to be filled in. */
export function blanksIn(value: unknown, at = ""): FillIn[] {
  if (typeof value === "string") {
    const meaning = BLANK.exec(value)?.[1];
    return meaning === undefined ? [] : [{ path: at, meaning }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    return blanksIn(each, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  });
}
