/** `GET /v1/quotes/{id}`: the frozen quote, until it expires. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { isQuoteOver, requoteHint } from "../../../engine/core/holds/hold.ts";
import { readQuote } from "../../../engine/core/price/quote-codec.ts";
import { findOffer } from "../../../engine/core/state/state.ts";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { unavailable } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { BOOKERS } from "../callers.ts";
import { CURRENCY, currencyArgument, pathId } from "../parameters.ts";
import { EXAMPLE, QUOTE_ARGUMENT } from "../tool-arguments.ts";
import { bookingIdsOn, openHoldIdsOf, propertyOf, quoteSeen } from "../visible.ts";
import { whyMissing } from "./quote-id.ts";
import { Quote } from "./responses.ts";
import { shown, unfolded } from "./shown.ts";

async function get(call: Call<unknown, "id">): Promise<Success | Refusal> {
  const { context, principal, params } = call;
  const { tenant_id, mode } = principal;
  const { id: quote_id } = params;
  let text: string | null;
  try {
    text = await context.quotes.get(tenant_id, mode, quote_id);
  } catch (error) {
    if (error instanceof NoOutcome) return unavailable(error);
    throw error;
  }
  if (text === null) return refuse(whyMissing(call, quote_id), { quote_id });
  const quote = quoteSeen(call, quote_id, readQuote(text, tenant_id, mode));
  if ("code" in quote) return quote;
  const at = { state: context.replica.state, now: context.timeIn(principal) };
  if (isQuoteOver(quote, at)) {
    const detail = { quote_id, expired_at: instantIso(quote.expires_at) };
    return refuse("quote_expired", detail, { hints: requoteHint(quote, at) });
  }
  const property = propertyOf(call, quote.property_id);
  if ("code" in property) return property;
  const offer = findOffer(property, quote.room_type_id, quote.rate_plan_id);
  const read = {
    readAtMs: at.now,
    hold_ids: openHoldIdsOf(call, quote),
    booking_ids: bookingIdsOn(call, quote),
  };
  const made = { quote, unfolded: unfolded(context, quote) };
  return shown(call, made, typeof offer === "string" ? null : offer, read);
}

export const quoteReadRoutes = [
  route({
    id: "get_quote",
    tag: "Quotes",
    method: "GET",
    path: "/v1/quotes/:id",
    summary: "Get a quote",
    description:
      "The frozen quote with its current availability, until it expires; then `quote_expired` " +
      "with a ready body to price the same stay again. The next actions lead to the hold or " +
      "booking of the quote, if any. Only for the agent that made the quote, and for operators.",
    access: { kinds: BOOKERS, scope: "quotes", touches: "properties" },
    params: { id: pathId("Id of the quote.") },
    query: { currency: CURRENCY },
    readsReplica: true,
    success: { status: 200, description: "The quote.", data: Quote, expires: true },
    errors: [
      "quote_not_found",
      "quote_expired",
      "property_not_found",
      "resource_access_denied",
      "upstream_unavailable",
    ],
    tool: {
      title: "Get a quote",
      description:
        "A quote's frozen price and terms, and whether it can still be held. Read it when " +
        "the answer of quote was lost.",
      tags: ["price", "quote"],
      nextRel: "create_hold",
      pathArguments: { id: "quote_id" },
      arguments: { quote_id: QUOTE_ARGUMENT },
      queryArguments: { currency: currencyArgument },
      example: { quote_id: EXAMPLE.quote_id },
    },
    handle: get,
  }),
];
