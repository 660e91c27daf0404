/** Answers about availability and prices, from live offers. */
import { type StayOffer, stayOffers } from "../../engine/core/availability/offers.ts";
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { costRows, feeTable, policyFor } from "../../engine/core/price/policy.ts";
import { ADULTS_MAX, CHILDREN_MAX } from "../../engine/core/price/price-bounds.ts";
import type { Party, QuoteRequest, Stay } from "../../engine/core/price/quote.ts";
import type { PropertyEntry } from "../../engine/core/state/state.ts";
import { termsIn } from "../languages/terms.ts";
import { isOfKind } from "./answers-rooms.ts";
import { fact, moneyFact } from "./facts.ts";
import type { RoomKind } from "./lexicon.ts";
import { type Sentence, type Speech, sentence } from "./sentences.ts";
import type { AskedStay } from "./stay.ts";

export interface Wanted {
  readonly stay: AskedStay;
  readonly party: Party;
  /** True when the default of two adults applies. */
  readonly isPartyAssumed: boolean;
  readonly rooms: readonly RoomKind[];
  readonly withBreakfast: boolean;
  readonly refundable: boolean;
}

export interface OffersAsked {
  readonly property: PropertyEntry;
  readonly agentId: string;
  readonly nowMs: number;
}

export interface OffersAnswer {
  readonly sentences: readonly Sentence[];
  /** Quotes of the named offers, cheapest first. */
  readonly quotes: readonly QuoteRequest[];
}

const NAMED_MAX = 3;
const OTHER_DATES_MAX = 3;

/** The offers of a stay in words: the cheapest, then others that differ in what matters. */
export function offersAnswer(speech: Speech, asked: OffersAsked, wanted: Wanted): OffersAnswer {
  const { phrases } = speech;
  const { party, stay } = wanted;
  if (party.adults > ADULTS_MAX || party.children.length > CHILDREN_MAX) {
    const text = phrases.tooManyGuests(ADULTS_MAX);
    return { sentences: [sentence(text, fact("adults, at most", ADULTS_MAX))], quotes: [] };
  }
  const all = offersOf(asked, wanted);
  const open = all.filter(({ sellable }) => sellable > 0);
  const stayed = stayText(speech, wanted);
  if (open.length === 0) return nothingFree(speech, wanted, all, stayed);
  const fitting = open.filter((each) => isFitting(each, wanted));
  const named = namedOf(fitting.length > 0 ? fitting : open);
  const what = stayFact(stay, party);
  const assumed = wanted.isPartyAssumed
    ? [sentence(phrases.assumed(speech.words.adultsOf(party.adults)), fact("adults", "not said"))]
    : [];
  return {
    sentences: [
      sentence(phrases.offers(stayed, open.length), fact(`offers, ${what}`, open.length)),
      ...assumed,
      ...(fitting.length > 0
        ? []
        : [sentence(phrases.noneWith, fact(`offers, ${what}`, "others"))]),
      ...named.map((each, i) => offerSentence(speech, asked, wanted, each, i === 0)),
    ],
    quotes: named.map((each) => quoteOf(each, wanted)),
  };
}

function offersOf({ property, agentId, nowMs }: OffersAsked, { stay, party }: Wanted): StayOffer[] {
  const { checkInDay, nights } = stay;
  const todayDay = todayIn(property.tree.timezone, nowMs);
  const query = { checkInDay, nights, party, agentId, todayDay };
  return stayOffers(property, query, { nowMs, fx: null });
}

function isFitting({ offer, cancellation }: StayOffer, wanted: Wanted): boolean {
  const { rooms, withBreakfast, refundable } = wanted;
  if (rooms.length > 0 && !rooms.some((kind) => isOfKind(offer.roomType, kind))) return false;
  if (withBreakfast && offer.plan.meal_plan === "room_only") return false;
  return !refundable || cancellation.refundability === "refundable";
}

/** The cheapest offer, the cheapest cancellable one, and the cheapest of another room. */
function namedOf(offers: readonly StayOffer[]): StayOffer[] {
  const [cheapest] = offers as [StayOffer, ...StayOffer[]];
  const named = new Set([cheapest]);
  const add = (found: StayOffer | undefined) => found && named.add(found);
  add(offers.find(({ cancellation }) => cancellation.refundability === "refundable"));
  add(offers.find(({ offer }) => offer.plan.meal_plan !== cheapest.offer.plan.meal_plan));
  add(offers.find(({ offer }) => offer.roomType !== cheapest.offer.roomType));
  return offers.filter((each) => named.has(each)).slice(0, NAMED_MAX);
}

