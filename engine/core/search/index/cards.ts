/**
 * The parts of a property and an offer that do not depend on the query, for search and lists of
 * offers.
 */
import type { MealPlan, PropertyTree, RatePlan, RoomType } from "../../supply.ts";

export interface PropertyCard {
  readonly property_id: string;
  readonly slug: string;
  readonly name: string;
  readonly star_rating: number | null;
  readonly geo: PropertyTree["geo"];
  readonly city: string;
  readonly country: string;
  readonly image: string | null;
}

export interface OfferCard {
  readonly room_type_id: string;
  readonly room_type_name: string;
  readonly rate_plan_id: string;
  readonly rate_plan_name: string;
  readonly meal_plan: MealPlan;
  readonly bed_type: string | null;
  readonly max_occupancy: number;
  readonly currency: string;
}

/** The card of a property. */
export function propertyCard(tree: PropertyTree): PropertyCard {
  return {
    property_id: tree.id,
    slug: tree.slug,
    name: tree.name,
    star_rating: tree.star_rating,
    geo: tree.geo,
    city: tree.address.city,
    country: tree.address.country,
    image: tree.images[0] ?? null,
  };
}

/** The card of a room type with a rate plan. */
export function offerCard(roomType: RoomType, plan: RatePlan): OfferCard {
  return {
    room_type_id: roomType.id,
    room_type_name: roomType.name,
    rate_plan_id: plan.id,
    rate_plan_name: plan.name,
    meal_plan: plan.meal_plan,
    bed_type: roomType.bed_type,
    max_occupancy: roomType.max_occupancy,
    currency: plan.currency,
  };
}
