/**
 * Columns for finding the cheapest offer: one per fact, indexed by the ordinal of a room type or
 * rate plan.
 */
import type { PlanState, RoomState } from "../../state/room-state.ts";
import type { CancellationKind, DerivedRate, MealPlan, RatePlan, RoomType } from "../../supply.ts";

/** The order defines their numbers here. */
export const MEALS: readonly MealPlan[] = [
  ...(["room_only", "breakfast", "half_board", "full_board", "all_inclusive"] as const),
];
/** The order defines their numbers here. */
export const KINDS: readonly CancellationKind[] = [
  ...(["free_until_cutoff", "fee_from_booking", "non_refundable"] as const),
];

const KIND_SHIFT = 3;
const HAS_TERMS = 1 << 5;
const HAS_CHANGES = 1 << 6;
const IS_DERIVED = 1 << 7;

/** Required traits of a rate plan: the bits in `mask` must equal those in `value`. */
export interface PlanTraits {
  readonly mask: number;
  readonly value: number;
}

/**
 * Traits of rate plans that can be quoted, with a meal plan and a kind of terms where required;
 * null for unknown names.
 */
export function planTraitsFor(
  meal: string | undefined,
  kind: string | undefined,
): PlanTraits | null {
  let [mask, value] = [HAS_TERMS, HAS_TERMS];
  if (meal !== undefined) {
    const at = (MEALS as readonly string[]).indexOf(meal);
    if (at < 0) return null;
    mask |= (1 << KIND_SHIFT) - 1;
    value |= at;
  }
  if (kind !== undefined) {
    const at = (KINDS as readonly string[]).indexOf(kind);
    if (at < 0) return null;
    mask |= 3 << KIND_SHIFT;
    value |= at << KIND_SHIFT;
  }
  return { mask, value };
}

/** Room types by ordinal. */
export class RoomColumns {
  readonly roomType: RoomType[] = [];
  maxOccupancy = new Float64Array(0);
  included = new Float64Array(0);
  firstPlan = new Int32Array(0);
  plans = new Int32Array(0);
  /** The number of its nights in the sheets. */
  nights = new Int32Array(0);
  /** Defaults for nights without a value. */
  inventory = new Float64Array(0);
  overbookingLimit = new Float64Array(0);

  put(ordinal: number, roomType: RoomType, room: RoomState, firstPlan: number): void {
    if (ordinal >= this.firstPlan.length) this.#grow(ordinal + 1);
    this.roomType[ordinal] = roomType;
    this.maxOccupancy[ordinal] = roomType.max_occupancy;
    this.included[ordinal] = roomType.included_occupancy;
    this.firstPlan[ordinal] = firstPlan;
    this.plans[ordinal] = roomType.rate_plans.length;
    this.nights[ordinal] = room.number;
    this.inventory[ordinal] = roomType.default_inventory;
    this.overbookingLimit[ordinal] = roomType.overbooking_limit;
  }

  #grow(length: number): void {
    const room = roomFor(length);
    this.maxOccupancy = copied(this.maxOccupancy, new Float64Array(room));
    this.included = copied(this.included, new Float64Array(room));
    this.firstPlan = copied(this.firstPlan, new Int32Array(room));
    this.plans = copied(this.plans, new Int32Array(room));
    this.nights = copied(this.nights, new Int32Array(room));
    this.inventory = copied(this.inventory, new Float64Array(room));
    this.overbookingLimit = copied(this.overbookingLimit, new Float64Array(room));
  }
}

/** What a rate plan's columns have from elsewhere. */
interface PlanFacts extends Pick<RatePlan, "adjustments"> {
  readonly hasTerms: boolean;
  /** The plan whose amounts it follows, or itself. */
  readonly followed: { readonly plan: RatePlan; readonly state: PlanState };
}

/** Rate plans by ordinal. */
export class PlanColumns {
  readonly plan: RatePlan[] = [];
  traits = new Uint8Array(0);
  /** The number of its nights in the sheets, and that of the plan whose amounts it follows. */
  nights = new Int32Array(0);
  followed = new Int32Array(0);
  /** Defaults for nights without a value; the amount is that of the followed plan. */
  amount = new Float64Array(0);
  extraAdult = new Float64Array(0);
  readonly adjustments: RatePlan["adjustments"][] = [];
  readonly #rules: (DerivedRate | undefined)[] = [];

  put(ordinal: number, plan: RatePlan, { number }: PlanState, more: PlanFacts): void {
    const { adjustments, hasTerms, followed } = more;
    if (ordinal >= this.traits.length) this.#grow(ordinal + 1);
    this.plan[ordinal] = plan;
    this.traits[ordinal] =
      MEALS.indexOf(plan.meal_plan) |
      (KINDS.indexOf(plan.cancellation_kind) << KIND_SHIFT) |
      (hasTerms ? HAS_TERMS : 0) |
      (plan.adjustments.length > 0 || plan.discounts ? HAS_CHANGES : 0) |
      (plan.derived_from ? IS_DERIVED : 0);
    this.nights[ordinal] = number;
    this.followed[ordinal] = followed.state.number;
    this.amount[ordinal] = followed.plan.base_rate_per_night;
    this.#rules[ordinal] = plan.derived_from;
    this.extraAdult[ordinal] = plan.extra_adult_per_night;
    this.adjustments[ordinal] = adjustments;
  }

  /** The index of its terms in `KINDS`. */
  kindOf(ordinal: number): number {
    return (this.traits[ordinal]! >> KIND_SHIFT) & 3;
  }

  /** Whether it can be quoted: its property has a policy of its kind. */
  hasTerms(ordinal: number): boolean {
    return (this.traits[ordinal]! & HAS_TERMS) !== 0;
  }

  /** Whether it has adjustments or discounts. */
  hasChanges(ordinal: number): boolean {
    return (this.traits[ordinal]! & HAS_CHANGES) !== 0;
  }

  /** How its amounts follow; undefined when they are its own. */
  ruleOf(ordinal: number): DerivedRate | undefined {
    return (this.traits[ordinal]! & IS_DERIVED) === 0 ? undefined : this.#rules[ordinal];
  }

  #grow(length: number): void {
    const room = roomFor(length);
    this.traits = copied(this.traits, new Uint8Array(room));
    this.nights = copied(this.nights, new Int32Array(room));
    this.followed = copied(this.followed, new Int32Array(room));
    this.amount = copied(this.amount, new Float64Array(room));
    this.extraAdult = copied(this.extraAdult, new Float64Array(room));
  }
}

function roomFor(length: number): number {
  return Math.max(64, 2 ** Math.ceil(Math.log2(length)));
}

function copied<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
