/** Completes an operator's body to the journaled tree: fills in ids and defaults. */
import { derivedAmount } from "../../../engine/core/price/derived.ts";
import { IdOrCodeLookup } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import type { PropertyTree, RatePlan, RoomType } from "../../../engine/core/supply.ts";
import type { PropertyRequest } from "./requests.ts";

type RoomTypeRequest = NonNullable<PropertyRequest["room_types"]>[number];
type RatePlanRequest = NonNullable<RoomTypeRequest["rate_plans"]>[number];

/** Default number of guests covered by a room's price. */
const INCLUDED_OCCUPANCY = 2;
const NO_SHOW_FEE_PCT = 100;

/** Completes a checked body. `newUuid` is called for missing ids, in document order. */
export function completeTree(body: PropertyRequest, newUuid: () => string): PropertyTree {
  return {
    id: body.id ?? newUuid(),
    slug: body.slug,
    ...(typeof body.external_code === "string" && { external_code: body.external_code }),
    name: body.name,
    description: body.description ?? null,
    star_rating: body.star_rating ?? null,
    address: body.address,
    geo: body.geo ?? null,
    ...(body.landmarks && { landmarks: body.landmarks }),
    default_currency: body.default_currency,
    timezone: body.timezone,
    amenities: body.amenities ?? [],
    images: body.images ?? [],
    phone: body.phone ?? null,
    email: body.email ?? null,
    pets_allowed: body.pets_allowed ?? false,
    number_of_rooms: body.number_of_rooms ?? null,
    checkin_time: body.checkin_time ?? null,
    checkout_time: body.checkout_time ?? null,
    policies: (body.policies ?? []).map((policy) => ({
      ...policy,
      child_policy_text: policy.child_policy_text ?? null,
      no_show_fee_pct: policy.no_show_fee_pct ?? NO_SHOW_FEE_PCT,
    })),
    tax_rules: body.tax_rules ?? [],
    child_bands: body.child_bands ?? [],
    room_types: (body.room_types ?? []).map((room) => completeRoomType(room, newUuid)),
  };
}

function completeRoomType(room: RoomTypeRequest, newUuid: () => string): RoomType {
  return following({
    id: room.id ?? newUuid(),
    code: room.code,
    name: room.name,
    description: room.description ?? null,
    max_occupancy: room.max_occupancy,
    included_occupancy: room.included_occupancy ?? Math.min(INCLUDED_OCCUPANCY, room.max_occupancy),
    bed_type: room.bed_type ?? null,
    floor_size_sqm: room.floor_size_sqm ?? null,
    amenities: room.amenities ?? [],
    images: room.images ?? [],
    smoking_allowed: room.smoking_allowed ?? false,
    default_inventory: room.default_inventory,
    overbooking_limit: room.overbooking_limit ?? 0,
    rate_plans: (room.rate_plans ?? []).map((plan) => completeRatePlan(plan, newUuid)),
  });
}

/** Derived plans with the id of the plan that they follow, and the rate that follows from its. */
function following(room: RoomType): RoomType {
  if (!room.rate_plans.some((plan) => plan.derived_from)) return room;
  const names = new IdOrCodeLookup({ room_types: [room] });
  const rate_plans = room.rate_plans.map((plan) => {
    const rule = plan.derived_from;
    const found = rule && names.plan(rule.rate_plan_id, room.id);
    if (!found || "candidates" in found) return plan;
    const derived_from = { ...rule, rate_plan_id: found.plan.id };
    const base_rate_per_night = derivedAmount(found.plan.base_rate_per_night, derived_from);
    return { ...plan, base_rate_per_night, derived_from };
  });
  return { ...room, rate_plans };
}

function completeRatePlan(plan: RatePlanRequest, newUuid: () => string): RatePlan {
  return {
    id: plan.id ?? newUuid(),
    code: plan.code,
    name: plan.name,
    currency: plan.currency,
    base_rate_per_night: plan.base_rate_per_night,
    ...(plan.derived_from && {
      derived_from: { round_to: 1, rounding: "half_up", ...plan.derived_from },
    }),
    meal_plan: plan.meal_plan,
    cancellation_kind: plan.cancellation_kind,
    extra_adult_per_night: plan.extra_adult_per_night ?? 0,
    adjustments: plan.adjustments ?? [],
    ...(plan.discounts && plan.discounts.length > 0 && { discounts: plan.discounts }),
  };
}
