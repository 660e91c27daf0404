/** Filler words around the name of a place. Within a name they count like any other word. */
const FILLERS: ReadonlySet<string> = new Set([
  ...["a", "an", "the", "in", "at", "of", "to", "near", "around", "greater", "en", "de", "del"],
  ...["da", "di", "do", "du", "la", "le", "les", "el", "los", "las", "il", "der", "die", "das"],
  ...["hotel", "hotels", "city", "town", "ciudad", "ville", "stadt", "citta", "cidade"],
  ...["center", "centre", "centro", "zentrum", "innenstadt", "downtown", "central", "area"],
  ...["region", "province", "provincia", "district", "state", "county", "island", "isla", "ile"],
  ...["airport", "aeropuerto", "aeroport", "aeroporto", "flughafen", "international"],
]);

/** Whether a word does not distinguish places: a filler, or a number, which is a post code. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word) || /^\d+$/.test(word);
}

/** Without fillers at either end; unchanged when nothing else is there. */
export function withoutFillers(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !isFiller(word));
  if (first < 0) return words;
  return words.slice(first, words.findLastIndex((word) => !isFiller(word)) + 1);
}
