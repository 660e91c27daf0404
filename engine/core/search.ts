/**
 * Search: every property of the tenant with an offer that can be held now for the party and keeps
 * all constraints, best first (rules §4). Complete, deterministic, no cap.
 */

import type { IndexedProperty } from "./index/realm-index.ts";
import { indexOf } from "./index.ts";
import type { KnownPlace } from "./places/suggestions.ts";
import { comparedTo, type Rankable, ranked } from "./ranking.ts";
import { BestOffers, type Found } from "./search/best-offer.ts";
import { candidatesOf } from "./search/candidates.ts";
import { missOf, type SearchMiss } from "./search/misses.ts";
import { askedBy, type SearchQuery, type SearchScope } from "./search/query.ts";
import { resultOf, type SearchResult } from "./search/results.ts";
import type { PropertyEntry, State } from "./state.ts";
import { sightOf } from "./visibility.ts";

/** Live properties that the caller may see, in the order they were created. */
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

interface Hit extends Rankable {
  readonly property: IndexedProperty;
  readonly found: Found;
  readonly distance_m: number | null;
}

export interface SearchFound {
  /** Best first. */
  readonly results: SearchResult[];
  /** What stood in the way of a property that was asked for by name. */
  readonly misses: SearchMiss[];
  /** Known places, where the one that was asked for is not; null where it is. */
  readonly suggestions: readonly KnownPlace[] | null;
}

/** Everything that a search finds, or what it might have meant. */
export function search(state: State, query: SearchQuery, scope: SearchScope): SearchFound {
  const fx = state.tenants.get(scope.tenant_id)?.fx ?? null;
  const { tenant_id, mode } = scope;
  const realm = { tenant_id, mode };
  const index = indexOf(state, realm);
  const candidates = candidatesOf(state, index, scope, query.destination);
  const { ordinals, distances, suggestions } = candidates;
  const asked = askedBy(query, scope);
  const offers = new BestOffers(index, asked, fx);
  const hits: Hit[] = [];
  const misses: SearchMiss[] = [];
  for (let i = 0; i < ordinals.length; i += 1) {
    const property = index.properties[ordinals[i]!]!;
    if (sightOf(scope, realm, property.card.property_id) !== "visible") continue;
    if (!offers.isOpen(property)) continue;
    const found = offers.of(property);
    if (found) hits.push(hitOf(property, found, distances ? distances[i]! : null));
    else if (query.destination?.type === "property") {
      misses.push(missOf(property.property, asked.stay, scope.nowMs));
    }
  }
  misses.sort((a, b) => (a.property_id < b.property_id ? -1 : 1));
  const results = ranked(hits, comparedTo(hits, fx)).map((each) => {
    const { property, found, distance_m } = each.candidate;
    return resultOf(property.card, found, each, distance_m);
  });
  return { results, misses, suggestions };
}

function hitOf(property: IndexedProperty, found: Found, distance_m: number | null): Hit {
  return {
    property,
    found,
    distance_m,
    id: property.card.property_id,
    amount: found.totals.total,
    currency: found.offer.currency,
    stars: property.card.star_rating,
    isFree: found.cancellation.isFree,
  };
}
