/**
 * Checks that a model's answer is supported by the facts it names. Unverifiable answers are refused
 * in favour of the rules' answer: that costs style, a mistake would cost money.
 */
import { dayOf } from "../../../engine/core/calendar.ts";
import { AMENITIES } from "../amenity-words.ts";
import { mentionsIn } from "../day-mentions.ts";
import { type Language, LEXICONS } from "../language.ts";
import type { Topic } from "../lexicon.ts";
import { folded } from "../text.ts";
import type { ModelAnswer } from "./call.ts";
import { areCurrenciesKnown } from "./currencies.ts";

export type GroundingFault =
  | ("unknown_fact" | "no_fact" | "too_long" | "markup" | "link" | "date" | "time")
  | (
      | "currency"
      | "price"
      | "phone"
      | "number"
      | "number_in_words"
      | "amenity"
      | "topic"
      | "negation"
    );

/** The basis of the check. */
export interface Grounds {
  readonly facts: readonly string[];
  readonly language: Language;
  /** Today at the property, as a day number. */
  readonly todayDay: number;
}

const MESSAGE_MAX = 2_000;
const MARKUP = /<[a-z!/]|\]\(|```|(?!\n)\p{Cc}/iu;
/** Any word right after a dot may be a domain: there are too many to list. */
const LINK = /:\/\/|@|\b(?:www\.|mailto:|tel:)|[\p{L}\p{N}-][.\u3002\uff0e\uff61]\p{L}{2}/iu;
/** Digits and numbers of other scripts, which the patterns do not read; `m²` is a unit. */
const FOREIGN_NUMBER = /(?<!m)²|[^\P{N}0-9²]/u;
const ISO_DATE = /\d{4}-\d{2}-\d{2}/g;
const TIME =
  /(?<!\d)(\d{1,2})[:h](\d{2})(?::\d{2})?(?!\d)\s*([ap]\.?m\b)?|(?<!\d)(\d{1,2})\s*([ap])\.?m\b/gi;
const PHONE = /\+?\d[\d\s().-]{6,}\d/g;
const NUMBER = /\d+(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?/g;
const IN_WORDS =
  /\b(?:hundreds?|thousands?|hundert\w*|\w+hundert|tausend\w*|cien|cientos?|doscient\w+|mil|cents?|mille|cento|duecento|mila|cem|duzent\w+|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zwanzig|dreissig|vierzig|funfzig|veinte|treinta|cuarenta|cincuenta|vingt|trente|quarante|cinquante|venti|trenta|quaranta|cinquanta|vinte|trinta|quarenta|cinquenta)\b/;
const NEGATION =
  /\b(?:no|not|n't|never|without|kein\w*|nicht|nie|ohne|sin|nunca|tampoco|pas|aucun\w*|jamais|sans|interdit\w*|non|nessun\w*|mai|senza|vietat\w*|nao|nenhum\w*|sem|proibid\w*|prohibid\w*|forbidden|verboten|prohibited)\b|n't\b/;

/** Claims that something is free of charge. */
const FREE =
  /\bfree\b|\bcomplimentary\b|\bnothing\b|\bno (?:extra |additional )?(?:charge|cost|fee)s?\b|\bkosten(?:los|frei)|\bumsonst\b|\bohne (?:aufpreis|gebuhr|kosten)|\bgratis\b|\bgratuit|\bsin (?:costes?|cargos?|gastos|suplemento)\b|\bsans (?:frais|supplement)\b|\bsenza (?:costi|penali|supplement)|\bsem custos?\b/;

const AMOUNT =
  /\d\s?(?:[€$£¥]|eur|usd|gbp|jpy|chf|dol|pound|pfund|yen|franken|franc)|(?:[€$£¥]|\beur|\busd|\bgbp|\bjpy|\bchf)\s?\d/;
const TOTAL = /\btotal (\d+(?:\.\d+)?) [A-Z]{3}\b/g;

/** Free text of a hotel supports no number: it might be the price of a room. */
const FREE_TEXT = /^(?:name|description|child_policy_text):/;

/** A topic in the answer needs a fact with one of these names. */
const NEEDS: readonly (readonly [Topic, RegExp])[] = [
  ["pets", /^pets_allowed/],
  ["smoking", /smoking_allowed/],
  ["cancellation", /^policies|^offer/],
  ["taxes", /^tax_rules|^offer/],
  ["meals", /^rate_plans|^offer|breakfast|board/],
  ["stars", /^star_rating/],
  ["children", /^child_policy_text/],
  ["checkin", /^checkin_time|^policies|^offer/],
  ["checkout", /^checkout_time/],
  ["phone", /^phone/],
  ["extra_bed", /bed_type/],
];

/** No published fact covers them, so a model must not mention them. */
const NEVER: readonly Topic[] = ["early_checkin", "late_checkout", "discount", "email", "luggage"];

/** The first fault of an answer; null when its facts support it. */
export function groundingFault(
  { message, used_facts }: ModelAnswer,
  { facts, language, todayDay }: Grounds,
): GroundingFault | null {
  if (used_facts.length === 0) return "no_fact";
  const known = new Set(facts);
  if (used_facts.some((each) => !known.has(each))) return "unknown_fact";
  if (message.length > MESSAGE_MAX) return "too_long";
  if (MARKUP.test(message)) return "markup";
  const support = used_facts.filter((each) => !FREE_TEXT.test(each)).join("\n");
  if (LINK.test(message)) return "link";
  const plain = folded(message);
  if (FOREIGN_NUMBER.test(plain)) return "number";
  return (
    claimsFault(plain, used_facts, language) ??
    numbersFault(plain, support, language, todayDay) ??
    (areCurrenciesKnown(message, plain, support) ? null : "currency")
  );
}

/** Amenities and topics without a used fact, or with a contradicting one. */
function claimsFault(
  plain: string,
  used: readonly string[],
  language: Language,
): GroundingFault | null {
  const lexicon = LEXICONS[language];
  const plainFacts = used.map(folded);
  for (const { codes, words } of AMENITIES) {
    if (!words.test(plain)) continue;
    const isListed = plainFacts.some((fact) => codes.some((code) => hasCode(fact, code)));
    if (!isListed) return "amenity";
    const sentence = sentenceWith(plain, words);
    if (NEGATION.test(sentence)) return "negation";
  }
  if (FREE.test(plain) && !used.some((each) => /free/i.test(each) && !FREE_TEXT.test(each))) {
    return "price";
  }
  for (const topic of NEVER) if (lexicon.topics[topic].test(plain)) return "topic";
  for (const [topic, name] of NEEDS) {
    if (!lexicon.topics[topic].test(plain)) continue;
    const about = used.filter((each) => name.test(each));
    if (about.length === 0) return "topic";
    if (topic !== "pets" && topic !== "smoking") continue;
    const isAllowed = about.some((each) => each.endsWith("true"));
    const isDenied = NEGATION.test(sentenceWith(plain, lexicon.topics[topic]));
    if (isAllowed === isDenied) return "negation";
  }
  return null;
}

/** A code or its words in a fact that lists amenities or beds. */
function hasCode(fact: string, code: string): boolean {
  return fact.includes("amenities: ") || fact.includes("bed_type")
    ? new RegExp(`(?:^|[ ,:])${code}(?:$|,)`).test(fact)
    : fact.includes(` ${code.replaceAll("_", " ")}`);
}

function sentenceWith(plain: string, words: RegExp): string {
  return plain.split(/[.!?;\n]+(?!\d)/).find((each) => words.test(each)) ?? plain;
}

/** Unsupported numbers; each supported kind is removed from the text before the next. */
function numbersFault(
  plain: string,
  support: string,
  language: Language,
  todayDay: number,
): GroundingFault | null {
  if (IN_WORDS.test(plain)) return "number_in_words";
  const days = new Set((support.match(ISO_DATE) ?? []).map(dayOf));
  for (const said of datesIn(support)) days.add(said);
  const reader = { todayDay, dayFirst: true };
  const { found, problem, rest } = mentionsIn(plain, LEXICONS[language], reader);
  if (problem) return "date";
  for (const { day, endDay } of found) {
    if (!days.has(day) || (endDay !== undefined && !days.has(endDay))) return "date";
  }
  const times = timesIn(support);
  if (timesIn(rest).some((each) => !times.includes(each))) return "time";
  const timeless = rest.replace(TIME, " ");
  const phones = digitsOf(support.match(PHONE) ?? []);
  for (const each of timeless.match(PHONE) ?? []) {
    const digits = each.replace(/\D/g, "");
    if (digits.length < 8) continue;
    if (!phones.some((known) => known.endsWith(digits))) return "phone";
  }
  const left = timeless.replace(PHONE, (each) => (each.replace(/\D/g, "").length < 8 ? each : " "));
  const values = new Set(support.replace(ISO_DATE, " ").match(NUMBER)?.flatMap(valuesOf));
  const isKnown = (text: string) => valuesOf(text).some((value) => values.has(value));
  const numbers = left.match(NUMBER) ?? [];
  if (!numbers.every(isKnown)) return "number";
  // Beside an offer any other lone amount, such as the due at the hotel, reads as its price.
  const totals = [...support.matchAll(TOTAL)].map(([, amount]) => Number(amount));
  const isTotalSaid = numbers.flatMap(valuesOf).some((value) => totals.includes(value));
  return totals.length > 0 && AMOUNT.test(plain) && !isTotalSaid ? "price" : null;
}

/** Dates in English cancellation terms: `18 Dec 2026`. */
function datesIn(support: string): number[] {
  const reader = { todayDay: 0, dayFirst: true };
  return mentionsIn(folded(support).replace(ISO_DATE, " "), LEXICONS.en, reader).found.map(
    ({ day }) => day,
  );
}

/** Times in a text, as minutes of the day. */
function timesIn(text: string): number[] {
  return [...text.matchAll(TIME)].map(([, hour, minute, half, bareHour, bareHalf]) => {
    const hours = Number(hour ?? bareHour);
    const part = (half ?? bareHalf)?.[0]?.toLowerCase();
    const added = part === "p" && hours < 12 ? 12 : part === "a" && hours === 12 ? -12 : 0;
    return (hours + added) * 60 + Number(minute ?? 0);
  });
}

function digitsOf(texts: readonly string[]): string[] {
  return texts.map((each) => each.replace(/\D/g, ""));
}

/** Possible values of a number: its mark may be a decimal point or a thousands separator. */
function valuesOf(text: string): number[] {
  const marks = text.replace(/['\s\u00a0\u202f]/g, "");
  const last = Math.max(marks.lastIndexOf("."), marks.lastIndexOf(","));
  if (last < 0) return [Number(marks)];
  const decimals = marks.length - last - 1;
  const whole = Number(marks.replace(/[.,]/g, ""));
  const decimal = Number(`${marks.slice(0, last).replace(/[.,]/g, "")}.${marks.slice(last + 1)}`);
  return decimals === 3 ? [whole] : [decimal];
}
