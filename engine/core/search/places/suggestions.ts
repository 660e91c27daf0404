/** Suggests known places by a part of their names, or by a similar name. */
import { withoutFillers } from "./fillers.ts";
import { countryName } from "./gazetteer.ts";
import type { Near } from "./grid.ts";
import type { CountSeen, Place, PlaceBook, PlaceKind } from "./place-book.ts";
import { beginningOf, begunWordsOf, keyOf, partsOf } from "./spelling.ts";

/** A suggested place. */
export interface KnownPlace {
  /** The destination to search for; places with the same value are listed once. */
  readonly value: string;
  readonly name: string;
  readonly kind: PlaceKind;
  readonly country: string;
  /** Properties on sale there that the caller may see. */
  readonly properties: number;
  /** From the requested point to the nearest property; absent without a point. */
  readonly distance_m?: number;
}

/** Limit of suggestions. */
export const SUGGESTIONS_MAX = 5;
/** Texts compared with every name: the whole, its parts and words. */
const PROBES_MAX = 6;
const PROBE_LETTERS_MIN = 3;

interface Probe {
  readonly key: string;
  /** A whole part of the text, which may be the beginning of a name; else one word of it. */
  readonly isWhole: boolean;
}

interface Match {
  readonly place: Place;
  /** Lowest first. */
  readonly rank: number;
  readonly distance_m?: number;
}

/** Places of which a name, or a word of one, begins with what was typed. */
export function completions(
  book: PlaceBook,
  typed: string,
  limit: number,
  seen: CountSeen,
): KnownPlace[] {
  const begun = begunWordsOf(typed);
  const starts = begun.flatMap((words) => [keyOf(words), beginningOf(words)]);
  const withins = begun.map((words) => ` ${words.join(" ")}`);
  const isBegun = (key: string) => starts.some((start) => key.startsWith(start));
  const isWithin = (name: string) => withins.some((within) => name.includes(within));
  const matches: Match[] = [];
  for (const place of book.all()) {
    if (place.keys.some(isBegun)) matches.push({ place, rank: 0 });
    else if (place.spaced.some(isWithin)) matches.push({ place, rank: 1 });
  }
  const found = offered(matches, seen).slice(0, limit);
  return found.length > 0 ? found : nearest(book, typed, seen).slice(0, limit);
}

/**
 * Suggestions for an unknown place: places with a similar name, earlier parts of the text first.
 * When only a country is recognized, or nothing, also the cities with most properties, those of
 * that country first.
 */
export function suggestionsFor(book: PlaceBook, text: string, seen: CountSeen): KnownPlace[] {
  const near = nearest(book, text, seen);
  if (near.some(({ kind }) => kind !== "country")) return near.slice(0, SUGGESTIONS_MAX);
  const country = near[0]?.country;
  const cities: Match[] = [];
  for (const place of book.all()) {
    if (place.kind === "city") cities.push({ place, rank: place.country === country ? 0 : 1 });
  }
  return [...near, ...offered(cities, seen)].slice(0, SUGGESTIONS_MAX);
}

/** The cities of properties near a point, nearest first. */
export function citiesNear(book: PlaceBook, near: Near, seen: CountSeen): KnownPlace[] {
  const distances = new Map<Place, number>();
  near.ordinals.forEach((ordinal, i) => {
    const city = book.cityOf(ordinal);
    if (!city) return;
    const least = distances.get(city) ?? Number.POSITIVE_INFINITY;
    distances.set(city, Math.min(least, near.distances[i]!));
  });
  const matches = [...distances].map(([place, distance_m]) => {
    return { place, rank: distance_m, distance_m };
  });
  return offered(matches, seen).slice(0, SUGGESTIONS_MAX);
}

