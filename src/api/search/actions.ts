/** What follows a search. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import type { SearchMiss } from "../../../engine/core/search/misses.ts";
import type { NearestSearches } from "../../../engine/core/search/no-results.ts";
import type { SearchQuery } from "../../../engine/core/search/query.ts";
import type { SearchFound } from "../../../engine/core/search.ts";
import { quoteBody, stayBody } from "../../actions/bodies.ts";
import { datesChanged } from "../../actions/changes.ts";
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
  /** Members of the search that would find something; each was tried. */
  readonly nearest?: Pick<NearestSearches, "stays" | "guests" | "constraints"> | null;
  /** What the same words mean, where they mean no such thing as was asked for. */
  readonly other?: SearchAsked["destination"] | null;
}

/**
 * Quotes of the first offers. Without any, nothing that is offered is what was asked for, and each
 * action says what it changes: for a place that is not on sale what is on sale at all, then the
 * same search at what the words may mean; else quotes of the nearest dates of the property that was
 * named, searches with other dates, a smaller party or another value of one constraint that find
 * something, and wider searches.
 */
export function searchActions(found: SearchStep, asked: SearchAsked, may?: May): NextAction[] {
  const { offers, suggestions, misses = [], nearest = null, other } = found;
  const places = (suggestions ?? []).map(({ value }) => ({ type: "area", value }) as const);
  const elsewhere = [...(other ? [other] : []), ...places].map((each) => searchAt(each, asked));
  if (offers.length > 0) return permitted(quotesOf(offers, asked), may);
  if (elsewhere.length > 0) return permitted([LIST, ...elsewhere], may);
  const quotes = nearestDates(misses, asked);
  const near = quotes.length > 0 ? quotes : nearestSearches(nearest, asked);
  return permitted([...near, ...wider(asked)], may);
}

const LIST = action("get", "GET", "/v1/properties");

function quotesOf(offers: readonly QuoteRequest[], asked: Pick<SearchAsked, "stay">): NextAction[] {
  return offers.slice(0, OFFERS_MAX).map((offer) => {
    const changes = datesChanged(asked.stay, offer.stay);
    const parts = changes.length > 0 ? { changes } : undefined;
    return post("quote", "/v1/quotes", quoteBody(offer), parts);
  });
}

/** Of a search with constraints none: an alternative keeps the room, and need not keep those. */
function nearestDates(
  misses: readonly Pick<SearchMiss, "alternatives">[],
  asked: SearchAsked,
): NextAction[] {
  if (asked.constraints) return [];
  const nearest = misses.flatMap(({ alternatives }) => alternatives.map(({ quote }) => quote));
  return quotesOf(nearest, asked);
}

/** The same search at other dates, then for fewer guests, then with one constraint changed. */
function nearestSearches(nearest: SearchStep["nearest"], asked: SearchAsked): NextAction[] {
  const { stays = [], guests = null, constraints = null } = nearest ?? {};
  return [
    ...stays.map((stay) => searchWith({ ...asked, stay }, datesChanged(asked.stay, stay))),
    ...(guests ? [searchWith({ ...asked, guests }, ["/guests"])] : []),
    ...Object.entries(constraints ?? {}).flatMap(([name, found]) => {
      if (found === null) return [];
      // Of values that would each do the first; amenities are one list.
      const value = Array.isArray(found) && name !== "amenities" ? found[0] : found;
      const changed = { ...asked.constraints, [name]: value };
      return [searchWith({ ...asked, constraints: changed }, [`/constraints/${name}`])];
    }),
  ];
}

function searchWith(search: SearchAsked, changes: readonly string[]): NextAction {
  const { destination, constraints, sort, ...asked } = search;
  const more = { ...(constraints && { constraints }), ...(sort && { sort }) };
  const body = { ...(destination && { destination }), ...stayBody(asked), ...more };
  return post("search", "/v1/search", body, { changes });
}

function searchAt(
  destination: NonNullable<SearchAsked["destination"]>,
  asked: SearchAsked,
): NextAction {
  return searchWith({ ...asked, destination }, ["/destination"]);
}

const UNCONSTRAINED = { changes: ["/constraints"] };

/**
 * The same without constraints, then anywhere. What was asked at large already would find nothing
 * for ever: then what there is at all.
 */
function wider({ destination, constraints, sort, ...asked }: SearchAsked): NextAction[] {
  const body = { ...stayBody(asked), ...(sort && { sort }) };
  if (!destination) {
    return [constraints ? post("search", "/v1/search", body, UNCONSTRAINED) : LIST];
  }
  const anywhere = post("search", "/v1/search", body, {
    changes: constraints ? ["/destination", "/constraints"] : ["/destination"],
  });
  const there = post("search", "/v1/search", { destination, ...body }, UNCONSTRAINED);
  return constraints ? [there, anywhere] : [anywhere];
}
