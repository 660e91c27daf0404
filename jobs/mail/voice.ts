/** Dates, amounts and words of mails in the language of a guest. */
import { dayOf, weekdayOf } from "../../engine/core/calendar.ts";
import { exponentOf } from "../../engine/core/price/money.ts";
import { frozenCosts } from "../../engine/core/price/policy-snapshot.ts";
import { termsText, timeText } from "../../engine/core/price/policy-words.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { formatsOf } from "../../src/languages/formats.ts";
import { LANGUAGES, type Locale, localeNamed } from "../../src/languages/languages.ts";
import { termsIn } from "../../src/languages/terms.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { it } from "./words/it.ts";
import { pt } from "./words/pt.ts";
import type { MailWords } from "./words/words.ts";

const WORDS: Readonly<Record<Locale["language"], MailWords>> = { en, de, es, fr, it, pt };

export interface Voice {
  readonly language: Locale["language"];
  readonly words: MailWords;
  /** A local date of a property, `YYYY-MM-DD`. */
  readonly date: (date: string) => string;
  readonly money: (amount: number, currency: string) => string;
  /** Date and time in a zone. */
  readonly instant: (ms: number, zone: string) => string;
  /** The cancellation terms of a quote. */
  readonly terms: (tree: PropertyTree, quote: FrozenQuote) => string;
}

const ENGLISH: Voice = {
  language: "en",
  words: en,
  date: dateText,
  money: moneyText,
  instant: timeText,
  terms: (tree, quote) => termsText(frozenCosts(tree, quote), tree.timezone),
};

/** The voice of a language tag; English for an unsupported one. */
export function voiceOf(tag: string): Voice {
  const locale = localeNamed(tag);
  if (locale === null || locale.language === "en") return ENGLISH;
  const { language } = locale;
  const formats = formatsOf(locale);
  return {
    language,
    words: WORDS[language],
    date: (date) => formats.days(dayOf(date), dayOf(date)),
    money: formats.money,
    instant: formats.instant,
    terms: (tree, quote) => {
      return termsIn(LANGUAGES[language], formats, frozenCosts(tree, quote), tree.timezone).full;
    },
  };
}

const WEEKDAY_NAMES = "Mon Tue Wed Thu Fri Sat Sun".split(" ");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `Sun, 20 Dec 2026`; for local dates of a property. */
export function dateText(date: string): string {
  const weekday = WEEKDAY_NAMES[weekdayOf(dayOf(date))]!;
  const month = MONTHS[Number(date.slice(5, 7)) - 1]!;
  return `${weekday}, ${Number(date.slice(8, 10))} ${month} ${date.slice(0, 4)}`;
}

/** `EUR 1,234.50`, with the decimals of the currency. */
export function moneyText(amount: number, currency: string): string {
  const decimals = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${currency} ${amount < 0 ? "-" : ""}${whole}${fraction}`;
}
