/**
 * Whether a property may go live: every reason at once, errors and warnings. A test
 * property needs only room types, inventory, a rate plan and a policy.
 */

import type { PromotionReason } from "../outcomes.ts";
import { isOver } from "../price/discounts.ts";
import { exponentOf } from "../price/money.ts";
import { policyFor } from "../price/policy.ts";
import { inexactTaxes } from "../price/price-bounds.ts";
import { effectiveCapacity, RealmSheets, RoomState } from "../state/room-state.ts";
import { cellsOf, type PropertyEntry } from "../state/state.ts";

/** `no_open_rates_in_horizon` looks this far ahead: 18 months. */
const OPEN_HORIZON_DAYS = 548;

/** In the rate plan's currency: a lower rate was probably not sent in minor units. */
const LOW_RATE = 5;

/** For a room type that does not exist yet. */
const NO_NIGHTS = new RoomState(new RealmSheets());

/** A property, existing or planned, as promotion checks it. */
export type Promotable = Pick<PropertyEntry, "mode" | "tree" | "rooms" | "retired">;

type Add = (code: string, path: string, message: string) => void;

/** Reasons against promotion, in the order of the tree. `todayDay` is a UTC day number. */
export function promotionReasons(
  property: Promotable,
  todayDay: number,
  paymentsConfigured: boolean,
): PromotionReason[] {
  const reasons: PromotionReason[] = [];
  const { tree } = property;
  const add =
    (severity: PromotionReason["severity"]): Add =>
    (code, path, message) =>
      void reasons.push({ code, path, severity, message });
  if (property.mode === "live") {
    contactReasons(property, add("error"));
    softReasons(property, add("warning"));
    // It is still yesterday somewhere.
    discountReasons(property, todayDay - 1, add("warning"));
    if (!paymentsConfigured) {
      const message = "No payment provider is configured.";
      add("error")("payment_provider_not_configured", "", message);
    }
  }
  for (const i of inexactTaxes(tree)) {
    const message = "With the taxes before it, totals can be too large to be exact.";
    add("error")("price_not_exact", `/tax_rules/${i}`, message);
  }
  roomReasons(property, todayDay, add("error"));
  tree.room_types.forEach(({ id }, i) => {
    if (!property.rooms.get(id)?.incidents) return;
    const message = "Some nights are oversold: work off its oversell incidents.";
    add("warning")("open_oversell_incident", `/room_types/${i}`, message);
  });
  return reasons;
}

function contactReasons({ tree }: Promotable, add: Add): void {
  if (!tree.geo) add("missing_geo", "/geo", "Set latitude and longitude.");
  if (!tree.checkin_time) add("missing_checkin_time", "/checkin_time", "Set the check-in time.");
  if (tree.phone !== null && !/^\+[1-9]\d{6,14}$/.test(tree.phone)) {
    add("invalid_contact_phone", "/phone", "Use E.164, e.g. +34931234567.");
  }
  if (tree.email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(tree.email)) {
    add("invalid_contact_email", "/email", "Use a deliverable address.");
  }
}

function softReasons({ tree }: Promotable, add: Add): void {
  if (tree.images.length === 0) add("no_images", "/images", "Guests decide by pictures.");
  if (tree.amenities.length === 0) add("no_amenities", "/amenities", "List what is offered.");
  if (tree.tax_rules.length === 0) add("no_tax_rules", "/tax_rules", "No tax will be charged.");
  tree.policies.forEach((terms, i) => {
    const { cancellation_kind, free_cancellation_hours_before_checkin: freeHours } = terms;
    if (cancellation_kind !== "non_refundable") return;
    if (freeHours === 0 && terms.cancellation_fee_pct_after_cutoff === 100) return;
    const message = "A non-refundable plan refunds nothing; hours and percent are ignored.";
    add("policy_terms_unused", `/policies/${i}`, message);
  });
  tree.room_types.forEach((room, i) => {
    room.rate_plans.forEach((plan, j) => {
      const unit = 10 ** exponentOf(plan.currency);
      if (plan.base_rate_per_night >= LOW_RATE * unit) return;
      const price = `${plan.base_rate_per_night / unit} ${plan.currency}`;
      const message = `${price} a night; amounts are minor units, so 120 ${plan.currency} is ${120 * unit}.`;
      add("base_rate_low", `/room_types/${i}/rate_plans/${j}/base_rate_per_night`, message);
    });
  });
}

function discountReasons({ tree }: Promotable, fromDay: number, add: Add): void {
  tree.room_types.forEach((room, i) => {
    room.rate_plans.forEach(({ discounts = [] }, j) => {
      discounts.forEach((discount, k) => {
        if (!isOver(discount, fromDay)) return;
        const path = `/room_types/${i}/rate_plans/${j}/discounts/${k}`;
        add("discount_over", path, "Its last day has passed.");
      });
    });
  });
}

function roomReasons(property: Promotable, todayDay: number, add: Add): void {
  const { tree } = property;
  if (tree.room_types.length === 0) add("no_room_types", "/room_types", "Add a room type.");
  let hasOpenNight = false;
  tree.room_types.forEach((roomType, i) => {
    const path = `/room_types/${i}`;
    const room = cellsOf(property, roomType.id) ?? NO_NIGHTS;
    let hasInventory = false;
    for (let day = todayDay; day < todayDay + OPEN_HORIZON_DAYS; day += 1) {
      if (hasInventory && hasOpenNight) break;
      if (effectiveCapacity(roomType, room, day) > 0) hasInventory = true;
      if (room.restrictions.get(day)?.values.stop_sell !== true) hasOpenNight = true;
    }
    if (!hasInventory) {
      add("room_type_without_inventory", path, "Set default_inventory or a capacity by date.");
    }
    if (roomType.rate_plans.length === 0) {
      add("room_type_without_rate_plan", `${path}/rate_plans`, "Add a rate plan.");
    }
    roomType.rate_plans.forEach((plan, j) => {
      const at = `${path}/rate_plans/${j}`;
      if (!policyFor(tree, plan)) {
        const message = `Add a policy with cancellation_kind ${plan.cancellation_kind}.`;
        add("rate_plan_without_policy", at, message);
      }
      if (plan.currency !== tree.default_currency) {
        add("currency_mismatch", `${at}/currency`, `Use ${tree.default_currency}.`);
      }
    });
  });
  if (tree.room_types.length > 0 && !hasOpenNight) {
    add("no_open_rates_in_horizon", "/room_types", "Every night is stop-sell for 18 months.");
  }
}
