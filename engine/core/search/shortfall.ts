/**
 * Why a property has no offer for a search without results: the nearest of its offers. Offers are
 * checked in the order of `REASONS`, so that reasons about dates come before reasons about
 * constraints; a property counts once.
 */
import { type Blocking, blockingReasons, nightsRequired } from "../availability/availability.ts";
import { todayIn } from "../calendar.ts";
import type { FxTable } from "../price/money.ts";
import { RULE_REASONS } from "../rules.ts";
import { CONSTRAINTS, type Constraint, ConstraintCheck, failingFirst } from "./constraint-check.ts";
import type { IndexedProperty, RealmIndex } from "./index/realm-index.ts";
import { StayBits } from "./index/stay-bits.ts";
import type { Asked, SearchQuery } from "./query.ts";
import { SearchMemo } from "./search-memo.ts";
import { StayAmounts } from "./stay-amounts.ts";

const RESTRICTIONS = [...RULE_REASONS, "ceiling_reached"] as const;

/** In the order of the checks. */
export const REASONS = [
  ...(["not_on_sale", "dates_past", "beyond_horizon", "no_rate"] as const),
  ...(["party_too_large", "sold_out", ...RESTRICTIONS, ...CONSTRAINTS] as const),
] as const;
export type NoResultReason = (typeof REASONS)[number];

/** The part of a search that a reason is about. */
export const REASON_KINDS = [
  ...(["place", "dates", "rate", "party", "units", "restriction", "constraint"] as const),
] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

/** The part of a search that a reason is about. */
export function kindOf(reason: NoResultReason): ReasonKind {
  if (reason === "not_on_sale") return "place";
  if (reason === "dates_past" || reason === "beyond_horizon") return "dates";
  if (reason === "no_rate") return "rate";
  if (reason === "party_too_large") return "party";
  if (reason === "sold_out") return "units";
  return (RESTRICTIONS as readonly string[]).includes(reason) ? "restriction" : "constraint";
}

/** Checks the properties of one search, and collects values for changed searches. */
export class Shortfall {
  readonly constraints: ConstraintCheck;
  /** Room types for the party that meet the requirements, with the property of each; by ordinal. */
  readonly suitable: { readonly room: number; readonly property: number }[] = [];
  /** Properties with a free room that is too small, by the number of guests it takes. */
  readonly smaller = new Map<number, number[]>();
  /** Minimum stays that restrictions require. */
  readonly minNights = new Set<number>();
  readonly #index: RealmIndex;
  readonly #asked: Asked;
  readonly #bits: StayBits;
  readonly #amounts: StayAmounts;
  readonly #workedOut: SearchMemo;

  constructor(index: RealmIndex, query: SearchQuery, asked: Asked, fx: FxTable | null) {
    this.#index = index;
    this.#asked = asked;
    this.#bits = new StayBits(index, asked.stay);
    this.#workedOut = new SearchMemo(asked);
    this.#amounts = new StayAmounts(index, asked, this.#workedOut);
    this.constraints = new ConstraintCheck(query, asked, fx);
  }

