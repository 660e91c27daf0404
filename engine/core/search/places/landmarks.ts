/**
 * Landmarks in a destination (`Sagrada Família`, `Cathedral, Seville`): supply names them and may
 * locate them. They match by their whole name only, and never where a district, city, region or
 * country has the same one.
 */
import type { Point } from "./geo-uri.ts";
import type { Place, PlaceBook } from "./place-book.ts";
import { WORDS_MAX } from "./resolve.ts";
import { keyOf, wordsOf } from "./spelling.ts";
import { nameOf } from "./suggestions.ts";

type Ordinals = ReadonlySet<number>;

/** A landmark with the point that most properties give. */
export interface Landmark {
  readonly name: string;
  readonly point: Point;
}

/**
 * The located landmarks of the longest name in a text, only those near a property of `found`:
 * others must stay hidden from the caller.
 */
export function landmarksIn(
  book: PlaceBook,
  text: string,
  found: Ordinals,
  seen: Ordinals | null,
): Landmark[] {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  for (let length = words.length; length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const places = [...book.named(keyOf(words.slice(from, from + length)))];
      const known = places.filter(({ ordinals }) => !seen || !ordinals.isDisjointFrom(seen));
      if (known.length === 0 || known.some(({ kind }) => kind !== "landmark")) continue;
      return known.flatMap((place) => locatedOf(place, found, seen) ?? []);
    }
  }
  return [];
}

function locatedOf(place: Place, found: Ordinals, seen: Ordinals | null): Landmark | null {
  if (place.ordinals.isDisjointFrom(found)) return null;
  const counts = new Map<string, { point: Point; count: number }>();
  for (const [ordinal, point] of place.points) {
    if (seen && !seen.has(ordinal)) continue;
    const said = `${point.lat},${point.lng}`;
    counts.set(said, { point, count: (counts.get(said)?.count ?? 0) + 1 });
  }
  const [most] = [...counts].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));
  return most ? { name: nameOf(place), point: most[1].point } : null;
}
