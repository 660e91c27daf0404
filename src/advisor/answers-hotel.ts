/** Answers about the hotel as a whole: times, place, contact, pets, taxes, children, terms. */
import type { TaxRule } from "../../engine/core/supply.ts";
import {
  addressText,
  childTexts,
  currencyOf,
  fact,
  mealFact,
  planNames,
  taxFact,
  termsFact,
  termsInUse,
} from "./facts.ts";
import type { Topic } from "./lexicon.ts";
import { type Sentence, type Speech, sentence, unpublished } from "./sentences.ts";

const MEALS = ["breakfast", "half_board", "full_board", "all_inclusive", "room_only"] as const;

function checkin(speech: Speech): Sentence {
  const { checkin_time: time } = speech.tree;
  if (time === null) return unpublished(speech, "checkin");
  return sentence(speech.phrases.checkin(time), fact("checkin_time", time));
}

function checkout(speech: Speech): Sentence {
  const { checkout_time: time } = speech.tree;
  if (time === null) return unpublished(speech, "checkout");
  return sentence(speech.phrases.checkout(time), fact("checkout_time", time));
}

function address({ tree, phrases }: Speech): Sentence {
  const text = addressText(tree.address);
  return sentence(phrases.address(tree.name, text), fact("address", text));
}

function phone(speech: Speech): Sentence {
  const { phone: number } = speech.tree;
  if (number === null) return unpublished(speech, "phone");
  return sentence(speech.phrases.phone(number), fact("phone", number));
}

function about(speech: Speech): Sentence[] {
  const { tree } = speech;
  const { description } = tree;
  const text =
    description === null
      ? unpublished(speech, "about")
      : sentence(description, fact("description", description));
  return [text, stars(speech), address(speech)];
}

function stars(speech: Speech): Sentence {
  const { tree, phrases, words } = speech;
  const rating = tree.star_rating;
  if (rating === null) return unpublished(speech, "stars");
  return sentence(phrases.stars(words.starsOf(rating)), fact("star_rating", rating));
}

function roomCount(speech: Speech): Sentence {
  const { number_of_rooms: count } = speech.tree;
  if (count === null) return unpublished(speech, "room_count");
  return sentence(speech.phrases.roomCount(count), fact("number_of_rooms", count));
}

function pets({ tree, phrases }: Speech): Sentence {
  const text = tree.pets_allowed ? phrases.petsYes : phrases.petsNo;
  return sentence(text, fact("pets_allowed", tree.pets_allowed));
}

function children(speech: Speech): Sentence[] {
  const texts = childTexts(speech.tree);
  if (texts.length === 0) return [unpublished(speech, "children")];
  return texts.map((text) => {
    return sentence(speech.phrases.childPolicy(text), fact("child_policy_text", text));
  });
}

function meals({ tree, phrases, words }: Speech): Sentence[] {
  const found = MEALS.flatMap((meal) => {
    const plans = planNames(tree, ({ meal_plan }) => meal_plan === meal);
    if (plans.length === 0) return [];
    const text = phrases.meals(words.meals[meal], plans.join(", "));
    return [{ meal, ...sentence(text, mealFact(meal, plans)) }];
  });
  const hasMeals = found.some(({ meal }) => meal !== "room_only");
  return hasMeals ? found : [sentence(phrases.noBreakfast, mealFact("breakfast", [])), ...found];
}

function cancellation(speech: Speech): Sentence[] {
  const { tree, phrases, formats } = speech;
  const found = termsInUse(tree).map((terms) => {
    const { cancellation_kind: kind } = terms;
    const plans = planNames(tree, (plan) => plan.cancellation_kind === kind).join(", ");
    const hours = terms.free_cancellation_hours_before_checkin;
    if (kind === "non_refundable") return sentence(phrases.nonRefundable(plans), termsFact(terms));
    const share = formats.percent(terms.cancellation_fee_pct_after_cutoff * 100);
    const noShow = formats.percent(terms.no_show_fee_pct * 100);
    const late =
      kind === "free_until_cutoff"
        ? phrases.freeUntil(plans, hours, share)
        : phrases.feeFromBooking(plans, share);
    const text = noShow === share ? late : `${late} ${phrases.fromCheckIn(noShow)}`;
    return sentence(text, termsFact(terms));
  });
  return found.length > 0 ? found : [unpublished(speech, "cancellation")];
}

function taxes(speech: Speech): Sentence[] {
  const { tree } = speech;
  if (tree.tax_rules.length === 0) return [unpublished(speech, "taxes")];
  return tree.tax_rules.map((rule) => sentence(taxText(speech, rule), taxFact(tree, rule)));
}

function taxText({ tree, phrases, formats }: Speech, rule: TaxRule): string {
  const { name, basis, rate_bps = 0, amount, min_age, max_nights } = rule;
  return phrases.tax({
    name,
    amount:
      amount === undefined ? formats.percent(rate_bps) : formats.money(amount, currencyOf(tree)),
    basis: phrases.bases[basis],
    isIncluded: rule.included_in_rate,
    isPaidThere: rule.collect === "at_property",
    nights: max_nights ?? null,
    age: min_age ?? null,
  });
}

function currency({ tree, phrases }: Speech): Sentence {
  const own = currencyOf(tree);
  return sentence(phrases.currency(own), fact("currency", own));
}

type Answers = (speech: Speech) => Sentence | readonly Sentence[];

const unknownOf =
  (...subjects: Parameters<typeof unpublished>[1][]): Answers =>
  (speech) =>
    subjects.map((subject) => unpublished(speech, subject));

/** Topics answered from the hotel alone, in the order of answers. */
export const HOTEL_ANSWERS: Readonly<Partial<Record<Topic, Answers>>> = {
  checkin,
  early_checkin: (speech) => [checkin(speech), unpublished(speech, "early_checkin")],
  checkout,
  late_checkout: (speech) => [checkout(speech), unpublished(speech, "late_checkout")],
  reception: (speech) => [checkin(speech), unpublished(speech, "reception")],
  luggage: unknownOf("luggage"),
  about,
  stars,
  address,
  distance: (speech) => [address(speech), unpublished(speech, "distance")],
  phone,
  email: (speech) => [unpublished(speech, "email")],
  timezone: ({ tree, phrases }) =>
    sentence(phrases.timezone(tree.timezone), fact("timezone", tree.timezone)),
  room_count: roomCount,
  pets,
  children,
  minimum_age: unknownOf("minimum_age"),
  meals,
  meal_price: unknownOf("meal_price"),
  cancellation,
  taxes,
  currency,
  payment: (speech) => [
    unpublished(speech, "payment"),
    sentence(speech.phrases.payment, fact("offers", "due_now, due_at_property")),
  ],
  discount: unknownOf("discount"),
};
