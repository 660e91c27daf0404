/**
 * The words by which a question is understood, in one shape for each language. Patterns are held
 * against folded text (`text.ts`): lower case, no accents.
 */

/** What a question can be about. */
export const TOPICS = [
  ...(["checkin", "early_checkin", "checkout", "late_checkout", "reception", "luggage"] as const),
  ...(["address", "distance", "phone", "email", "timezone", "about", "stars"] as const),
  ...(["rooms", "beds", "size", "occupancy", "room_count", "extra_bed", "smoking"] as const),
  ...(["pets", "children", "minimum_age", "meals", "meal_price", "amenities"] as const),
  ...(["cancellation", "taxes", "currency", "payment", "discount"] as const),
  ...(["price", "availability", "booking", "own_booking", "identity"] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

/** Kinds of rooms that a question may ask for. */
export const ROOM_KINDS = ["single", "double", "twin", "superior", "family", "suite"] as const;
export type RoomKind = (typeof ROOM_KINDS)[number];

export interface Lexicon {
  /** Frequent words that tell the language from the other five. */
  readonly hints: string;
  /** Sources of patterns, January first and Monday first. */
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
    /** Beside `weekend`: the one in a week's time. */
    readonly nextWeekend: RegExp;
    readonly weekendAfter: RegExp;
    /** A time that has no exact days. */
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
    /** Before a number that says for how many. */
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
  /** That the breakfast, or more, is asked for with an offer. */
  readonly withBreakfast: RegExp;
  readonly refundable: RegExp;
  /** What an amenity costs. */
  readonly cost: RegExp;
  readonly greeting: RegExp;
  readonly thanks: RegExp;
}
