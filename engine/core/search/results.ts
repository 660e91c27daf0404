/** What is told of a property that was found. */
import type { OfferCard, PropertyCard } from "../index/cards.ts";
import type { CancellationNow } from "../policy.ts";
import { distanceText, type Place, placeText } from "../ranking.ts";
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

/** A result with what speaks for and against it, in words for people. */
export function resultOf(
  card: PropertyCard,
  found: Found,
  ranked: { readonly rank_score: number; readonly place: Place | null },
  distance_m: number | null,
): SearchResult {
  const { rank_score, place } = ranked;
  const { currency, meal_plan } = found.offer;
  return {
    property_id: card.property_id,
    slug: card.slug,
    name: card.name,
    star_rating: card.star_rating,
    geo: card.geo,
    city: card.city,
    country: card.country,
    image: card.image,
    distance_m,
    rank_score,
    explanation: [
      placeText(place, currency),
      ...(distance_m === null ? [] : [distanceText(distance_m)]),
      starsText(card.star_rating),
      found.cancellation.text,
      MEALS[meal_plan],
    ],
    best_offer: bestOffer(found),
  };
}

function bestOffer({ offer, amount, totals, sellable, cancellation }: Found): BestOffer {
  const { refundability, free_until } = cancellation;
  return {
    room_type_id: offer.room_type_id,
    room_type_name: offer.room_type_name,
    rate_plan_id: offer.rate_plan_id,
    rate_plan_name: offer.rate_plan_name,
    meal_plan: offer.meal_plan,
    bed_type: offer.bed_type,
    max_occupancy: offer.max_occupancy,
    price_per_night: { amount, currency: offer.currency },
    currency: offer.currency,
    total: totals.total,
    due_now: totals.due_now,
    due_at_property: totals.due_at_property,
    sellable: Math.min(sellable, SELLABLE_MAX),
    cancellation: { refundability, free_until },
  };
}
