/** What the cheapest offer is found by, one column per fact, one place per room type or plan. */
import type { Nights, Sheet, StayLines } from "../nights.ts";
import type { PlanState, RoomState } from "../state.ts";
import type { CancellationKind, MealPlan, RatePlan, RoomType } from "../supply.ts";

const MEALS: readonly MealPlan[] = [
  ...(["room_only", "breakfast", "half_board", "full_board", "all_inclusive"] as const),
];
/** In the order of their numbers here. */
export const KINDS: readonly CancellationKind[] = [
  ...(["free_until_cutoff", "fee_from_booking", "non_refundable"] as const),
];

const KIND_SHIFT = 3;
const HAS_TERMS = 1 << 5;
const HAS_ADJUSTMENTS = 1 << 6;

/** Traits that a plan must have: those in `mask` as in `value`. */
export interface Wish {
  readonly mask: number;
  readonly value: number;
}

/**
 * Plans that can be quoted, with a meal plan and terms of a kind where that is asked for; null when
 * there is nothing of that name.
 */
export function wishFor(meal: string | undefined, kind: string | undefined): Wish | null {
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

/** A number of each night: where the nights lie, and what holds where none is set. */
export class NightsColumn {
  base = new Float64Array(0);
  lane = new Int32Array(0);
  readonly sheet: Sheet[] = [];

  put(ordinal: number, base: number, { sheet, lane }: Pick<Nights, "sheet" | "lane">): void {
    this.base[ordinal] = base;
    this.lane[ordinal] = lane;
    this.sheet[ordinal] = sheet;
  }

  /** The nights of a stay. */
  read(ordinal: number, lines: StayLines, into: Float64Array): void {
    lines.read(this.sheet[ordinal]!, this.lane[ordinal]!, this.base[ordinal]!, into);
  }

  grow(room: number): void {
    this.base = copied(this.base, new Float64Array(room));
    this.lane = copied(this.lane, new Int32Array(room));
  }
}

/** Room types by ordinal. */
export class RoomColumns {
  maxOccupancy = new Float64Array(0);
  included = new Float64Array(0);
  firstPlan = new Int32Array(0);
  plans = new Int32Array(0);
  readonly capacity = new NightsColumn();
  readonly overbooking = new NightsColumn();
  readonly outOfOrder = new NightsColumn();
  readonly sold = new NightsColumn();
  readonly held = new NightsColumn();

  put(ordinal: number, roomType: RoomType, room: RoomState, firstPlan: number): void {
    if (ordinal >= this.firstPlan.length) this.#grow(ordinal + 1);
    this.maxOccupancy[ordinal] = roomType.max_occupancy;
    this.included[ordinal] = roomType.included_occupancy;
    this.firstPlan[ordinal] = firstPlan;
    this.plans[ordinal] = roomType.rate_plans.length;
    this.capacity.put(ordinal, roomType.default_inventory, room.capacity);
    this.overbooking.put(ordinal, roomType.overbooking_limit, room.overbooking);
    this.outOfOrder.put(ordinal, 0, room.outOfOrder);
    this.sold.put(ordinal, 0, room.sold);
    this.held.put(ordinal, 0, room.held);
  }

  #grow(length: number): void {
    const room = roomFor(length);
    this.maxOccupancy = copied(this.maxOccupancy, new Float64Array(room));
    this.included = copied(this.included, new Float64Array(room));
    this.firstPlan = copied(this.firstPlan, new Int32Array(room));
    this.plans = copied(this.plans, new Int32Array(room));
    const { capacity, overbooking, outOfOrder, sold, held } = this;
    for (const column of [capacity, overbooking, outOfOrder, sold, held]) column.grow(room);
  }
}

/** Rate plans by ordinal. */
export class PlanColumns {
  traits = new Uint8Array(0);
  readonly amount = new NightsColumn();
  readonly extraAdult = new NightsColumn();
  readonly adjustments: RatePlan["adjustments"][] = [];

  put(
    ordinal: number,
    plan: RatePlan,
    { amount, extraAdult }: PlanState,
    { adjustments, hasTerms }: Pick<RatePlan, "adjustments"> & { readonly hasTerms: boolean },
  ): void {
    if (ordinal >= this.traits.length) this.#grow(ordinal + 1);
    this.traits[ordinal] =
      MEALS.indexOf(plan.meal_plan) |
      (KINDS.indexOf(plan.cancellation_kind) << KIND_SHIFT) |
      (hasTerms ? HAS_TERMS : 0) |
      (plan.adjustments.length > 0 ? HAS_ADJUSTMENTS : 0);
    this.amount.put(ordinal, plan.base_rate_per_night, amount);
    this.extraAdult.put(ordinal, plan.extra_adult_per_night, extraAdult);
    this.adjustments[ordinal] = adjustments;
  }

  /** Which of `KINDS` its terms are. */
  kindOf(ordinal: number): number {
    return (this.traits[ordinal]! >> KIND_SHIFT) & 3;
  }

  hasAdjustments(ordinal: number): boolean {
    return (this.traits[ordinal]! & HAS_ADJUSTMENTS) !== 0;
  }

  #grow(length: number): void {
    const room = roomFor(length);
    this.traits = copied(this.traits, new Uint8Array(room));
    this.amount.grow(room);
    this.extraAdult.grow(room);
  }
}

function roomFor(length: number): number {
  return Math.max(64, 2 ** Math.ceil(Math.log2(length)));
}

function copied<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
