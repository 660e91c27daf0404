/**
 * `POST /v1/quotes`: freezes price and policy. The price always exists; if the stay cannot be sold
 * now, the quote says why and offers alternatives.
 */

import { makeQuote, type QuoteMaking } from "../../../engine/core/availability/quoting.ts";
import { todayIn } from "../../../engine/core/calendar.ts";
import type { FrozenQuote, QuoteRequest } from "../../../engine/core/price/quote.ts";
import {
  type AmbiguousName,
  namedOffer,
} from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import type { RefusalCode } from "../../../engine/core/refusals.ts";
import type { Offer } from "../../../engine/core/state/state.ts";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { unavailable } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { BOOKERS } from "../callers.ts";
import { CURRENCY, currencyArgument } from "../parameters.ts";
import { saleProblems } from "../stays.ts";
import { EXAMPLE } from "../tool-arguments.ts";
import { livePropertyOf } from "../visible.ts";
import { newQuoteId } from "./quote-id.ts";
import { quoteRequest } from "./requests.ts";
import { Quote } from "./responses.ts";
import { shown } from "./shown.ts";

/** Makes and keeps a quote for the caller. */
export async function makeFor(
  call: Call<QuoteRequest>,
  terms: Pick<QuoteMaking, "isPaidAtProperty"> = {},
): Promise<Success | Refusal> {
  const { context, principal, body } = call;
  const nowMs = context.timeIn(principal);
  const found = offerFor(call, body, nowMs);
  if (!found.ok) return found;
  const { offer, request } = found;
  const { tenant_id, mode, agent_id } = principal;
  const made = makeQuote(offer, request, {
    quote_id: newQuoteId(context.keys.quotes, tenant_id, nowMs),
    ...{ tenant_id, mode, agent_id, nowMs },
    ttlMs: context.config.quoteTtlMs,
    sha256: (text) => Bun.SHA256.hash(text, "hex") as string,
    ...terms,
  });
  if (made === "price_not_exact") return invalid([NOT_EXACT]);
  if (typeof made === "string") {
    const { rate_plan_id } = request;
    return refuseQuote(made, request, { rate_plan_id });
  }
  const refused = await keep(call, made.quote);
  return refused ?? { ...shown(call, made, offer), status: 201 };
}

/** Only for supply created before taxes were bounded. */
const NOT_EXACT = {
  path: "/rate_plan_id",
  message: "cannot be priced: the total is too large",
  expected: "fewer nights or guests, or another rate",
} as const;

interface Asked {
  readonly ok: true;
  readonly offer: Offer;
  /** The request with ids in place of slug and codes. */
  readonly request: QuoteRequest;
}

/** The refusal with the property's id and a ready body to price the stay again. */
function refuseQuote(code: RefusalCode, requote: QuoteRequest, ids: Partial<QuoteRequest> = {}) {
  const { hotel_id: property_id } = requote;
  return refuse(code, { property_id, ...ids }, { hints: { requote, property_id } });
}

/** The fault of a code that several have. */
export function unclear({ field, candidates }: AmbiguousName) {
  const expected = `the id, or the code as it is written: ${candidates.join(", ")}`;
  return { path: `/${field}`, message: "is ambiguous: several have this code", expected };
}

/** The offer that a body asks for, or the first refusal. */
function offerFor(call: Call, sent: QuoteRequest, nowMs: number): Asked | Refusal {
  const property = livePropertyOf(call, sent.hotel_id);
  if ("code" in property) return refuseQuote(property.code, sent, property.detail);
  const hotel_id = property.tree.id;
  const { room_type_id, rate_plan_id, stay } = sent;
  const offer = namedOffer(property, room_type_id, rate_plan_id);
  if (typeof offer === "string") {
    return refuseQuote(offer, { ...sent, hotel_id }, { room_type_id, rate_plan_id });
  }
  if ("candidates" in offer) return invalid([unclear(offer)]);
  const { roomType, plan } = offer;
  const request = { ...sent, hotel_id, room_type_id: roomType.id, rate_plan_id: plan.id };
  const today = todayIn(property.tree.timezone, nowMs);
  const errors = saleProblems(stay, today);
  return errors.length > 0 ? invalid(errors) : { ok: true, offer, request };
}

/** Stores the quote; null on success, else the refusal. */
async function keep({ context, principal }: Call, quote: FrozenQuote): Promise<Refusal | null> {
  const limit = principal.limits.max_open_quotes;
  try {
    if (await context.quotes.put(quote, context.engineNow(), limit)) return null;
    return refuse("rate_limited", { policy: "max_open_quotes", limit }, { retry_after: 60 });
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    throw error;
  }
}

/** Refusals of a quote. */
export const QUOTE_ERRORS = [
  "property_not_found",
  "resource_access_denied",
  "room_type_not_found",
  "rate_plan_not_found",
  "policy_not_found_for_rate_plan",
  "upstream_unavailable",
] as const;

export const quoteRoutes = [
  route({
    id: "quote",
    tag: "Quotes",
    method: "POST",
    path: "/v1/quotes",
    summary: "Freeze price and cancellation terms",
    description:
      "Prices one room for a stay. The quote is a price, not a reservation: hold it before it " +
      "expires. A stay that cannot be sold now is still answered with 201; `availability` says " +
      "why and lists alternatives.",
    access: { kinds: BOOKERS, scope: "quotes", touches: "properties" },
    query: { currency: CURRENCY },
    body: quoteRequest,
    readsReplica: true,
    success: { status: 201, description: "The quote.", data: Quote, expires: true },
    errors: QUOTE_ERRORS,
    tool: {
      title: "Quote a stay",
      description:
        "Freezes price, taxes and cancellation terms of a room type and rate plan, in minor " +
        "units. Reserves nothing: show the traveler total and terms, then hold before expires_at.",
      tags: ["price", "quote"],
      nextRel: "create_hold",
      queryArguments: { currency: currencyArgument },
      isIdempotent: false,
      example: {
        hotel_id: EXAMPLE.hotel_id,
        room_type_id: "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a12",
        rate_plan_id: "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a13",
        stay: EXAMPLE.stay,
        guests: EXAMPLE.guests,
      },
    },
    handle: (call) => makeFor(call),
  }),
];
