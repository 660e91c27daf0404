/**
 * What the reader of an answer can do next (spec 2.2), with ready bodies, so that an agent goes on
 * or recovers without guessing. All functions are pure: a sealed answer rendered again for the same
 * agent gives the same bytes. A call that the caller may not make is never offered (rules §9).
 */
import type { QuoteRequest } from "../../engine/core/quote.ts";
import type { Method, Rel } from "../refusals/steps.ts";
import type { NextAction } from "./envelope.ts";
import { type May, mayCall } from "./scopes.ts";

const SEARCH_QUOTES_MAX = 5;

/** Adds the optional parts only where they exist: absent members keep the bytes stable. */
export function action(
  rel: Rel,
  method: Method,
  href: string,
  extra?: Pick<NextAction, "body_hint" | "expires_at">,
): NextAction {
  return extra ? { rel, method, href, ...extra } : { rel, method, href };
}

/** Leaves out the actions the caller may not take; without `may` all stay. */
export function permitted(actions: NextAction[], may?: May): NextAction[] {
  return may ? actions.filter(({ method, href }) => mayCall(may, method, href)) : actions;
}

/** A quote request with nothing else in it and its members in one order. */
export function quoteBody(request: QuoteRequest): Record<string, unknown> {
  const { hotel_id, room_type_id, rate_plan_id } = request;
  return { hotel_id, room_type_id, rate_plan_id, ...stayBody(request) };
}

/** The search body for the same dates and party, anywhere. */
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

function post(rel: Rel, href: string, body_hint: Record<string, unknown>): NextAction {
  return action(rel, "POST", href, { body_hint });
}

/** After a search: quotes of the first five offers; when there are none, the search at large. */
export function searchActions(
  offers: readonly QuoteRequest[],
  asked: Pick<QuoteRequest, "stay" | "guests">,
  may?: May,
): NextAction[] {
  const quotes = offers
    .slice(0, SEARCH_QUOTES_MAX)
    .map((offer) => post("quote", "/v1/quotes", quoteBody(offer)));
  const wider = [post("search", "/v1/search", stayBody(asked))];
  return permitted(quotes.length > 0 ? quotes : wider, may);
}

export interface QuoteStep {
  readonly quote_id: string;
  readonly expires_at: string;
  /** Units that could be held now. */
  readonly sellable: number;
  readonly request: QuoteRequest;
  readonly alternatives: readonly QuoteRequest[];
}

/** After a quote: hold it, or when nothing is sellable look elsewhere (domain §0). */
export function quoteActions(quote: QuoteStep, may?: May): NextAction[] {
  if (quote.sellable > 0) {
    const extra = { body_hint: { quote_id: quote.quote_id }, expires_at: quote.expires_at };
    return permitted([action("create_hold", "POST", "/v1/holds", extra)], may);
  }
  const requotes = quote.alternatives.map((each) => post("requote", "/v1/quotes", quoteBody(each)));
  return permitted([post("search", "/v1/search", stayBody(quote.request)), ...requotes], may);
}

export interface HoldStep {
  readonly hold_id: string;
  readonly quote_id: string;
  readonly expires_at: string;
  /** Left out: extensions are left. */
  readonly may_extend?: boolean;
  /** Other live holds of the agent on the same quote (rules §6). */
  readonly other_live_holds?: readonly string[];
}

/** While a hold is `held`: book it, extend it, give it back, and give back its doubles. */
export function holdActions(hold: HoldStep, may?: May): NextAction[] {
  const { hold_id, quote_id, expires_at } = hold;
  const path = holdPath(hold_id);
  const actions = [
    action("confirm", "POST", "/v1/bookings", {
      body_hint: bookingBody({ hold_id, quote_id }),
      expires_at,
    }),
    action("extend", "POST", `${path}/extend`, { expires_at }),
    action("release", "POST", `${path}/release`, { expires_at }),
    action("get", "GET", path),
    ...(hold.other_live_holds ?? []).map((id) =>
      action("release", "POST", `${holdPath(id)}/release`),
    ),
  ];
  const isOffered = (each: NextAction) => each.rel !== "extend" || hold.may_extend !== false;
  return permitted(actions.filter(isOffered), may);
}

/** After a release, or at a hold that has ended: price the same stay again or search. */
export function endedHoldActions(requote: QuoteRequest, may?: May): NextAction[] {
  const quote = post("quote", "/v1/quotes", quoteBody(requote));
  return permitted([quote, post("search", "/v1/search", stayBody(requote))], may);
}

/** At a hold whose payment is open: look again. */
export function confirmingHoldActions(holdId: string, may?: May): NextAction[] {
  return permitted([action("get", "GET", holdPath(holdId))], may);
}

/** At a booking; `cancel` only while it is `confirmed`. */
export function bookingActions(
  booking: { readonly booking_id: string; readonly state: string },
  may?: May,
): NextAction[] {
  const path = bookingPath(booking.booking_id);
  const read = [action("get", "GET", path), action("get_audit", "GET", `${path}/audit`)];
  const cancel = booking.state === "confirmed" ? [action("cancel", "POST", `${path}/cancel`)] : [];
  return permitted([...read, ...cancel], may);
}

/** After a cancellation; `refund_id` is null when nothing is paid back. */
export function cancellationActions(
  done: { readonly booking_id: string; readonly refund_id: string | null },
  may?: May,
): NextAction[] {
  const path = bookingPath(done.booking_id);
  const read = [action("get", "GET", path), action("get_audit", "GET", `${path}/audit`)];
  if (done.refund_id === null) return permitted(read, may);
  const refund = `${path}/refunds/${encodeURIComponent(done.refund_id)}`;
  return permitted([...read, action("get_refund", "GET", refund)], may);
}

function holdPath(holdId: string): string {
  return `/v1/holds/${encodeURIComponent(holdId)}`;
}

function bookingPath(bookingId: string): string {
  return `/v1/bookings/${encodeURIComponent(bookingId)}`;
}
