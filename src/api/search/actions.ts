import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import type { SearchMiss } from "../../../engine/core/search/misses.ts";
import type { NearestSearches } from "../../../engine/core/search/no-results.ts";
import type { SearchQuery } from "../../../engine/core/search/query.ts";
import type { SearchFound } from "../../../engine/core/search/search.ts";
import { datesChanged, quoteBody, stayBody } from "../../actions/call-parts.ts";
import { action, type May, type NextAction, permitted, post } from "../../actions/next-action.ts";
import { OFFERS_MAX } from "../offers/actions.ts";

export type SearchAsked = Pick<
  SearchQuery,
  "destination" | "stay" | "guests" | "constraints" | "sort"
>;

/** Results, or alternatives. */
export interface SearchStep {
  readonly offers: readonly QuoteRequest[];
  readonly suggestions?: SearchFound["suggestions"];
  readonly misses?: readonly Pick<SearchMiss, "alternatives">[];
  /** Changes of the search that find results; each was tried. */
  readonly nearest?: Pick<NearestSearches, "stays" | "guests" | "constraints"> | null;
  /** Other meanings of the same words. */
  readonly other?: SearchAsked["destination"] | null;
}

/**
 * Quotes of the first offers. Without results, each action names its changes: for an unknown place
 * everything on sale, then the same search at suggested places; else quotes of the nearest dates of
 * the named property, searches with other dates, a smaller party or another value of one constraint
 * that find results, and wider searches.
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

/** None for a search with constraints: an alternative may not meet them. */
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
      // The first of several sufficient values; amenities are one list.
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
 * The same search without constraints, then anywhere. If it was anywhere already, the list of
 * properties.
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
