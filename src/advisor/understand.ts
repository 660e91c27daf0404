/** Reads a question: topics, amenities, stay, party and requirements of an offer. */
import { AMENITIES, type AmenityWords } from "./amenity-words.ts";
import { type Language, LEXICONS } from "./language.ts";
import { ROOM_KINDS, type RoomKind, TOPICS, type Topic } from "./lexicon.ts";
import { type PartyReading, readParty } from "./party.ts";
import { readStay, type StayReading } from "./stay.ts";
import { folded, phrasesIn } from "./text.ts";

export interface AskedAmenity {
  readonly amenity: AmenityWords;
  readonly words: string;
}

export interface Understanding {
  readonly language: Language;
  readonly topics: ReadonlySet<Topic>;
  readonly amenities: readonly AskedAmenity[];
  readonly stay: StayReading;
  readonly party: PartyReading | null;
  readonly rooms: readonly RoomKind[];
  readonly withBreakfast: boolean;
  readonly refundable: boolean;
  /** True when the cost of an amenity is asked for. */
  readonly isCostAsked: boolean;
  readonly isGreeting: boolean;
  readonly isThanks: boolean;
  /** Number of unrecognized phrases. */
  readonly unknown: number;
}

export interface Reader {
  readonly language: Language;
  /** Today at the property, as a day number. */
  readonly todayDay: number;
  /** Whether `12/11` is the 12th of November; null for unknown. */
  readonly dayFirst: boolean | null;
}

/** Understands a text in a language. */
export function understand(text: string, reader: Reader): Understanding {
  const { language } = reader;
  const lexicon = LEXICONS[language];
  const plain = folded(text);
  const original = text.normalize("NFC");
  const { reading, rest } = readStay(plain, lexicon, reader);
  const party = readParty(rest, lexicon);
  const amenities = amenitiesIn(plain, original);
  const topics = new Set(TOPICS.filter((topic) => lexicon.topics[topic].test(plain)));
  const phrases = phrasesIn(plain);
  const unknown = phrases.filter((phrase) => !isUnderstood(phrase, reader)).length;
  const found = {
    ...{ language, amenities, stay: reading, party },
    rooms: ROOM_KINDS.filter((kind) => lexicon.rooms[kind].test(plain)),
    withBreakfast: lexicon.withBreakfast.test(plain),
    refundable: lexicon.refundable.test(plain),
    isCostAsked: lexicon.cost.test(plain),
    isGreeting: lexicon.greeting.test(plain),
    isThanks: lexicon.thanks.test(plain),
    unknown,
  };
  return { ...found, topics: settled(topics, found) };
}

function amenitiesIn(plain: string, original: string): AskedAmenity[] {
  return AMENITIES.flatMap((amenity) => {
    const match = amenity.words.exec(plain);
    if (match === null) return [];
    const words = original.slice(match.index, match.index + match[0].length).trim();
    return [{ amenity, words }];
  });
}

function isUnderstood(phrase: string, reader: Reader): boolean {
  const lexicon = LEXICONS[reader.language];
  if (TOPICS.some((topic) => lexicon.topics[topic].test(phrase))) return true;
  if (AMENITIES.some(({ words }) => words.test(phrase))) return true;
  if (lexicon.greeting.test(phrase) || lexicon.thanks.test(phrase)) return true;
  if (ROOM_KINDS.some((kind) => lexicon.rooms[kind].test(phrase))) return true;
  const { reading, rest } = readStay(phrase, lexicon, reader);
  if (reading.is !== "none" || readParty(rest, lexicon) !== null) return true;
  return lexicon.withBreakfast.test(phrase) || lexicon.refundable.test(phrase);
}

/** Broader topics that a narrower topic of the same words replaces. */
const GIVES_WAY: readonly (readonly [Topic, readonly Topic[]])[] = [
  ["checkin", ["early_checkin"]],
  ["checkout", ["late_checkout"]],
  ["rooms", ["room_count"]],
  ["size", ["room_count"]],
  ["availability", ["room_count"]],
  ["booking", ["own_booking"]],
  ["beds", ["extra_bed"]],
  ["payment", ["taxes"]],
  ["address", ["email"]],
];

function settled(
  topics: ReadonlySet<Topic>,
  { amenities, stay, isCostAsked }: Pick<Understanding, "amenities" | "stay" | "isCostAsked">,
): ReadonlySet<Topic> {
  const kept = new Set(topics);
  for (const [broad, narrow] of GIVES_WAY) {
    if (narrow.some((each) => topics.has(each))) kept.delete(broad);
  }
  // `What does parking cost?` is about parking.
  const isAboutOther =
    amenities.length > 0 ||
    [
      "meal_price",
      "taxes",
      "pets",
      "children",
      "extra_bed",
      "payment",
      "early_checkin",
      "late_checkout",
      "cancellation",
      "currency",
      "luggage",
    ].some((each) => topics.has(each as Topic));
  if (isCostAsked && isAboutOther && stay.is !== "stay" && !kept.has("availability")) {
    kept.delete("price");
  }
  if (amenities.length > 0) kept.delete("amenities");
  if (amenities.some(({ amenity }) => amenity.codes.includes("airport_shuttle"))) {
    kept.delete("distance");
  }
  if (kept.has("own_booking"))
    for (const each of ["cancellation", "price"] as const) kept.delete(each);
  return kept;
}
