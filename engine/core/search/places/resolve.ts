/**
 * Resolves a destination as people write it. The first reading that finds anything counts:
 *
 * 1. full names of places, adjacent or separated by commas: `Munich`, `Madrid, Spain`,
 *    `madrid spain`, `Austin, TX, USA`;
 * 2. the same without words that belong to no name: `hotels in downtown Madrid`, `28013 Madrid`;
 * 3. parts of longer names too: `Palma` of `Palma de Mallorca`.
 *
 * Several names mean what is in all of their places; an ambiguous name means all of its places.
 */
import { isFiller, withoutFillers } from "./fillers.ts";
import type { Place, PlaceBook } from "./place-book.ts";
import { keyOf, partsOf, wordsOf } from "./spelling.ts";

type Ordinals = ReadonlySet<number>;

/** Longer texts are not a destination. */
export const WORDS_MAX = 12;
/** Fewer letters do not match a part of a name. */
const PART_LETTERS_MIN = 4;

/**
 * Ordinals of the properties at a destination, ascending; null for an unknown place. With `seen`,
 * only those exist: hidden properties must not change a meaning.
 */
export function resolve(
  book: PlaceBook,
  text: string,
  seen: Ordinals | null = null,
): Int32Array | null {
  const all = wordsOf(text);
  if (all.length === 0 || all.length > WORDS_MAX) return null;
  const parts = partsOf(text);
  for (const read of [exactly(book, seen), loosely(book, seen)]) {
    const several = severalNames(read);
    for (const bare of [asTheyAre, withoutFillers]) {
      const found =
        read(bare(all)) ?? common(parts.map((words) => several(bare(words)))) ?? several(bare(all));
      if (found) return Int32Array.from(found).sort();
    }
  }
  return null;
}

const asTheyAre: typeof withoutFillers = (words) => words;

type Reader = (words: readonly string[]) => Ordinals | null;

/** Caches readings: names can be split in thousands of ways, words in 66. */
function remembered(read: Reader): Reader {
  const known = new Map<string, Ordinals | null>();
  return (words) => {
    const text = words.join(" ");
    let found = known.get(text);
    if (found === undefined) {
      found = read(words);
      known.set(text, found);
    }
    return found;
  };
}

function exactly(book: PlaceBook, seen: Ordinals | null): Reader {
  return remembered((words) => allOf(book.named(keyOf(words)), seen));
}

/** Matches parts of names: the beginning, if any name begins so. */
function loosely(book: PlaceBook, seen: Ordinals | null): Reader {
  return remembered((words) => {
    const named = allOf(book.named(keyOf(words)), seen);
    const isTelling = words.some((word) => word.length >= PART_LETTERS_MIN && !isFiller(word));
    if (named || !isTelling) return named;
    const found = book.withPart(words);
    const start = ` ${words.join(" ")} `;
    const begun = found.filter(({ spaced }) => spaced.some((name) => name.startsWith(start)));
    return allOf(begun, seen) ?? allOf(found, seen);
  });
}

/** Adjacent names, the longest first, as far as their places overlap. */
function severalNames(read: Reader): Reader {
  const several = remembered((words) => {
    const whole = read(words);
    if (whole) return whole;
    for (let end = words.length - 1; end > 0; end -= 1) {
      const first = read(words.slice(0, end));
      const both = first && common([first, several(words.slice(end))]);
      if (both) return both;
    }
    return null;
  });
  return several;
}

/** Properties in all of them; null when one is unknown or nothing is in all. */
function common(places: readonly (Ordinals | null)[]): Ordinals | null {
  const [first, ...others] = places;
  let found = first ?? null;
  for (const each of others) {
    if (!found || !each) return null;
    found = found.intersection(each);
  }
  return found && found.size > 0 ? found : null;
}

/** Properties in any of them that are seen; of landmarks only when no other place has the name. */
function allOf(places: Iterable<Place>, seen: Ordinals | null): Ordinals | null {
  const named = [...places];
  const others = named.filter(({ kind }) => kind !== "landmark");
  return anyOf(others, seen) ?? (others.length < named.length ? anyOf(named, seen) : null);
}

function anyOf(places: readonly Place[], seen: Ordinals | null): Ordinals | null {
  const each = places.map(({ ordinals }) => ordinals);
  const all = each.length > 1 ? new Set(each.flatMap((ordinals) => [...ordinals])) : each[0];
  const found = all && seen ? all.intersection(seen) : all;
  return found && found.size > 0 ? found : null;
}
