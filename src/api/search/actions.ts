/** What follows a search. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { type May, type NextAction, permitted, post } from "../../actions/next-action.ts";

/** Further offers are in the answer's data; a model needs no more ready bodies than these. */
export const OFFERS_MAX = 5;

/** Quotes of the first offers; when there are none, the search at large. */
export function searchActions(
  offers: readonly QuoteRequest[],
  asked: Pick<QuoteRequest, "stay" | "guests">,
  may?: May,
): NextAction[] {
  const quotes = offers
    .slice(0, OFFERS_MAX)
    .map((offer) => post("quote", "/v1/quotes", quoteBody(offer)));
  const wider = [post("search", "/v1/search", stayBody(asked))];
  return permitted(quotes.length > 0 ? quotes : wider, may);
}
