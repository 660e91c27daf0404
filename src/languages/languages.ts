/** The languages of the page, and the choice of one for a visitor. */
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { pt } from "./pt.ts";
import type { Words } from "./words.ts";

export const LANGUAGES = { en, de, es, fr, it, pt } as const satisfies Readonly<
  Record<string, Words>
>;

type Language = keyof typeof LANGUAGES;

/** A supported language, with the region for numbers and dates. */
export interface Locale {
  readonly language: Language;
  /** BCP 47: `de`, `pt-BR`. */
  readonly tag: string;
}

const ENGLISH: Locale = { language: "en", tag: "en" };

/** `de`, `de-CH`, `pt_br`; further subtags and quality values are ignored. */
const TAG = /^([a-z]{2})(?:[-_]([a-z]{2}))?(?:[-_;]|$)/i;

/** The locale of a tag; null for an unsupported language. */
export function localeNamed(tag: string): Locale | null {
  const [, language = "", region] = TAG.exec(tag.trim()) ?? [];
  const name = language.toLowerCase();
  if (!Object.hasOwn(LANGUAGES, name)) return null;
  return {
    language: name as Language,
    tag: region === undefined ? name : `${name}-${region.toUpperCase()}`,
  };
}

/** From the address, else the browser's list in order, else English. */
export function localeFor(lang: string | undefined, acceptLanguage: string | null): Locale {
  const asked = localeNamed(lang ?? "");
  if (asked) return asked;
  const accepted = (acceptLanguage ?? "").split(",", 8).map((each) => localeNamed(each));
  return (lang === undefined ? accepted.find((each) => each !== null) : null) ?? ENGLISH;
}
