/** What follows a search. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import type { SearchQuery } from "../../../engine/core/search/query.ts";
import type { SearchFound } from "../../../engine/core/search.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";
import { OFFERS_MAX } from "../offers/actions.ts";

export type SearchAsked = Pick<SearchQuery, "destination" | "stay" | "guests" | "constraints">;

/**
 * Quotes of the first offers; when there are none, the same search at each place that may be meant
 * or is near, else the search at large. Where that was asked for already it would find nothing for
 * ever: then what there is at all.
 */
export function searchActions(
  offers: readonly QuoteRequest[],
  asked: SearchAsked,
  suggestions: SearchFound["suggestions"],
  may?: May,
): NextAction[] {
  const quotes = offers
    .slice(0, OFFERS_MAX)
    .map((offer) => post("quote", "/v1/quotes", quoteBody(offer)));
  const elsewhere = (suggestions ?? []).map(({ value }) => searchAt(value, asked));
  const found = [quotes, elsewhere].find(({ length }) => length > 0);
  return permitted(found ?? [wider(asked)], may);
}

function searchAt(value: string, { constraints, ...asked }: SearchAsked): NextAction {
  const destination = { type: "area", value };
  const body = { destination, ...stayBody(asked), ...(constraints && { constraints }) };
  return post("search", "/v1/search", body);
}

function wider(asked: SearchAsked): NextAction {
  const isNarrow = asked.destination !== undefined || asked.constraints !== undefined;
  return isNarrow
    ? post("search", "/v1/search", stayBody(asked))
    : action("get", "GET", "/v1/properties");
}
