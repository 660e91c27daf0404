/**
 * The places of a realm, from the addresses of properties on sale: district, city, region, country
 * and landmarks, each with all its names and the ordinals of its properties. A part of the index,
 * updated by the same calls; a place without properties does not exist.
 *
 * A place is identified by its names, not by one spelling: hotels of `München` and of `Munich` are
 * in one city.
 */
import type { PropertyTree } from "../../supply.ts";
import { withoutFillers } from "./fillers.ts";
import { namesOfCountry, namesOfPlace } from "./gazetteer.ts";
import type { Point } from "./geo-uri.ts";
import { keyOf, wordsOf } from "./spelling.ts";

export const PLACE_KINDS = ["city", "region", "country", "district", "landmark"] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export interface Place {
  readonly kind: PlaceKind;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** For a district or a landmark its city. */
  readonly city: Place | null;
  /** Its name in English where it is well known. */
  readonly english: string | null;
  /** Keys of its names, each once. */
  readonly keys: readonly string[];
  /** Its names as normalized words, with a space before, between and after them. */
  readonly spaced: readonly string[];
  readonly ordinals: ReadonlySet<number>;
  /** How supply writes it, and how often. */
  readonly spellings: ReadonlyMap<string, number>;
  /** Points of a landmark, by the ordinals of the properties that give them. */
  readonly points: ReadonlyMap<number, Point>;
}

/** How many of a place's properties a caller may see; 0 hides the place. */
export type CountSeen = (place: Place) => number;

interface KeptPlace extends Place {
  readonly id: string;
  readonly city: KeptPlace | null;
  readonly ordinals: Set<number>;
  readonly spellings: Map<string, number>;
  readonly points: Map<number, Point>;
}

/** The spelling of a place by a property. */
interface Entry {
  readonly place: KeptPlace;
  readonly spelling: string;
}

type Sort = Pick<KeptPlace, "kind" | "country" | "city">;

export class PlaceBook {
  readonly #places = new Map<string, KeptPlace>();
  /** By spelling, so that only a new spelling is normalized. */
  readonly #bySpelling = new Map<string, KeptPlace>();
  readonly #byKey = new Map<string, Set<KeptPlace>>();
  /** By each word of names with several words. */
  readonly #byWord = new Map<string, Set<KeptPlace>>();
  readonly #entries = new Map<number, readonly Entry[]>();

  put(ordinal: number, tree: Pick<PropertyTree, "address" | "landmarks">): void {
    const { address, landmarks = [] } = tree;
    const { city, region, country, line2 } = address;
    const sort = { country, city: null };
    const ofCountry = this.#placeOf({ kind: "country", ...sort }, country);
    const ofCity = this.#placeOf({ kind: "city", ...sort }, city);
    const entries = [ofCountry, ofCity];
    if (region) entries.push(this.#placeOf({ kind: "region", ...sort }, region));
    if (line2 && ofCity && isDistrict(line2)) {
      entries.push(this.#placeOf({ kind: "district", country, city: ofCity.place }, line2));
    }
    for (const { name, geo } of ofCity ? landmarks : []) {
      const entry = this.#placeOf({ kind: "landmark", country, city: ofCity!.place }, name);
      entries.push(entry);
      if (entry && geo) entry.place.points.set(ordinal, geo);
    }
    const found = entries.filter((entry) => entry !== null);
    for (const { place, spelling } of found) {
      place.ordinals.add(ordinal);
      place.spellings.set(spelling, (place.spellings.get(spelling) ?? 0) + 1);
    }
    this.#entries.set(ordinal, found);
  }

  drop(ordinal: number): void {
    for (const { place, spelling } of this.#entries.get(ordinal) ?? []) {
      place.ordinals.delete(ordinal);
      place.points.delete(ordinal);
      const times = place.spellings.get(spelling)!;
      if (times > 1) place.spellings.set(spelling, times - 1);
      else {
        place.spellings.delete(spelling);
        this.#bySpelling.delete(spellingId(place, spelling));
      }
      if (place.ordinals.size === 0) this.#forget(place);
    }
    this.#entries.delete(ordinal);
  }

  all(): Iterable<Place> {
    return this.#places.values();
  }

  /** The city of a property; null when its city has no name. */
  cityOf(ordinal: number): Place | null {
    const entries = this.#entries.get(ordinal) ?? [];
    return entries.find(({ place }) => place.kind === "city")?.place ?? null;
  }

  /** The places that have a name with this key. */
  named(key: string): ReadonlySet<Place> {
    return this.#byKey.get(key) ?? NONE;
  }

  /** The places with a longer name in which these words are adjacent. */
  withPart(words: readonly string[]): Place[] {
    const part = ` ${words.join(" ")} `;
    const found = [...(this.#byWord.get(words[0] ?? "") ?? NONE)];
    return found.filter(({ spaced }) => spaced.some((name) => name.includes(part)));
  }

  /** The place of a name, created when new; null for a name without letters. */
  #placeOf(sort: Sort, spelling: string): Entry | null {
    const writtenId = spellingId(sort, spelling);
    const written = this.#bySpelling.get(writtenId);
    if (written) return { place: written, spelling };
    const known = knownNames(sort, spelling);
    const names = known ?? [spelling];
    const spaced = [...new Set(names.map((name) => ` ${wordsOf(name).join(" ")} `))];
    if (spaced[0]!.trim() === "") return null;
    const id = spellingId(sort, spaced[0]!.trim());
    let place = this.#places.get(id);
    if (!place) {
      const keys = [...new Set(names.map((name) => keyOf(wordsOf(name))))];
      const english = known?.[0] ?? null;
      if (sort.kind === "landmark") keys.push(keyOf(withoutFillers(wordsOf(spelling))));
      const empty = {
        ordinals: new Set<number>(),
        spellings: new Map<string, number>(),
        points: new Map<number, Point>(),
      };
      place = { id, ...sort, english, keys, spaced, ...empty };
      this.#places.set(id, place);
      for (const key of keys) addTo(this.#byKey, key, place);
      for (const word of severalWordsOf(place)) addTo(this.#byWord, word, place);
    }
    this.#bySpelling.set(writtenId, place);
    return { place, spelling };
  }

  #forget(place: KeptPlace): void {
    this.#places.delete(place.id);
    for (const key of place.keys) removeFrom(this.#byKey, key, place);
    for (const word of severalWordsOf(place)) removeFrom(this.#byWord, word, place);
  }
}

const NONE: ReadonlySet<never> = new Set();

/** The second line of an address is a district, unless it is a floor, a flat or a box. */
function isDistrict(line: string): boolean {
  return !/\d/.test(line);
}

function spellingId({ kind, country, city }: Sort, spelling: string): string {
  return `${kind}|${country}|${city?.id ?? ""}|${spelling}`;
}

function knownNames({ kind, country }: Sort, spelling: string): readonly string[] | null {
  if (kind === "country") return namesOfCountry(country);
  return kind === "district" || kind === "landmark" ? null : namesOfPlace(kind, country, spelling);
}

/** A landmark does not match by a part of its name: `Toledo` is not `Toledo Gate` of Madrid. */
function severalWordsOf({ kind, spaced }: Place): Set<string> {
  if (kind === "landmark") return new Set();
  const names = spaced.map((name) => name.trim().split(" ")).filter(({ length }) => length > 1);
  return new Set(names.flat());
}

function addTo<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

function removeFrom<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const known = map.get(key);
  if (known?.delete(value) && known.size === 0) map.delete(key);
}
