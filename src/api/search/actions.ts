/** What follows a search. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";
import { OFFERS_MAX } from "../offers/actions.ts";

export interface SearchAsked extends Pick<QuoteRequest, "stay" | "guests"> {
  /** Whether anything narrows it down: where, or on which terms. */
  readonly isNarrow: boolean;
}

/**
 * Quotes of the first offers; when there are none, the search at large. Where that was asked for
 * already it would find nothing for ever: then what there is at all.
 */
export function searchActions(
  offers: readonly QuoteRequest[],
  asked: SearchAsked,
  may?: May,
): NextAction[] {
  const quotes = offers
    .slice(0, OFFERS_MAX)
    .map((offer) => post("quote", "/v1/quotes", quoteBody(offer)));
  const wider = asked.isNarrow
    ? [post("search", "/v1/search", stayBody(asked))]
    : [action("get", "GET", "/v1/properties")];
  return permitted(quotes.length > 0 ? quotes : wider, may);
}
