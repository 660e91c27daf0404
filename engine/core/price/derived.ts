/** The amounts of a rate plan that follows another one. */
import type { DerivedRate, RatePlan, RoomType } from "../supply.ts";
import { divideHalfUp } from "./money.ts";
import { AMOUNT_MAX } from "./price-bounds.ts";

const FULL_BPS = 10_000;

/**
 * The amount of a night from that of the followed plan, both in minor units: raised or lowered,
 * then rounded once to a multiple of `round_to`. Never below 0 nor above what a night can cost.
 */
export function derivedAmount(followed: number, rule: DerivedRate): number {
  const { bps, amount = 0, round_to } = rule;
  const [value, unit] =
    bps === undefined
      ? [followed + amount, round_to]
      : [followed * (FULL_BPS + bps), FULL_BPS * round_to];
  const multiples = roundedBy(rule, Math.max(0, value), unit);
  return Math.min(multiples * round_to, AMOUNT_MAX);
}

/** How often `unit` is in `value`, both safe integers from 0. */
function roundedBy({ rounding }: DerivedRate, value: number, unit: number): number {
  if (rounding === "half_up") return divideHalfUp(value, unit);
  const rest = value % unit;
  const whole = (value - rest) / unit;
  return rounding === "up" && rest > 0 ? whole + 1 : whole;
}

/** The plan that a plan follows; the plan itself when its prices are its own. */
export function followedPlan({ rate_plans }: Pick<RoomType, "rate_plans">, plan: RatePlan) {
  const id = plan.derived_from?.rate_plan_id;
  return id === undefined ? plan : rate_plans.find((each) => each.id === id)!;
}

/** The ids of the plans of a room type that follow this one. */
export function followersOf({ rate_plans }: Pick<RoomType, "rate_plans">, planId: string) {
  return rate_plans.filter((each) => each.derived_from?.rate_plan_id === planId);
}
