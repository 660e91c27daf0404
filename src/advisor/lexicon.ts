/**
 * Vocabulary of questions, in one shape for each language. Patterns match folded text (`text.ts`):
 * lower case, no accents.
 */

/** Topics of questions. */
export const TOPICS = [
  ...(["checkin", "early_checkin", "checkout", "late_checkout", "reception", "luggage"] as const),
  ...(["address", "distance", "phone", "email", "timezone", "about", "stars"] as const),
  ...(["rooms", "beds", "size", "occupancy", "room_count", "extra_bed", "smoking"] as const),
  ...(["pets", "children", "minimum_age", "meals", "meal_price", "amenities"] as const),
  ...(["cancellation", "taxes", "currency", "payment", "discount"] as const),
  ...(["price", "availability", "booking", "own_booking", "identity"] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

export const ROOM_KINDS = ["single", "double", "twin", "superior", "family", "suite"] as const;
export type RoomKind = (typeof ROOM_KINDS)[number];

export interface Lexicon {
  /** Frequent words that identify the language. */
  readonly hints: string;
  /** Pattern sources; January first, Monday first. */
  readonly months: readonly string[];
  readonly weekdays: readonly string[];
  /** One to twelve; variants are separated by `|`. */
  readonly numbers: readonly string[];
  readonly dates: {
    readonly today: RegExp;
    readonly tomorrow: RegExp;
    readonly dayAfterTomorrow: RegExp;
    /** A number and a unit: days and weeks from today. */
    readonly inDays: string;
    readonly inWeeks: string;
    readonly weekend: RegExp;
    /** With `weekend`: the one in a week. */
    readonly nextWeekend: RegExp;
    readonly weekendAfter: RegExp;
    /** A time without exact days. */
    readonly vague: RegExp;
    readonly until: RegExp;
    /** Nouns after a number. */
    readonly nights: string;
    readonly days: string;
    /** Sources: a length in weeks. */
    readonly forWeeks: string;
  };
  readonly party: {
    /** Nouns after a number. */
    readonly adults: string;
    readonly people: string;
    readonly children: string;
    /** Before a number of guests. */
    readonly forParty: string;
    /** `two of us`, with the number in the first group. */
    readonly ofUs: string;
    readonly couple: RegExp;
    readonly alone: RegExp;
    readonly family: RegExp;
    /** Sources with the number in the first group. */
    readonly ages: readonly string[];
    readonly including: RegExp;
  };
  readonly topics: Readonly<Record<Topic, RegExp>>;
  readonly rooms: Readonly<Record<RoomKind, RegExp>>;
  /** Breakfast or more is wanted with an offer. */
  readonly withBreakfast: RegExp;
  readonly refundable: RegExp;
  /** The cost of an amenity. */
  readonly cost: RegExp;
  readonly greeting: RegExp;
  readonly thanks: RegExp;
}

/** Pattern source for a number in a language, without capturing groups. */
export function numberPattern({ numbers }: Lexicon): string {
  return `(?:\\d{1,2}|${numbers.join("|")}|zweit|dritt|viert|funft)`;
}

const GERMAN_COLLECTIVES = ["zweit", "dritt", "viert", "funft"];

/** The value of a match of `numberPattern`. */
export function numberOf({ numbers }: Lexicon, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const collective = GERMAN_COLLECTIVES.indexOf(text);
  if (collective >= 0) return collective + 2;
  return numbers.findIndex((variants) => new RegExp(`^(?:${variants})$`).test(text)) + 1;
}
