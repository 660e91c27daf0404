/**
 * Normalizes names: different spellings (case, accents, hyphens, spaces, `ü` or `ue`, `St.` or
 * `Saint`) have the same key.
 */

/** Letters that normalization does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

const SHORTENED: Readonly<Record<string, string>> = {
  st: "saint",
  ste: "saint",
  sankt: "saint",
  sint: "saint",
  mt: "mount",
  ft: "fort",
};

/** Longest name; the rest is ignored. */
const LETTERS_MAX = 200;
/** Up to this length it may be a code, in which every letter counts. */
const CODE_LETTERS_MAX = 3;

/** The normalized words of a text. */
export function wordsOf(text: string): string[] {
  return plainWordsOf(text).map(inFull);
}

const inFull = (word: string) => SHORTENED[word] ?? word;

function plainWordsOf(text: string): string[] {
  const plain = text
    .slice(0, LETTERS_MAX)
    .normalize("NFKD")
    .replace(/[\p{M}'’ʼ‘`´]/gu, "")
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => LETTERS[letter]!)
    // One character may expand to eighteen letters.
    .slice(0, LETTERS_MAX);
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of an unfinished text: `St` is `Saint`, and how `Stuttgart` begins. */
export function begunWordsOf(text: string): string[][] {
  const plain = plainWordsOf(text);
  const last = plain.at(-1);
  if (last === undefined) return [[]];
  const before = plain.slice(0, -1).map(inFull);
  return [...new Set([inFull(last), last])].map((word) => [...before, word]);
}

/** The key of words: without spaces, and `Muenchen` equals `München`. */
export function keyOf(words: readonly string[]): string {
  const joined = words.join("");
  return joined.length > CODE_LETTERS_MAX ? withoutUmlauts(joined) : joined;
}

/** The key as a prefix of longer ones: `Koe` of `Koeln`. */
export function beginningOf(words: readonly string[]): string {
  return withoutUmlauts(words.join(""));
}

function withoutUmlauts(letters: string): string {
  return letters.replace(/([aou])e/g, "$1");
}

/** The parts of a text between commas, slashes and brackets, each in words. */
export function partsOf(text: string): string[][] {
  return text
    .slice(0, LETTERS_MAX)
    .split(/[,;/|()，、]+/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}
