/** Room types and rate plans of demo hotels. */
import type { Adjustment, RatePlan, RoomType } from "../../../engine/core/supply.ts";
import { demoUuid, type Random } from "./random.ts";
import tables from "./tables/rooms.json" with { type: "json" };

interface RoomTemplate
  extends Pick<
    RoomType,
    "code" | "name" | "bed_type" | "included_occupancy" | "max_occupancy" | "floor_size_sqm"
  > {
  /** Percent of the standard double's price. */
  readonly pricePct: number;
  /** Units in a hotel of average size. */
  readonly units: number;
  readonly extras: readonly string[];
}

interface PlanTemplate extends Pick<RatePlan, "code" | "name" | "meal_plan" | "cancellation_kind"> {
  /** Percent of the room's flexible price. */
  readonly pricePct: number;
}

/** In price order; every hotel has the double. */
const ROOMS: readonly RoomTemplate[] = tables.rooms;

/** All room types of a hotel are sold on the same ones. */
const PLANS = tables.plans as readonly PlanTemplate[];

const LONG_STAY: readonly (readonly Adjustment[])[] = tables.longStay;

/** Whole euros, dollars, pounds and francs; hundreds of yen. */
const PRICE_STEP_MINOR = 100;

/** `amountMinor` times the percentages, rounded to a price step; at least one step. */
export function scalePrice(amountMinor: number, ...percentages: readonly number[]): number {
  const exact = percentages.reduce((amount, percent) => (amount * percent) / 100, amountMinor);
  return Math.max(PRICE_STEP_MINOR, Math.round(exact / PRICE_STEP_MINOR) * PRICE_STEP_MINOR);
}

export interface HotelTraits {
  /** Namespace of room type and rate plan ids. */
  readonly propertyId: string;
  readonly slug: string;
  readonly currency: string;
  /** The standard double's average night. */
  readonly baseAmountMinor: number;
}

/** Three to five room types in price order, including the standard double. */
export function buildRoomTypes(hotel: HotelTraits, random: Random): RoomType[] {
  const others = random.sample(
    ROOMS.filter((room) => room.code !== "double"),
    random.int(2, 4),
  );
  const plans = random.pick(tables.planSets);
  const sizePct = random.int(50, 180);
  return ROOMS.filter((room) => room.code === "double" || others.includes(room)).map((room) => ({
    id: demoUuid(hotel.propertyId, room.code),
    code: room.code,
    name: room.name,
    description: `${room.name} of ${room.floor_size_sqm} m² with ${room.bed_type}.`,
    max_occupancy: room.max_occupancy,
    included_occupancy: room.included_occupancy,
    bed_type: room.bed_type,
    floor_size_sqm: room.floor_size_sqm,
    amenities: [...tables.amenities, ...room.extras],
    images: imageUrls(hotel.slug, room.code, 2),
    smoking_allowed: false,
    default_inventory: Math.max(2, Math.round((room.units * sizePct) / 100)),
    overbooking_limit: 0,
    rate_plans: PLANS.filter(({ code }) => plans.includes(code)).map((plan) =>
      buildPlan(hotel, room, plan, random.pick(LONG_STAY)),
    ),
  }));
}

function buildPlan(
  hotel: HotelTraits,
  room: RoomTemplate,
  plan: PlanTemplate,
  adjustments: readonly Adjustment[],
): RatePlan {
  const base = scalePrice(hotel.baseAmountMinor, room.pricePct, plan.pricePct);
  return {
    id: demoUuid(hotel.propertyId, room.code, plan.code),
    code: plan.code,
    name: plan.name,
    currency: hotel.currency,
    base_rate_per_night: base,
    meal_plan: plan.meal_plan,
    cancellation_kind: plan.cancellation_kind,
    extra_adult_per_night: scalePrice(base, plan.meal_plan === "room_only" ? 22 : 30),
    adjustments,
  };
}

/** `count` absolute image addresses, stable for a slug. */
export function imageUrls(slug: string, subject: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `https://images.innkeep.example/${slug}/${subject}-${index + 1}.jpg`,
  );
}
