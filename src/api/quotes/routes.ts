/**
 * `POST /v1/quotes` (spec 4.6): freezes price and policy. A price always exists; when the stay
 * cannot be sold now the quote says why and what could be held instead.
 */

import { dayOf, instantIso, todayIn } from "../../../engine/core/calendar.ts";
import { queryOf } from "../../../engine/core/decide/hold.ts";
import { convert } from "../../../engine/core/money.ts";
import type { FrozenQuote, QuoteRequest } from "../../../engine/core/quote.ts";
import { availabilityOf, freezeQuote } from "../../../engine/core/quoting.ts";
import { findOffer, type Offer } from "../../../engine/core/state.ts";
import { NoOutcome } from "../../../jobs/submitter.ts";
import type { Call, ProtectedRoute } from "../../http/call.ts";
import { unavailable } from "../../http/execute.ts";
import { quoteActions } from "../../http/next-actions.ts";
import { bad, good, invalid } from "../../http/respond.ts";
import { unfolded } from "../bookings/render.ts";
import { parseQuote, QuoteBody } from "../bookings/schemas.ts";
import { currencyErrors, findProperty } from "../properties/routes.ts";
import { newQuoteId } from "./quote-id.ts";
import { stayProblems } from "./stay-problems.ts";

/** Nights beyond this many days from today cannot be quoted (rules §5). */
export const HORIZON_DAYS = 730;

async function handle(call: Call): Promise<Response> {
  const { deps } = call;
  const parsed = parseQuote(call.body);
  const errors = currencyErrors(call.query);
  if (!parsed.ok) return invalid(call, [...errors, ...parsed.errors]);
  if (errors.length > 0) return invalid(call, errors);
  deps.replica.catchUp(2);
  const offer = offerFor(call, parsed.request);
  if (offer instanceof Response) return offer;
  const nowMs = deps.now();
  const quote = freezeQuote(offer, parsed.request, {
    quote_id: newQuoteId(deps.keys.hmac, call.principal.tenant_id, nowMs),
    tenant_id: call.principal.tenant_id,
    mode: call.principal.mode,
    agent_id: call.principal.agent_id,
    nowMs,
    ttlMs: deps.config.quoteTtlMs,
    sha256: (text) => Bun.SHA256.hash(text, "hex") as string,
  });
  if (typeof quote === "string") {
    const { hotel_id, rate_plan_id } = parsed.request;
    const hints = { requote: parsed.request, property_id: hotel_id };
    return bad(call, { code: quote, detail: { property_id: hotel_id, rate_plan_id }, hints });
  }
  return store(call, offer, quote, parsed.request);
}

/** Order of refusals: rules §1 step 9, quotes. */
function offerFor(call: Call, request: QuoteRequest): Offer | Response {
  const { hotel_id, room_type_id, rate_plan_id, stay } = request;
  const hints = { requote: request, property_id: hotel_id };
  const property = findProperty(call, hotel_id);
  if (typeof property === "string") {
    return bad(call, { code: property, detail: { property_id: hotel_id }, hints });
  }
  const offer = findOffer(property, room_type_id, rate_plan_id);
  if (typeof offer === "string") {
    const detail = { property_id: hotel_id, room_type_id, rate_plan_id };
    return bad(call, { code: offer, detail, hints });
  }
  const today = todayIn(property.tree.timezone, call.deps.now());
  const errors = stayProblems(stay, today);
  if (dayOf(stay.check_out) > today + HORIZON_DAYS) {
    const message = "is beyond the dates that can be sold";
    errors.push({ path: "/stay/check_out", message, expected: `≤ ${HORIZON_DAYS} days ahead` });
  }
  return errors.length > 0 ? invalid(call, errors) : offer;
}

async function store(
  call: Call,
  offer: Offer,
  quote: FrozenQuote,
  request: QuoteRequest,
): Promise<Response> {
  const { deps, principal } = call;
  const openMax = principal.limits.max_open_quotes;
  try {
    const isStored = await deps.quotes.put(quote, quote.created_at, openMax);
    if (!isStored) {
      const detail = { policy: "max_open_quotes", limit: openMax };
      return bad(call, { code: "rate_limited", detail, retry_after: 60 });
    }
  } catch (error) {
    if (error instanceof NoOutcome) return bad(call, unavailable(error));
    throw error;
  }
  const today = todayIn(offer.property.tree.timezone, quote.created_at);
  const availability = availabilityOf(offer, queryOf(quote, principal.agent_id), today);
  const { sellable, blocking, alternatives } = availability;
  const { price_breakdown, policy_snapshot } = unfolded(call, quote);
  const expires_at = instantIso(quote.expires_at);
  const { hotel_id, room_type_id, rate_plan_id, stay, guests } = quote;
  const data = {
    quote_id: quote.quote_id,
    ...{ hotel_id, room_type_id, rate_plan_id, stay, guests },
    price_breakdown: { ...price_breakdown, display: displayOf(call, quote) },
    policy_snapshot,
    availability: sellable > 0 ? { sellable } : { sellable, blocking, alternatives },
    expires_at,
  };
  const alternativeQuotes = alternatives.map((alternative) => alternative.quote);
  const step = { quote_id: quote.quote_id, expires_at, sellable, request };
  const actions = quoteActions({ ...step, alternatives: alternativeQuotes }, call.may);
  return good(call, { status: 201, data, actions, expires_at });
}

/** Display conversion into `?currency=`; never changes what is charged. Unknown rate: null. */
function displayOf(call: Call, quote: FrozenQuote) {
  const currency = call.query.get("currency");
  if (currency === undefined) return null;
  const fx = call.deps.replica.state.tenants.get(quote.tenant_id)?.fx ?? null;
  const total = convert(quote.total, quote.currency, currency, fx);
  if (!total || !fx) return null;
  const { amount, fx_rate } = total;
  return { currency, total: amount, fx_rate, fx_as_of: fx.as_of, source: "admin_table" };
}

export const quoteRoutes: readonly ProtectedRoute[] = [
  {
    method: "POST",
    path: "/v1/quotes",
    access: { kinds: ["agent", "operator", "service"], scope: "quotes" },
    query: ["currency"],
    reads: "json",
    body: QuoteBody,
    handle,
  },
];
