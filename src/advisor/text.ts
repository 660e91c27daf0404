/** Text as it is compared: without case, accents and typographic variants, place by place. */

const VARIANTS: Readonly<Record<string, string>> = {
  ß: "s",
  œ: "o",
  æ: "a",
  ø: "o",
  "’": "'",
  "‘": "'",
  "´": "'",
  "`": "'",
  "–": "-",
  "—": "-",
  "‑": "-",
  "\u00a0": " ",
  "\u202f": " ",
};

/**
 * Folds a text. The result has as many UTF-16 units as `text.normalize("NFC")`, so that what a
 * pattern finds in it can be shown as it was written.
 */
export function folded(text: string): string {
  let result = "";
  for (const each of text.normalize("NFC").toLowerCase()) {
    const plain = VARIANTS[each] ?? each.normalize("NFD")[0]!;
    result += plain.length === each.length ? plain : each;
  }
  return result;
}

/**
 * Each run of white space as one space, or as one line break where it has one: a pattern that
 * allows spaces between words takes time with the square of a run's length.
 */
export function spaced(text: string): string {
  return text.replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "));
}

/** The text with what was found at `at` blanked out. */
export function blanked(text: string, at: number, length: number): string {
  return text.slice(0, at) + " ".repeat(length) + text.slice(at + length);
}

/** Between two questions that one sentence asks. */
const JOINT =
  /,?\s(?:and|und|y|et|e)\s(?=(?:who|what|when|where|how|is there|are|do|does|can|wer|was|wann|wo|wie|gibt|quien|que|cuando|donde|como|hay|qui|quand|comment|y a|chi|cosa|dove|quem|onde|ha)\b)/;

/** The phrases of a folded text, each one question or statement; dates stay whole. */
export function phrasesIn(text: string): string[] {
  const phrases = text.split(/[?!;\n]+|(?<!\d)\.(?=\s)/).flatMap((each) => each.split(JOINT));
  return phrases.filter((each) => /[a-z]{2}/.test(each));
}
