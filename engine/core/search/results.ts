/** What is told of a property that was found. */
import type { IndexedProperty } from "../index/realm-index.ts";
import { distanceText, type Place, placeText } from "../ranking.ts";
import type { Address, MealPlan, PropertyTree, RoomType } from "../supply.ts";
import type { Found } from "./best-offer.ts";

/** More units than this are not told of: nobody decides by them. */
export const SELLABLE_MAX = 9;

/** Amounts are minor units of `currency`. */
export interface BestOffer {
  readonly room_type_id: string;
  readonly room_type_name: string;
  readonly rate_plan_id: string;
  readonly rate_plan_name: string;
  readonly meal_plan: MealPlan;
  readonly bed_type: RoomType["bed_type"];
  readonly max_occupancy: number;
  /** Room amount alone. */
  readonly price_per_night: { readonly amount: number; readonly currency: string };
  readonly currency: string;
  /** Of the stay, with taxes and fees, as a quote says it. */
  readonly total: number;
  readonly due_now: number;
  readonly due_at_property: number;
  readonly sellable: number;
  readonly cancellation: {
    readonly refundability: Found["cancellation"]["refundability"];
    readonly free_until: string | null;
  };
}

export interface SearchResult {
  readonly property_id: string;
  readonly slug: string;
  readonly name: string;
  readonly star_rating: number | null;
  readonly geo: PropertyTree["geo"];
  readonly city: Address["city"];
  readonly country: Address["country"];
  readonly image: string | null;
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
  { tree }: IndexedProperty,
  found: Found,
  ranked: { readonly rank_score: number; readonly place: Place | null },
  distance_m: number | null,
): SearchResult {
  const { plan } = found;
  const { rank_score, place } = ranked;
  return {
    property_id: tree.id,
    slug: tree.slug,
    name: tree.name,
    star_rating: tree.star_rating,
    geo: tree.geo,
    city: tree.address.city,
    country: tree.address.country,
    image: tree.images[0] ?? null,
    distance_m,
    rank_score,
    explanation: [
      placeText(place, plan.currency),
      ...(distance_m === null ? [] : [distanceText(distance_m)]),
      starsText(tree.star_rating),
      found.cancellation.text,
      MEALS[plan.meal_plan],
    ],
    best_offer: bestOffer(found),
  };
}

function bestOffer(found: Found): BestOffer {
  const { roomType, plan, amount, totals, sellable, cancellation } = found;
  return {
    room_type_id: roomType.id,
    room_type_name: roomType.name,
    rate_plan_id: plan.id,
    rate_plan_name: plan.name,
    meal_plan: plan.meal_plan,
    bed_type: roomType.bed_type,
    max_occupancy: roomType.max_occupancy,
    price_per_night: { amount, currency: plan.currency },
    currency: plan.currency,
    total: totals.total,
    due_now: totals.due_now,
    due_at_property: totals.due_at_property,
    sellable: Math.min(sellable, SELLABLE_MAX),
    cancellation: {
      refundability: cancellation.refundability,
      free_until: cancellation.free_until,
    },
  };
}
