/** Room types and rate plans of demo hotels. */
import type { Adjustment, RatePlan, RoomType } from "../../engine/core/supply.ts";
import { demoUuid, type Random } from "./random.ts";

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

const ROOM_AMENITIES = ["wifi", "tv", "hair_dryer", "safe"];

/** In price order; every hotel has the double. */
const ROOMS: readonly RoomTemplate[] = [
  {
    code: "single",
    name: "Single Room",
    bed_type: "1 single bed",
    included_occupancy: 1,
    max_occupancy: 1,
    floor_size_sqm: 13,
    pricePct: 78,
    units: 6,
    extras: [],
  },
  {
    code: "double",
    name: "Standard Double Room",
    bed_type: "1 queen bed",
    included_occupancy: 2,
    max_occupancy: 2,
    floor_size_sqm: 18,
    pricePct: 100,
    units: 18,
    extras: [],
  },
  {
    code: "twin",
    name: "Twin Room",
    bed_type: "2 single beds",
    included_occupancy: 2,
    max_occupancy: 3,
    floor_size_sqm: 20,
    pricePct: 104,
    units: 12,
    extras: ["kettle"],
  },
  {
    code: "superior",
    name: "Superior Room",
    bed_type: "1 king bed",
    included_occupancy: 2,
    max_occupancy: 3,
    floor_size_sqm: 25,
    pricePct: 124,
    units: 10,
    extras: ["kettle", "minibar"],
  },
  {
    code: "family",
    name: "Family Room",
    bed_type: "1 queen bed, 1 bunk bed",
    included_occupancy: 3,
    max_occupancy: 5,
    floor_size_sqm: 32,
    pricePct: 158,
    units: 5,
    extras: ["kettle", "cot"],
  },
  {
    code: "suite",
    name: "Junior Suite",
    bed_type: "1 king bed, 1 sofa bed",
    included_occupancy: 2,
    max_occupancy: 4,
    floor_size_sqm: 42,
    pricePct: 215,
    units: 4,
    extras: ["minibar", "bathtub", "coffee_machine"],
  },
];

const FLEX: PlanTemplate = {
  code: "FLEX",
  name: "Flexible rate",
  meal_plan: "room_only",
  cancellation_kind: "free_until_cutoff",
  pricePct: 100,
};
const SAVER: PlanTemplate = {
  code: "SAVER",
  name: "Non-refundable saver",
  meal_plan: "room_only",
  cancellation_kind: "non_refundable",
  pricePct: 87,
};
const BREAKFAST: PlanTemplate = {
  code: "BB",
  name: "Bed and breakfast",
  meal_plan: "breakfast",
  cancellation_kind: "free_until_cutoff",
  pricePct: 113,
};
const SEMI_FLEX: PlanTemplate = {
  code: "SEMI",
  name: "Semi-flexible with breakfast",
  meal_plan: "breakfast",
  cancellation_kind: "fee_from_booking",
  pricePct: 106,
};
const HALF_BOARD: PlanTemplate = {
  code: "HB",
  name: "Half board",
  meal_plan: "half_board",
  cancellation_kind: "fee_from_booking",
  pricePct: 131,
};

/** A hotel sells every room type on the same plans. */
const PLAN_SETS: readonly (readonly PlanTemplate[])[] = [
  [FLEX, SAVER],
  [FLEX, SAVER, BREAKFAST],
  [FLEX, SAVER, SEMI_FLEX],
  [SAVER, BREAKFAST, SEMI_FLEX],
  [FLEX, BREAKFAST, HALF_BOARD],
];

const LONG_STAY: readonly (readonly Adjustment[])[] = [
  [],
  [{ code: "LOS3", label: "3+ nights", min_nights: 3, bps: -500 }],
  [{ code: "LOS7", label: "7+ nights", min_nights: 7, bps: -1000 }],
];

/** Prices move in whole euros, dollars, pounds and francs, or in hundreds of yen. */
const PRICE_STEP_MINOR = 100;

/** `amountMinor` times the percentages, rounded to a price step; at least one step. */
export function scalePrice(amountMinor: number, ...percentages: readonly number[]): number {
  const exact = percentages.reduce((amount, percent) => (amount * percent) / 100, amountMinor);
  return Math.max(PRICE_STEP_MINOR, Math.round(exact / PRICE_STEP_MINOR) * PRICE_STEP_MINOR);
}

export interface HotelTraits {
  /** Root of the room type and rate plan ids: the property's id. */
  readonly propertyId: string;
  readonly slug: string;
  readonly currency: string;
  /** The standard double's average night. */
  readonly baseAmountMinor: number;
}

/** Three to five room types in price order, the standard double always among them. */
export function buildRoomTypes(hotel: HotelTraits, random: Random): RoomType[] {
  const others = random.sample(
    ROOMS.filter((room) => room.code !== "double"),
    random.int(2, 4),
  );
  const plans = random.pick(PLAN_SETS);
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
    amenities: [...ROOM_AMENITIES, ...room.extras],
    images: imageUrls(hotel.slug, room.code, 2),
    smoking_allowed: false,
    default_inventory: Math.max(2, Math.round((room.units * sizePct) / 100)),
    overbooking_limit: 0,
    rate_plans: plans.map((plan) => buildPlan(hotel, room, plan, random.pick(LONG_STAY))),
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
