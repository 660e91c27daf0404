/** Text for comparison, without case, accents and typographic variants; positions are kept. */

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
 * Folds a text. The result has as many UTF-16 units as `text.normalize("NFC")`, so that matches can
 * be shown as written.
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
 * Collapses each run of white space into one space or line break: patterns that allow spaces would
 * take quadratic time in a run's length.
 */
export function spaced(text: string): string {
  return text.replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "));
}

/** The text with the match at `at` replaced by blanks. */
export function blanked(text: string, at: number, length: number): string {
  return text.slice(0, at) + " ".repeat(length) + text.slice(at + length);
}

/** Between two questions in one sentence. */
const JOINT =
  /,?\s(?:and|und|y|et|e)\s(?=(?:who|what|when|where|how|is there|are|do|does|can|wer|was|wann|wo|wie|gibt|quien|que|cuando|donde|como|hay|qui|quand|comment|y a|chi|cosa|dove|quem|onde|ha)\b)/;

/** The phrases of a folded text, each one question or statement; dates stay whole. */
export function phrasesIn(text: string): string[] {
  const phrases = text.split(/[?!;\n]+|(?<!\d)\.(?=\s)/).flatMap((each) => each.split(JOINT));
  return phrases.filter((each) => /[a-z]{2}/.test(each));
}
