/**
 * Search: every property of the tenant with an offer that can be held now for the party and meets
 * all constraints, best first. Complete, deterministic, without a limit.
 */

import type { PropertyEntry, State } from "../state/state.ts";
import { sightOf } from "../visibility.ts";
import { BestOffers } from "./best-offer.ts";
import { candidatesOf } from "./candidates.ts";
import type { Found } from "./found.ts";
import type { IndexedProperty } from "./index/realm-index.ts";
import { missOf, type SearchMiss } from "./misses.ts";
import { type NoResults, noResultsOf } from "./no-results.ts";
import type { KnownPlace } from "./places/suggestions.ts";
import { askedBy, type SearchQuery, type SearchScope } from "./query.ts";
import { comparedTo, ranked } from "./ranking.ts";
import { resultsOf, type SearchResult } from "./results.ts";
import { indexOf } from "./search-index.ts";

/** Live properties that the caller may see, in the order of creation. */
export function visibleProperties(state: State, scope: SearchScope): PropertyEntry[] {
  const found: PropertyEntry[] = [];
  const own = state.tenants.get(scope.tenant_id)?.properties[scope.mode] ?? [];
  for (const [id, property] of own) {
    if (property.state === "live" && sightOf(scope, property, id) === "visible") {
      found.push(property);
    }
  }
  return found;
}

export interface SearchFound {
  /** Best first, or in the requested order. */
  readonly results: SearchResult[];
  /** Reasons against a property that was requested by name. */
  readonly misses: SearchMiss[];
  /** Known places when the requested one is unknown; null otherwise. */
  readonly suggestions: readonly KnownPlace[] | null;
  /** Reasons for an empty result and searches with results; null when there are results. */
  readonly noResults: NoResults | null;
}

/** Runs a search, and explains it when it finds nothing. */
export function search(state: State, query: SearchQuery, scope: SearchScope): SearchFound {
  const fx = state.tenants.get(scope.tenant_id)?.fx ?? null;
  const { tenant_id, mode } = scope;
  const realm = { tenant_id, mode };
  const index = indexOf(state, realm);
  const candidates = candidatesOf(state, index, scope, query.destination);
  const { ordinals, distances, suggestions } = candidates;
  const asked = askedBy(query, scope);
  const offers = new BestOffers(index, asked, fx);
  const isAsked = query.destination?.type === "property";
  // An unlimited caller sees everything of its realm.
  const isLimited = (scope.property_ids ?? null) !== null;
  const isSeen = ({ card }: IndexedProperty) => {
    return sightOf(scope, realm, card.property_id) === "visible";
  };
  const found: Found[] = [];
  const misses: SearchMiss[] = [];
  for (let i = 0; i < ordinals.length; i += 1) {
    const property = index.properties[ordinals[i]!]!;
    if (isLimited && !isSeen(property)) continue;
    if (!offers.isOpen(property)) continue;
    const best = offers.of(property, distances ? distances[i]! : null);
    if (best) found.push(best);
    else if (isAsked) misses.push(missOf(property.property, asked));
  }
  misses.sort((a, b) => (a.property_id < b.property_id ? -1 : 1));
  const sort = query.sort ?? (distances ? "distance" : "rank");
  const ranking = ranked(found, comparedTo(found, fx), sort);
  const results = resultsOf(found, ranking, candidates.from);
  if (results.length > 0) return { results, misses, suggestions, noResults: null };
  const considered = Array.from(ordinals).filter((at) => isSeen(index.properties[at]!));
  const noResults = noResultsOf({ index, query, asked, fx }, considered, scope);
  return { results, misses, suggestions, noResults };
}