function nearest(book: PlaceBook, text: string, seen: CountSeen): KnownPlace[] {
  const probes = probesOf(text);
  const matches: Match[] = [];
  for (const place of book.all()) {
    let rank = Number.POSITIVE_INFINITY;
    probes.forEach((probe, i) => {
      const off = Math.min(...place.keys.map((key) => offBy(probe, key)));
      if (off < 1) rank = Math.min(rank, i + off);
    });
    if (rank < Number.POSITIVE_INFINITY) matches.push({ place, rank });
  }
  return offered(matches, seen);
}

/** The texts to compare: each part as a whole, then its words, in order. */
function probesOf(text: string): Probe[] {
  const probes = partsOf(text).flatMap((part) => {
    const words = withoutFillers(part);
    const whole = { key: keyOf(words), isWhole: true };
    const each = words.map((word) => ({ key: keyOf([word]), isWhole: false }));
    return words.length > 1 ? [whole, ...each] : [whole];
  });
  return probes.filter(({ key }) => key.length >= PROBE_LETTERS_MIN).slice(0, PROBES_MAX);
}

/**
 * Distance of a text from a name, from 0 to below 1; 1 when it is not similar. One slip per four
 * letters is similar, and so is a beginning.
 */
function offBy({ key: probe, isWhole }: Probe, name: string): number {
  if (name === probe) return 0;
  if (isWhole && name.startsWith(probe)) return 0.5;
  const slipsMax = Math.min(3, Math.floor(probe.length / 4));
  if (Math.abs(probe.length - name.length) > slipsMax) return 1;
  const slips = slipsBetween(probe, name, slipsMax);
  return slips <= slipsMax ? slips / (slipsMax + 1) : 1;
}

/**
 * Edit distance with adjacent swaps (Damerau-Levenshtein); more than `most` as soon as it is
 * certain. Only positions within `most` of each other are compared, so the cost is linear in the
 * length.
 */
export function slipsBetween(a: string, b: string, most: number): number {
  const tooMany = most + 1;
  let [before, last, row] = [0, 1, 2].map(() =>
    new Array<number>(b.length + 2).fill(tooMany),
  ) as Rows;
  for (let j = 0; j <= Math.min(b.length, most); j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    row[from - 1] = from === 1 ? i : tooMany;
    let best = row[from - 1]!;
    for (let j = from; j <= to; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + change);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, before[j - 2]! + 1);
      row[j] = least;
      best = Math.min(best, least);
    }
    row[to + 1] = tooMany;
    if (best > most) return best;
    [before, last, row] = [last, row, before];
  }
  return last[b.length]!;
}

type Rows = [number[], number[], number[]];

/** Ordered by rank, then most properties, then name; each once. */
function offered(matches: readonly Match[], seen: CountSeen): KnownPlace[] {
  const known = matches.map((match) => ({ ...match, properties: seen(match.place) }));
  const visible = known.filter(({ properties }) => properties > 0);
  const suggestions = visible.map(({ rank, place, properties, distance_m }) => {
    const { kind, country } = place;
    const named = { value: searchedAs(place), name: nameOf(place) };
    const away = distance_m === undefined ? {} : { distance_m };
    return { rank, known: { ...named, kind, country, properties, ...away } };
  });
  suggestions.sort((a, b) => {
    const order = a.known.value < b.known.value ? -1 : 1;
    return a.rank - b.rank || b.known.properties - a.known.properties || order;
  });
  const byValue = new Map<string, KnownPlace>();
  for (const { known } of suggestions)
    if (!byValue.has(known.value)) byValue.set(known.value, known);
  return [...byValue.values()];
}

/** The most frequent spelling of supply, unless it is a code; for a country the English name. */
export function nameOf({ kind, country, spellings, english }: Place): string {
  if (kind === "country") return countryName(country);
  const written = [...spellings].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const most = written[0]![0];
  return /^[A-Z]{2,3}$/.test(most) ? (english ?? most) : most;
}

function searchedAs(place: Place): string {
  if (place.kind === "country") return nameOf(place);
  const within = place.city ? [nameOf(place.city)] : [];
  return [nameOf(place), ...within, countryName(place.country)].join(", ");
}
