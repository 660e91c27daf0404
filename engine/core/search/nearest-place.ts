/** The nearest city with an offer, for a search without results. */

import { BestOffers } from "./best-offer.ts";
import { countSeen, seenNear, seenOrdinals } from "./candidates.ts";
import { type FailedSearch, TRIES_MAX } from "./failed-search.ts";
import type { RealmIndex } from "./index/realm-index.ts";
import { type Point, parseGeoUri } from "./places/geo-uri.ts";
import { citiesNear, type KnownPlace } from "./places/suggestions.ts";
import type { SearchQuery, SearchScope } from "./query.ts";

/** Radii to search; the first circle usually has enough. */
const LOOKED_M = [10_000, 50_000, 250_000];

/** The city of the nearest property with an offer; null without any near. */
export function nearestPlace(
  { index, query, asked, fx }: FailedSearch,
  ordinals: readonly number[],
  scope: SearchScope,
): KnownPlace | null {
  const point = pointOf(index, query, ordinals);
  if (!point) return null;
  const offers = new BestOffers(index, asked, fx);
  const tried = new Set(ordinals);
  const seen = seenOrdinals(index, scope);
  for (const radiusM of LOOKED_M) {
    const near = seenNear(index, seen, { point, radiusM });
    const places = near.ordinals.map((ordinal, i) => ({ ordinal, away: near.distances[i]! }));
    places.sort((a, b) => a.away - b.away || a.ordinal - b.ordinal);
    for (const { ordinal, away } of places) {
      if (tried.has(ordinal)) continue;
      if (tried.size >= ordinals.length + TRIES_MAX) return null;
      tried.add(ordinal);
      const property = index.properties[ordinal]!;
      if (!offers.isOpen(property) || !offers.of(property, null)) continue;
      const one = { ordinals: [ordinal], distances: [away] };
      const [city] = citiesNear(index.places, one, countSeen(index, scope));
      if (city) return city;
    }
  }
  return null;
}

/** The requested point, else that of the property with the lowest id. */
function pointOf(
  index: RealmIndex,
  { destination }: SearchQuery,
  ordinals: readonly number[],
): Point | null {
  if (!destination) return null;
  const around = parseGeoUri(destination.value);
  if (around) return around.point;
  const cards = ordinals.map((ordinal) => index.properties[ordinal]!.card);
  const located = cards.filter(({ geo }) => geo !== null);
  if (located.length === 0) return null;
  return located.reduce((a, b) => (a.property_id < b.property_id ? a : b)).geo;
}