  /** The reason of a property without an offer. */
  of(ordinal: number): NoResultReason {
    const property = this.#index.properties[ordinal]!;
    const { firstRoom, rooms, tree, timezone } = property;
    this.#amounts.setProperty(property);
    this.constraints.turnTo(property, this.#workedOut);
    const isOpen = this.#workedOut.isOpen(timezone);
    let reason: NoResultReason = "no_rate";
    let least = Infinity;
    for (let room = firstRoom; room < firstRoom + rooms; room += 1) {
      if (!this.#hasRate(room)) continue;
      if (!this.#fits(ordinal, room)) {
        if (reason === "no_rate") reason = "party_too_large";
        continue;
      }
      if (reason === "no_rate" || reason === "party_too_large") reason = "sold_out";
      const found = isOpen && this.#bits.isFree(room) ? this.#ofRoom(property, room) : null;
      if (found === null || found.rank >= least) continue;
      ({ reason, rank: least } = found);
    }
    if (isOpen) return reason;
    const today = todayIn(tree.timezone, this.#asked.nowMs);
    return this.#asked.stay.checkInDay < today ? "dates_past" : "beyond_horizon";
  }

  #hasRate(room: number): boolean {
    const { firstPlan, plans } = this.#index.roomColumns;
    const { planColumns } = this.#index;
    for (let plan = firstPlan[room]!; plan < firstPlan[room]! + plans[room]!; plan += 1) {
      if (planColumns.hasTerms(plan)) return true;
    }
    return false;
  }

  /** Whether the party fits; remembers suitable room types and smaller free ones. */
  #fits(property: number, room: number): boolean {
    const { maxOccupancy, roomType } = this.#index.roomColumns;
    if (this.#amounts.fits(room)) {
      if (this.constraints.suits(roomType[room]!)) this.suitable.push({ room, property });
      return true;
    }
    if (this.#bits.isFree(room)) {
      const guests = maxOccupancy[room]!;
      const known = this.smaller.get(guests);
      if (known) known.push(property);
      else this.smaller.set(guests, [property]);
    }
    return false;
  }

  /** The reason of the rate plan that is nearest to an offer, with its rank; null when sold out. */
  #ofRoom(property: IndexedProperty, room: number) {
    const { firstPlan, plans } = this.#index.roomColumns;
    let nearest: { reason: NoResultReason; rank: number } | null = null;
    for (let plan = firstPlan[room]!; plan < firstPlan[room]! + plans[room]!; plan += 1) {
      if (!this.#index.planColumns.hasTerms(plan)) continue;
      const against = this.#bits.isMarked(room) ? this.#against(property, room, plan) : [];
      // For nights outside the index the state knows whether a unit is left.
      if (against.some(({ reason }) => reason === "no_vacancy")) return null;
      const found = against.length > 0 ? this.#restricted(against) : this.#unmetConstraint(plan);
      if (!nearest || found.rank < nearest.rank) nearest = found;
    }
    return nearest;
  }

  #against({ property, timezone }: IndexedProperty, ordinal: number, at: number): Blocking[] {
    const { roomType, room } = this.#index.rooms[ordinal]!;
    const plan = this.#index.planColumns.plan[at]!;
    const planState = room.plans.get(plan.id)!;
    const stay = this.#workedOut.stayIn(timezone);
    return blockingReasons({ property, roomType, plan, room, planState }, stay);
  }

  #restricted(against: readonly Blocking[]) {
    const reasons = against.map(({ reason }) => REASONS.indexOf(reason as NoResultReason));
    for (const each of against) {
      const nights = nightsRequired(each, this.#asked.stay.nights);
      if (nights > 0) this.minNights.add(nights);
    }
    const reason = REASONS[Math.min(...reasons)]!;
    return { reason, rank: RESTRICTED + against.length * REASONS.length + Math.min(...reasons) };
  }

  /** An offer that can be held but fails constraints. */
  #unmetConstraint(plan: number): { reason: NoResultReason; rank: number } {
    const { planColumns } = this.#index;
    const roomAmount = () => this.#amounts.of(plan);
    const kind = planColumns.kindOf(plan);
    const fails = this.constraints.failing(planColumns.plan[plan]!, kind, roomAmount);
    const first: Constraint | null = failingFirst(fails);
    // Meets everything but was not found: its price is too large to be exact.
    if (first === null) return { reason: "no_rate", rank: RESTRICTED - 1 };
    const count = CONSTRAINTS.filter((_, i) => ((fails >> i) & 1) === 1).length;
    return { reason: first, rank: count * CONSTRAINTS.length + CONSTRAINTS.indexOf(first) };
  }
}

/** Rank of offers with restrictions against them, after those that could be held. */
const RESTRICTED = 1_000;
