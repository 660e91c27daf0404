/** What is told of a property that was found. */
import type { OfferCard, PropertyCard } from "../index/cards.ts";
import type { CancellationNow } from "../policy.ts";
import { distanceText, PlaceWords, type Ranking } from "../ranking.ts";
import type { MealPlan } from "../supply.ts";
import type { Found } from "./best-offer.ts";

/** More units than this are not told of: nobody decides by them. */
export const SELLABLE_MAX = 9;

/** Amounts are minor units of `currency`. */
export interface BestOffer extends OfferCard {
  /** Room amount alone. */
  readonly price_per_night: { readonly amount: number; readonly currency: string };
  /** Of the stay, with taxes and fees, as a quote says it. */
  readonly total: number;
  readonly due_now: number;
  readonly due_at_property: number;
  readonly sellable: number;
  readonly cancellation: Pick<CancellationNow, "refundability" | "free_until">;
}

export interface SearchResult extends PropertyCard {
  /** From the point that was asked for; null without one. */
  readonly distance_m: number | null;
  readonly rank_score: number;
  readonly explanation: readonly string[];
  readonly best_offer: BestOffer;
}

const MEALS: Readonly<Record<MealPlan, string>> = {
  room_only: "Room only",
  breakfast: "Breakfast included",
  half_board: "Half board included",
  full_board: "Full board included",
  all_inclusive: "All inclusive",
};

const STARS = Array.from({ length: 11 }, (_, stars) => (stars === 1 ? "1 star" : `${stars} stars`));

function starsText(stars: number | null): string {
  if (stars === null) return "No star rating";
  return STARS[stars] ?? `${stars} stars`;
}

/** What was found with what speaks for and against it, in words for people; the best first. */
export function resultsOf(found: readonly Found[], ranking: Ranking): SearchResult[] {
  const { order, scores, positions } = ranking;
  const words = new PlaceWords(ranking.of);
  const results: SearchResult[] = [];
  for (let i = 0; i < order.length; i += 1) {
    const at = order[i]!;
    const each = found[at]!;
    const placed = words.at(positions[at]!, each.currency);
    results.push(resultOf(each, scores[at]!, explanationOf(each, placed)));
  }
  return results;
}

function resultOf(found: Found, rank_score: number, explanation: readonly string[]): SearchResult {
  const { card } = found.property;
  return {
    property_id: card.property_id,
    slug: card.slug,
    name: card.name,
    star_rating: card.star_rating,
    geo: card.geo,
    city: card.city,
    country: card.country,
    image: card.image,
    distance_m: found.distance_m,
    rank_score,
    explanation,
    best_offer: bestOffer(found),
  };
}

function explanationOf({ distance_m, stars, terms, plan }: Found, placed: string): string[] {
  const [rating, meal] = [starsText(stars), MEALS[plan.meal_plan]];
  return distance_m === null
    ? [placed, rating, terms.text, meal]
    : [placed, distanceText(distance_m), rating, terms.text, meal];
}

function bestOffer({ roomType, plan, perNight, totals, sellable, terms }: Found): BestOffer {
  const { currency } = plan;
  return {
    room_type_id: roomType.id,
    room_type_name: roomType.name,
    rate_plan_id: plan.id,
    rate_plan_name: plan.name,
    meal_plan: plan.meal_plan,
    bed_type: roomType.bed_type,
    max_occupancy: roomType.max_occupancy,
    price_per_night: { amount: perNight, currency },
    currency,
    total: totals.total,
    due_now: totals.due_now,
    due_at_property: totals.due_at_property,
    sellable: Math.min(sellable, SELLABLE_MAX),
    cancellation: terms.told,
  };
}
