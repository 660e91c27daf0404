/** Search results as shown. */

import type { MealPlan } from "../supply.ts";
import type { BestOffer, Found } from "./found.ts";
import type { PropertyCard } from "./index/cards.ts";
import { distanceText, PlaceWords, type Ranking } from "./ranking.ts";

export interface SearchResult extends PropertyCard {
  /** From the requested point; null without one. */
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

/** The found properties with reasons for and against each in words, best first. */
export function resultsOf(
  found: readonly Found[],
  ranking: Ranking,
  from = "the point",
): SearchResult[] {
  const { order, scores, positions } = ranking;
  const words = new PlaceWords(ranking.of);
  const results: SearchResult[] = [];
  for (let i = 0; i < order.length; i += 1) {
    const at = order[i]!;
    const each = found[at]!;
    const placed = words.at(positions[at]!, each.currency);
    results.push(resultOf(each, scores[at]!, explanationOf(each, placed, from)));
  }
  return results;
}

function resultOf(found: Found, rank_score: number, explanation: readonly string[]): SearchResult {
  const { card } = found;
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
    best_offer: found.offer,
  };
}

function explanationOf(
  { distance_m, stars, terms, offer }: Found,
  placed: string,
  from: string,
): string[] {
  const rating = starsText(stars);
  const meal = MEALS[offer.meal_plan];
  return distance_m === null
    ? [placed, rating, terms.text, meal]
    : [placed, distanceText(distance_m, from), rating, terms.text, meal];
}
