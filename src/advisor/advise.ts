/**
 * Answers a question about a hotel from its facts and live offers. Pure: the same hotel, question
 * and instant give the same answer.
 */
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import type { PropertyEntry } from "../../engine/core/state/state.ts";
import { formatsOf } from "../languages/formats.ts";
import { LANGUAGES } from "../languages/languages.ts";
import { HOTEL_ANSWERS } from "./answers-hotel.ts";
import { civil, type OffersAnswer, offersAnswer } from "./answers-offers.ts";
import { amenityAnswer, ROOM_ANSWERS, roomsOfKinds } from "./answers-rooms.ts";
import { type Asked, partyIn, readTurn, type Turn } from "./conversation.ts";
import { fact } from "./facts.ts";
import { type Language, localeOf } from "./language.ts";
import { TOPICS, type Topic } from "./lexicon.ts";
import { PHRASES } from "./phrases/phrase-book.ts";
import { type Sentence, type Speech, sentence } from "./sentences.ts";
import type { StayRequest, Suggestion } from "./sessions.ts";
import { suggestionsFor } from "./suggestions.ts";

/** The hotel, with the time and the agent of the question. */
export interface Hotel {
  readonly property: PropertyEntry;
  /** The agent whose ceilings apply. */
  readonly agentId: string;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

export interface Question {
  readonly text: string;
  /** Earlier questions, oldest first; their dates and party still apply. */
  readonly earlier: readonly Asked[];
  /** Language tag of the session. */
  readonly locale: string | null;
}

export interface Advice {
  readonly message: string;
  readonly grounded_facts: readonly string[];
  readonly suggestions: readonly Suggestion[];
  /** Quotes of the offers in the answer, cheapest first. */
  readonly quotes: readonly QuoteRequest[];
  /** Stay and party of the conversation, or null. */
  readonly asked: StayRequest | null;
  /** Recognized topics. */
  readonly topics: readonly Topic[];
  readonly language: Language;
}

/** Answers by rules. */
export function advise(hotel: Hotel, { text, earlier, locale }: Question): Advice {
  const { property, nowMs } = hotel;
  const { tree } = property;
  const turn = readTurn([...earlier, { text, atMs: nowMs }], { timezone: tree.timezone, locale });
  const speech = speechOf(hotel, turn, locale);
  const { sentences, quotes } = answersTo(hotel, speech, turn);
  const facts = new Set(sentences.flatMap((each) => each.facts));
  const { stay } = turn.standing;
  const asked = stay && { stay, party: partyIn(turn.standing) };
  return {
    message: sentences.map((each) => each.text).join("\n"),
    grounded_facts: [...facts],
    suggestions: suggestionsFor(speech, property, asked),
    quotes,
    asked: asked && { stay: civil(asked.stay.checkInDay, asked.stay.nights), guests: asked.party },
    topics: [...turn.understood.topics],
    language: turn.understood.language,
  };
}

function speechOf({ property }: Hotel, { understood }: Turn, tag: string | null): Speech {
  const { language } = understood;
  const locale = localeOf(language, tag);
  return {
    tree: property.tree,
    phrases: PHRASES[language],
    words: LANGUAGES[language],
    formats: formatsOf(locale),
    locale,
  };
}

/** Topics that complement an offer instead of replacing it. */
const BESIDE_OFFERS: readonly Topic[] = [
  "meals",
  "cancellation",
  "rooms",
  "beds",
  "availability",
  "price",
  "booking",
];
const OFFER_TOPICS: readonly Topic[] = ["price", "availability"];

function answersTo(hotel: Hotel, speech: Speech, turn: Turn): OffersAnswer {
  const { phrases, tree } = speech;
  const { understood } = turn;
  const { topics, amenities } = understood;
  const isOffers = wantsOffers(turn);
  const offers = isOffers ? offersTo(hotel, speech, turn) : { sentences: [], quotes: [] };
  const rooms = roomsOfKinds(tree.room_types, understood.rooms);
  const isPriced = offers.quotes.length > 0;
  const ofTopics = TOPICS.filter(
    (topic) => topics.has(topic) && !(isPriced && isPartOfOffers(turn, topic)),
  ).flatMap((topic): readonly Sentence[] => {
    const found = HOTEL_ANSWERS[topic]?.(speech) ?? ROOM_ANSWERS[topic]?.(speech, rooms) ?? [];
    return Array.isArray(found) ? found : [found as Sentence];
  });
  const others = [
    ...(topics.has("booking") && !isOffers
      ? [sentence(phrases.booking, fact("booking", "by link"))]
      : []),
    ...(topics.has("own_booking")
      ? [sentence(phrases.ownBooking, fact("bookings", "not visible"))]
      : []),
    ...(topics.has("identity")
      ? [sentence(phrases.identity(tree.name), fact("name", tree.name))]
      : []),
  ];
  const listed = amenities.map((each) => amenityAnswer(speech, each));
  const costs = costsOf(speech, turn);
  const sentences = [...ofTopics, ...listed, ...costs, ...others, ...offers.sentences];
  if (sentences.length === 0) return { sentences: nothingKnown(speech, turn), quotes: [] };
  return {
    sentences: [...sentences, ...unanswered(speech, turn, sentences)],
    quotes: offers.quotes,
  };
}

/** True when prices or rooms are asked for, or only a stay is given or changed. */
function wantsOffers({ understood, isChanged, standing }: Turn): boolean {
  const { topics, stay, amenities } = understood;
  if (OFFER_TOPICS.some((topic) => topics.has(topic))) return true;
  const isBeside = [...topics].every((topic) => BESIDE_OFFERS.includes(topic));
  if (stay.is === "stay" || stay.is === "unclear") return isBeside;
  if (understood.rooms.length > 0 && standing.stay && topics.size === 0) return true;
  const isAskedAgain = understood.withBreakfast || understood.refundable;
  if (!standing.stay) return isChanged && topics.size === 0 && amenities.length === 0;
  return isBeside && amenities.length === 0 && (isChanged || isAskedAgain);
}

function isPartOfOffers({ understood, standing }: Turn, topic: Topic): boolean {
  if (standing.stay === null) return false;
  if (topic === "meals") return understood.withBreakfast;
  if (topic === "rooms" || topic === "beds") return true;
  return topic === "cancellation" && understood.refundable;
}

function offersTo(hotel: Hotel, speech: Speech, { understood, standing }: Turn): OffersAnswer {
  const { phrases } = speech;
  const { stay: reading, rooms, withBreakfast, refundable } = understood;
  const only = (text: string, value: string): OffersAnswer => {
    return { sentences: [sentence(text, fact("stay", value))], quotes: [] };
  };
  if (reading.is === "unclear") return only(phrases.problems[reading.problem], reading.problem);
  if (standing.stay === null) return only(phrases.needDates, "not said");
  if (standing.agesMissing > 0) return only(phrases.needAges, "ages not said");
  const isSingle = rooms.length === 1 && rooms[0] === "single" && standing.adults === null;
  const party = isSingle ? { ...partyIn(standing), adults: 1 } : partyIn(standing);
  const isPartyAssumed = standing.adults === null && !isSingle;
  const wanted = { stay: standing.stay, party, isPartyAssumed, rooms, withBreakfast, refundable };
  return offersAnswer(speech, hotel, wanted);
}

/** Says that costs of amenities are not published. */
function costsOf({ phrases }: Speech, { understood }: Turn): Sentence[] {
  const { amenities, isCostAsked, topics } = understood;
  if (!isCostAsked || topics.has("price")) return [];
  return amenities.map(({ words }) => ({
    text: phrases.costUnknown(words),
    facts: [fact(`${words}, price`, "not published")],
    isUnknown: true,
  }));
}

function nothingKnown(speech: Speech, { understood }: Turn): Sentence[] {
  const { phrases, tree } = speech;
  const { isGreeting, isThanks, unknown } = understood;
  if (unknown === 0 && isThanks) return [sentence(phrases.thanks)];
  if (unknown === 0 && isGreeting) {
    return [sentence(phrases.greeting(tree.name), fact("name", tree.name))];
  }
  const answer = sentence(phrases.notUnderstood, fact("question", "not understood"));
  return [answer, ...askHotel(speech)];
}

/** Says that part of the question is unknown, and whom to ask. */
function unanswered(
  speech: Speech,
  { understood }: Turn,
  answers: readonly Sentence[],
): Sentence[] {
  const { phrases } = speech;
  const rest =
    understood.unknown > 0
      ? [sentence(phrases.restUnknown, fact("rest of the question", "not understood"))]
      : [];
  const isOpen = rest.length > 0 || answers.some(({ isUnknown }) => isUnknown);
  return isOpen ? [...rest, ...askHotel(speech)] : rest;
}

function askHotel({ tree, phrases }: Speech): Sentence[] {
  const { phone } = tree;
  return phone === null ? [] : [sentence(phrases.askHotel(phone), fact("phone", phone))];
}
