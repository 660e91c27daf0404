/** The properties of a destination, before any other condition. */

import { normalizeText } from "../normalize-text.ts";
import type { State } from "../state/state.ts";
import type { Caller } from "../visibility.ts";
import type { RealmIndex } from "./index/realm-index.ts";
import { type Around, isGeoUri, type Point, parseGeoUri, RADIUS_M } from "./places/geo-uri.ts";
import { distanceM, type Near } from "./places/grid.ts";
import { landmarksIn } from "./places/landmarks.ts";
import type { CountSeen } from "./places/place-book.ts";
import { resolve } from "./places/resolve.ts";
import {
  citiesNear,
  type KnownPlace,
  SUGGESTIONS_MAX,
  suggestionsFor,
} from "./places/suggestions.ts";
import type { SearchQuery, SearchScope } from "./query.ts";

/** Ordinals of the index, each once. */
export interface Candidates {
  readonly ordinals: ArrayLike<number>;
  /**
   * Metres from the requested point or landmark, in the same order; null for a property without
   * coordinates; null without a point.
   */
  readonly distances: ArrayLike<number | null> | null;
  /** The origin of distances, in words. */
  readonly from?: string;
  /** Known places when the requested one is unknown or empty; null otherwise. */
  readonly suggestions: readonly KnownPlace[] | null;
}

const NOTHING: readonly number[] = [];

/** All of the realm without a destination; none for an unknown one. */
export function candidatesOf(
  state: State,
  index: RealmIndex,
  scope: SearchScope,
  destination: SearchQuery["destination"],
): Candidates {
  const known = (ordinals: ArrayLike<number>) => ({ ordinals, distances: null, suggestions: null });
  if (!destination) return known(index.all());
  const { type, value } = destination;
  if (type === "area")
    return isGeoUri(value) ? nearTo(index, scope, value) : areaOf(index, scope, value);
  const ordinals = new Set(index.named(normalizeText(value)));
  const exact = state.propertyNamed(scope, value);
  const ordinal = exact && index.ordinalOf(exact.tree.id);
  if (ordinal !== undefined) ordinals.add(ordinal);
  return known([...ordinals]);
}

/**
 * Properties in the circle; without a visible one there, suggestions around it. None for a
 * malformed URI.
 */
function nearTo(index: RealmIndex, scope: Caller, uri: string): Candidates {
  const around = parseGeoUri(uri);
  if (!around) return { ordinals: NOTHING, distances: NOTHING, suggestions: null };
  const near = seenNear(index, seenOrdinals(index, scope), around);
  const suggestions = near.ordinals.length > 0 ? null : placesAround(index, scope, around.point);
  return { ...near, suggestions };
}

/** Visible properties in the circle. */
export function seenNear(
  { grid }: RealmIndex,
  seen: ReadonlySet<number> | null,
  around: Around,
): Near {
  const near = grid.within(around);
  if (!seen) return near;
  const isSeen = (_: number, i: number) => seen.has(near.ordinals[i]!);
  return { ordinals: near.ordinals.filter(isSeen), distances: near.distances.filter(isSeen) };
}

/** Radii around a point, growing to everywhere: the first circle usually has enough. */
const LOOKED_M = [100_000, 1_000_000, 21_000_000];

/** The cities nearest to a point. */
function placesAround(index: RealmIndex, scope: Caller, point: Point): KnownPlace[] {
  const { places } = index;
  const [seen, count] = [seenOrdinals(index, scope), countSeen(index, scope)];
  let found: KnownPlace[] = [];
  for (const radiusM of LOOKED_M) {
    found = citiesNear(places, seenNear(index, seen, { point, radiusM }), count);
    if (found.length >= SUGGESTIONS_MAX) break;
  }
  return found;
}

/**
 * Properties at a place. For a caller who sees none of them it must look like an unknown place: it
 * gets suggestions too, and its name does not affect other places.
 */
function areaOf(index: RealmIndex, scope: Caller, text: string): Candidates {
  const { places } = index;
  const ordinals = resolve(places, text, seenOrdinals(index, scope));
  if (ordinals) return aroundLandmarks(index, scope, text, ordinals);
  const suggestions = suggestionsFor(places, text, countSeen(index, scope));
  return { ordinals: NOTHING, distances: null, suggestions };
}

/** Properties found, plus those near landmarks that the text names, with distances. */
function aroundLandmarks(
  index: RealmIndex,
  scope: Caller,
  text: string,
  ordinals: Int32Array,
): Candidates {
  const seen = seenOrdinals(index, scope);
  const found = new Set(ordinals);
  const landmarks = landmarksIn(index.places, text, found, seen);
  if (landmarks.length === 0) return { ordinals, distances: null, suggestions: null };
  for (const { point } of landmarks) {
    for (const near of seenNear(index, seen, { point, radiusM: RADIUS_M }).ordinals)
      found.add(near);
  }
  const all = Int32Array.from(found).sort();
  const distances = Array.from(all, (ordinal) => {
    const { geo } = index.properties[ordinal]!.card;
    return geo && Math.min(...landmarks.map(({ point }) => distanceM(point, geo)));
  });
  return { ordinals: all, distances, from: landmarks[0]!.name, suggestions: null };
}

type Reach = Pick<Caller, "property_ids">;

/** How many of a place's properties a caller may see. */
export function countSeen(index: RealmIndex, scope: Reach): CountSeen {
  const seen = seenOrdinals(index, scope);
  return ({ ordinals }) => (seen ? ordinals.intersection(seen) : ordinals).size;
}

/** Ordinals of the properties that a caller may see; null for the whole realm. */
export function seenOrdinals(
  index: RealmIndex,
  { property_ids }: Reach,
): ReadonlySet<number> | null {
  if (property_ids === undefined || property_ids === null) return null;
  const seen = new Set<number>();
  for (const id of property_ids) {
    const ordinal = index.ordinalOf(id);
    if (ordinal !== undefined) seen.add(ordinal);
  }
  return seen;
}
