/**
 * Names as people write them, in one spelling: whatever is only written differently (case, accents,
 * hyphens, spaces, `ü` or `ue`, `St.` or `Saint`) has the same key.
 */

/** Letters that are no letter with an accent, though they look it. */
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

/** A name is no longer than this; what follows is not read. */
const LETTERS_MAX = 200;
/** Up to here it may be a code, of which every letter counts. */
const CODE_LETTERS_MAX = 3;

/** The words of a text, folded. */
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
    // One sign may stand for eighteen letters.
    .slice(0, LETTERS_MAX);
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a text of which the last may go on: `St` is `Saint`, and how `Stuttgart` begins. */
export function begunWordsOf(text: string): string[][] {
  const plain = plainWordsOf(text);
  const last = plain.at(-1);
  if (last === undefined) return [[]];
  const before = plain.slice(0, -1).map(inFull);
  return [...new Set([inFull(last), last])].map((word) => [...before, word]);
}

/** The one spelling of words: no spaces, and `Muenchen` is `München`. */
export function keyOf(words: readonly string[]): string {
  const joined = words.join("");
  return joined.length > CODE_LETTERS_MAX ? withoutUmlauts(joined) : joined;
}

/** What the key of a longer name begins with, however short this is: `Koe` of `Koeln`. */
export function beginningOf(words: readonly string[]): string {
  return withoutUmlauts(words.join(""));
}

function withoutUmlauts(letters: string): string {
  return letters.replace(/([aou])e/g, "$1");
}

/** The parts that commas, slashes and brackets make of a text, each in words. */
export function partsOf(text: string): string[][] {
  return text
    .slice(0, LETTERS_MAX)
    .split(/[,;/|()，、]+/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}