function offerSentence(
  speech: Speech,
  { property, nowMs }: OffersAsked,
  { stay, party }: Wanted,
  { offer, totals, cancellation }: StayOffer,
  isCheapest: boolean,
): Sentence {
  const { phrases, formats, words } = speech;
  const { plan, roomType } = offer;
  const { tree } = property;
  const terms = policyFor(tree, plan)!;
  const fees = feeTable({ tree, terms, checkInDay: stay.checkInDay, priced: { due_now: 0 } });
  const { full } = termsIn(words, formats, costRows(fees, terms, nowMs), tree.timezone);
  const { total, due_at_property } = totals;
  const text = phrases.offer({
    ...{ isCheapest, room: roomType.name, plan: plan.name, meal: words.meals[plan.meal_plan] },
    total: formats.money(total, plan.currency),
    paidThere: due_at_property === 0 ? null : formats.money(due_at_property, plan.currency),
    terms: full,
  });
  const facts = [
    `total ${moneyFact(total, plan.currency)}`,
    ...(due_at_property === 0
      ? []
      : [`due at property ${moneyFact(due_at_property, plan.currency)}`]),
    plan.meal_plan,
    cancellation.description,
  ];
  const what = `offer, ${roomType.name}, ${plan.name}, ${stayFact(stay, party)}`;
  return sentence(text, fact(what, facts.join(", ")));
}

function quoteOf({ offer }: StayOffer, { stay, party }: Wanted): QuoteRequest {
  return {
    hotel_id: offer.property.tree.id,
    room_type_id: offer.roomType.id,
    rate_plan_id: offer.plan.id,
    stay: civil(stay.checkInDay, stay.nights),
    guests: party,
  };
}

/** Says that nothing is free, why, and which other dates are. */
function nothingFree(
  { phrases, formats, tree }: Speech,
  { stay, party }: Wanted,
  offers: readonly StayOffer[],
  stayed: string,
): OffersAnswer {
  const what = stayFact(stay, party);
  const sentences = [sentence(phrases.nothingFree(stayed), fact(`offers, ${what}`, 0))];
  const reasons = offers.map(({ blocking }) => blocking.map(({ reason }) => reason));
  const isTooMany =
    reasons.length > 0 && reasons.every((each) => each.includes("occupancy_exceeded"));
  if (isTooMany) {
    const most = Math.max(...tree.room_types.map(({ max_occupancy }) => max_occupancy));
    sentences.push(sentence(phrases.tooMany(most), fact("max_occupancy", most)));
  }
  const others = offers
    .flatMap(({ alternatives }) => alternatives)
    .filter(({ kind }) => kind === "dates")
    .map(({ quote }) => quote);
  const dates = new Map(
    others.map((quote) => [`${quote.stay.check_in} ${quote.stay.check_out}`, quote]),
  );
  const quotes = [...dates.values()].slice(0, OTHER_DATES_MAX);
  if (quotes.length > 0) {
    const stays = quotes.map(({ stay: { check_in, check_out } }) => {
      return formats.days(dayNumber(check_in), dayNumber(check_out));
    });
    const facts = [...dates.keys()]
      .slice(0, OTHER_DATES_MAX)
      .map((each) => fact("free", each.replace(" ", " to ")));
    sentences.push({ text: phrases.otherDates(stays.join("; ")), facts });
  }
  return { sentences, quotes };
}

function dayNumber(date: string): number {
  return Date.parse(date) / 86_400_000;
}

/** Dates of a stay from its day numbers. */
export function civil(checkInDay: number, nights: number): Stay {
  return { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) };
}

/** `2026-12-12 to 2026-12-14, 2 adults, children 6`. */
function stayFact({ checkInDay, nights }: AskedStay, { adults, children }: Party): string {
  const { check_in, check_out } = civil(checkInDay, nights);
  const ages = children.map(({ age }) => age).join(" ");
  const guests = `${adults} adult${adults === 1 ? "" : "s"}${ages === "" ? "" : `, children ${ages}`}`;
  return `${check_in} to ${check_out}, ${guests}`;
}

/** `12 – 14 Dec 2026, 2 nights, 2 adults, 1 child (age 6)`. */
function stayText({ formats, words, phrases }: Speech, { stay, party }: Wanted): string {
  const { checkInDay, nights } = stay;
  const ages = party.children.map(({ age }) => age);
  return [
    formats.days(checkInDay, checkInDay + nights),
    words.nights(nights),
    words.adultsOf(party.adults),
    ...(ages.length === 0 ? [] : [phrases.childrenOf(ages)]),
  ].join(", ");
}
