/** What follows a search. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import type { SearchMiss } from "../../../engine/core/search/misses.ts";
import type { SearchQuery } from "../../../engine/core/search/query.ts";
import type { SearchFound } from "../../../engine/core/search.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";
import { OFFERS_MAX } from "../offers/actions.ts";

export type SearchAsked = Pick<
  SearchQuery,
  "destination" | "stay" | "guests" | "constraints" | "sort"
>;

/** What was found, or what may be instead. */
export interface SearchStep {
  readonly offers: readonly QuoteRequest[];
  readonly suggestions?: SearchFound["suggestions"];
  readonly misses?: readonly Pick<SearchMiss, "alternatives">[];
  /** What the same words mean, where they mean no such thing as was asked for. */
  readonly other?: SearchAsked["destination"] | null;
}

/**
 * Quotes of the first offers. When there are none, the same search at what the words mean else, and
 * at each place that may be meant or is near; else quotes of the nearest dates of what was asked
 * for by name, and wider searches.
 */
export function searchActions(found: SearchStep, asked: SearchAsked, may?: May): NextAction[] {
  const { offers, suggestions, misses = [], other } = found;
  const places = (suggestions ?? []).map(({ value }) => ({ type: "area", value }) as const);
  const elsewhere = [...(other ? [other] : []), ...places].map((each) => searchAt(each, asked));
  const actions = [quotesOf(offers), elsewhere].find(({ length }) => length > 0);
  return permitted(actions ?? [...nearestDates(misses, asked), ...wider(asked)], may);
}

function quotesOf(offers: readonly QuoteRequest[]): NextAction[] {
  return offers.slice(0, OFFERS_MAX).map((offer) => post("quote", "/v1/quotes", quoteBody(offer)));
}

/** Of a search with constraints none: an alternative keeps the room, and need not keep those. */
function nearestDates(
  misses: readonly Pick<SearchMiss, "alternatives">[],
  { constraints }: SearchAsked,
): NextAction[] {
  if (constraints) return [];
  return quotesOf(misses.flatMap(({ alternatives }) => alternatives.map(({ quote }) => quote)));
}

function searchAt(
  destination: SearchAsked["destination"],
  { constraints, sort, ...asked }: SearchAsked,
): NextAction {
  const more = { ...(constraints && { constraints }), ...(sort && { sort }) };
  const body = { destination, ...stayBody(asked), ...more };
  return post("search", "/v1/search", body);
}

/**
 * The same without constraints, then anywhere. What was asked at large already would find nothing
 * for ever: then what there is at all.
 */
function wider({ destination, constraints, sort, ...asked }: SearchAsked): NextAction[] {
  const body = { ...stayBody(asked), ...(sort && { sort }) };
  const anywhere = post("search", "/v1/search", body);
  if (!destination) {
    return [constraints ? anywhere : action("get", "GET", "/v1/properties")];
  }
  const there = post("search", "/v1/search", { destination, ...body });
  return constraints ? [there, anywhere] : [anywhere];
}
