/** Compares the currencies of an answer with those of its facts. */

/** Marks and words with the codes they may stand for; the text is folded. */
const NAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/€|\beuros?\b/g, /\bEUR\b/],
  [/\$|\bdollars?\b|\bdolar(?:es)?\b|\bdollar[oi]\b/g, /\b(?:USD|AUD|CAD|NZD|HKD|SGD|MXN)\b/],
  [/£|\bpounds?\b|\bpfund\b|\blibras?\b|\blivres?\b|\bsterline\b/g, /\b(?:GBP|EGP)\b/],
  [/¥|\byens?\b|\byuan\b/g, /\b(?:JPY|CNY)\b/],
  [/\bfranken\b|\bfrancs?\b|\bfranchi\b|\bfrancos?\b/g, /\b(?:CHF|XAF|XOF|XPF)\b/],
];
/** Other currency signs, which no fact uses. */
const OTHER_MARK = /[^\P{Sc}€$£¥]/u;
const CODE_AFTER = /\d\s?([A-Z]{3})(?![\p{L}\d])/gu;
const CODE_BEFORE = /(?<![\p{L}\d])([A-Z]{3})\s?\d/gu;

/**
 * Whether every amount of an answer is in a currency of `support`. A currency without digits beside
 * it is a fault: its amount may be in words, which cannot be checked.
 *
 * @param message - The answer as written; `plain` is the same folded.
 */
export function areCurrenciesKnown(message: string, plain: string, support: string): boolean {
  if (OTHER_MARK.test(plain)) return false;
  for (const pattern of [CODE_AFTER, CODE_BEFORE]) {
    for (const [, code] of message.matchAll(pattern)) {
      if (!new RegExp(`\\b${code}\\b`).test(support)) return false;
    }
  }
  return NAMED.every(([words, codes]) =>
    [...plain.matchAll(words)].every(({ 0: word, index }) => {
      const before = plain.slice(0, index);
      const after = plain.slice(index + word.length);
      return codes.test(support) && (/\d[ -]?$/.test(before) || /^ ?\d/.test(after));
    }),
  );
}
