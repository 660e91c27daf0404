/** Properties on the wire. */
import { convert, type FxTable } from "../../../engine/core/price/money.ts";
import type { PropertyTree, RatePlan, RoomType } from "../../../engine/core/supply.ts";

/** A property in a list (`PropertyOut`). */
export function listItem(tree: PropertyTree) {
  const { id, slug, name, description, star_rating, address, geo, default_currency, timezone } =
    tree;
  return { id, slug, name, description, star_rating, address, geo, default_currency, timezone };
}

interface Display {
  readonly currency: string;
  readonly fx: FxTable | null;
}

function ratePlan(plan: RatePlan, display: Display | null) {
  const { id, code, name, currency, base_rate_per_night, meal_plan, cancellation_kind } = plan;
  const base = { id, code, name, currency, base_rate_per_night, meal_plan, cancellation_kind };
  if (!display) return base;
  const shown = convert(base_rate_per_night, currency, display.currency, display.fx);
  return {
    ...base,
    display: shown && {
      currency: display.currency,
      base_rate_per_night: shown.amount,
      fx_rate: shown.fx_rate,
      fx_as_of: display.fx?.as_of ?? null,
      source: "admin_table",
    },
  };
}

function roomType(room: RoomType, display: Display | null) {
  const { id, code, name, description, max_occupancy, bed_type, floor_size_sqm } = room;
  const { amenities, images, smoking_allowed, default_inventory } = room;
  return {
    ...{ id, code, name, description, max_occupancy, bed_type, floor_size_sqm },
    ...{ amenities, images, smoking_allowed, default_inventory },
    rate_plans: room.rate_plans.map((plan) => ratePlan(plan, display)),
  };
}

/** A property with its details (`PropertyDetailOut`), or all of it (`PropertyFullOut`). */
export function propertyOut(tree: PropertyTree, isFull: boolean, display: Display | null) {
  const detail = {
    ...listItem(tree),
    room_types: tree.room_types.map((room) => roomType(room, display)),
  };
  if (!isFull) return detail;
  const { amenities, images, phone, email, pets_allowed, number_of_rooms } = tree;
  const { checkin_time, checkout_time } = tree;
  return {
    ...detail,
    ...{ amenities, images, phone, email, pets_allowed, number_of_rooms },
    ...{ checkin_time, checkout_time },
    policies: tree.policies.map((policy) => ({
      version: policy.version,
      cancellation_kind: policy.cancellation_kind,
      free_cancellation_hours_before_checkin: policy.free_cancellation_hours_before_checkin,
      cancellation_fee_pct_after_cutoff: policy.cancellation_fee_pct_after_cutoff,
      child_policy_text: policy.child_policy_text,
    })),
  };
}
