/** The six languages of the advisor, and detection of a text's language. */
import type { Locale } from "../languages/languages.ts";
import { localeNamed } from "../languages/languages.ts";
import { type Lexicon, TOPICS } from "./lexicon.ts";
import { de } from "./lexicons/de.ts";
import { en } from "./lexicons/en.ts";
import { es } from "./lexicons/es.ts";
import { fr } from "./lexicons/fr.ts";
import { it } from "./lexicons/it.ts";
import { pt } from "./lexicons/pt.ts";

export type Language = Locale["language"];

export const LEXICONS: Readonly<Record<Language, Lexicon>> = { en, de, es, fr, it, pt };
const LANGUAGES = Object.keys(LEXICONS) as readonly Language[];

const HINTS = new Map<string, Language[]>();
for (const language of LANGUAGES) {
  for (const word of new Set(LEXICONS[language].hints.split(" "))) {
    HINTS.set(word, [...(HINTS.get(word) ?? []), language]);
  }
}

/** Letters and marks of one or two languages. */
const MARKS: readonly (readonly [RegExp, readonly Language[]])[] = [
  [/[ñ¿¡]/i, ["es"]],
  [/[ãõ]|(?:^|\s)(?:é|há)\s/i, ["pt"]],
  [/[äöüß]/i, ["de"]],
  [/[êëîïûœ]|\b(?:qu|j|n|s|jusqu|aujourd)['’]/i, ["fr"]],
  [/\b(?:dell|all|nell|quell|dov|com|quant|sull)['’]|[ìò]|(?:^|\s)è\s/i, ["it"]],
  [/\b(?:l|d|c|qual)['’]|à/i, ["fr", "it"]],
  [/[íáúó]/i, ["es", "pt"]],
  [/ç/i, ["fr", "pt"]],
];

const MARK_WEIGHT = 1.5;
const TOPIC_WEIGHT = 0.8;

/**
 * The language of a text, or null; `folded` is its folded form. Words of fewer languages weigh
 * more.
 */
export function languageOf(text: string, folded: string): Language | null {
  const scores = new Map<Language, number>();
  const add = (languages: readonly Language[], weight: number) => {
    for (const each of languages) {
      scores.set(each, (scores.get(each) ?? 0) + weight / languages.length);
    }
  };
  for (const word of folded.match(/[a-z]+/g) ?? []) {
    const languages = HINTS.get(word) ?? [];
    // Words of most languages are no evidence.
    if (languages.length <= 3) add(languages, 1);
  }
  for (const [mark, languages] of MARKS) if (mark.test(text)) add(languages, MARK_WEIGHT);
  for (const topic of TOPICS) {
    const languages = LANGUAGES.filter((each) => LEXICONS[each].topics[topic].test(folded));
    if (languages.length <= 3) add(languages, TOPIC_WEIGHT);
  }
  let best: Language | null = null;
  for (const [language, score] of scores) {
    const known: number = best === null ? 0 : scores.get(best)!;
    if (score > known) best = language;
  }
  return best;
}

/** Locale for amounts and dates: the session's region if the language is spoken there. */
export function localeOf(language: Language, tag: string | null): Locale {
  const session = tag === null ? null : localeNamed(tag);
  return session?.language === language ? session : { language, tag: language };
}
