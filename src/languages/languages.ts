/** The languages of the page, and which of them a visitor reads. */
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

/** A language of ours, with the region whose numbers and dates are used, if any. */
export interface Locale {
  readonly language: Language;
  /** BCP 47: `de`, `pt-BR`. */
  readonly tag: string;
}

const ENGLISH: Locale = { language: "en", tag: "en" };

/** `de`, `de-CH`, `pt_br`: more subtags than that, and how much it is liked, are not read. */
const TAG = /^([a-z]{2})(?:[-_]([a-z]{2}))?(?:[-_;]|$)/i;

/** The locale that a tag names; null when its language is none of ours. */
export function localeNamed(tag: string): Locale | null {
  const [, language = "", region] = TAG.exec(tag.trim()) ?? [];
  const name = language.toLowerCase();
  if (!Object.hasOwn(LANGUAGES, name)) return null;
  return {
    language: name as Language,
    tag: region === undefined ? name : `${name}-${region.toUpperCase()}`,
  };
}

/** The address decides, then the browser (in the order it gives), then English. */
export function localeFor(lang: string | undefined, acceptLanguage: string | null): Locale {
  const asked = localeNamed(lang ?? "");
  if (asked) return asked;
  const accepted = (acceptLanguage ?? "").split(",", 8).map((each) => localeNamed(each));
  return (lang === undefined ? accepted.find((each) => each !== null) : null) ?? ENGLISH;
}
