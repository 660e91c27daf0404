/**
 * Whether a stay can be held now, and if not, why: restrictions first, then ceilings, then units
 * (domain §13). The fast path answers yes without allocating; only a refusal computes reasons.
 */
import { dateOf } from "../calendar.ts";
import { partyProblem } from "../price/occupancy.ts";
import type { Party } from "../price/quote.ts";
import {
  type Ceiling,
  ceilingApplies,
  ceilingUsed,
  effectiveCapacity,
  type Restriction,
} from "../state/room-state.ts";
import type { Offer } from "../state/state.ts";

export type BlockingReason =
  | "no_vacancy"
  | "stop_sell"
  | "cta"
  | "ctd"
  | "min_los"
  | "max_los"
  | "min_stay_through"
  | "max_stay_through"
  | "occupancy_exceeded"
  | "ceiling_reached"
  | "property_not_live";

export interface Blocking {
  readonly date: string;
  readonly reason: BlockingReason;
  readonly capacity?: number;
  readonly sold?: number;
  readonly held?: number;
  readonly ceiling?: number;
  readonly used?: number;
  readonly limit?: number;
}

export interface StayQuery {
  readonly checkInDay: number;
  readonly nights: number;
  readonly party: Party;
  readonly agentId: string;
}

/** The restriction of a night: field by field, the rate plan's value overrides the room type's. */
export function restrictionOn(offer: Offer, day: number): Restriction | null {
  const ofRoom = offer.room.restrictions.get(day);
  const ofPlan = offer.planState.restrictions.get(day);
  if (!ofPlan) return ofRoom ?? null;
  return ofRoom ? { ...ofRoom, ...ofPlan } : ofPlan;
}

/** Adds the reasons of a night's restriction; `day` is a day of the stay or its departure. */
function addReasons(found: Blocking[], r: Restriction, day: number, query: StayQuery): void {
  const { checkInDay, nights } = query;
  const add = (reason: BlockingReason, limit?: number) =>
    void found.push({ date: dateOf(day), reason, ...(limit !== undefined && { limit }) });
  if (day === checkInDay) {
    if (r.cta) add("cta");
    if (r.min_los_arrival !== undefined && nights < r.min_los_arrival) {
      add("min_los", r.min_los_arrival);
    }
    if (r.max_los_arrival !== undefined && nights > r.max_los_arrival) {
      add("max_los", r.max_los_arrival);
    }
  }
  if (day === checkInDay + nights) {
    if (r.ctd) add("ctd");
    return;
  }
  if (r.stop_sell) add("stop_sell");
  if (r.min_stay_through !== undefined && nights < r.min_stay_through) {
    add("min_stay_through", r.min_stay_through);
  }
  if (r.max_stay_through !== undefined && nights > r.max_stay_through) {
    add("max_stay_through", r.max_stay_through);
  }
}

/** Every restriction against the stay, by date. */
export function restrictionsAgainst(offer: Offer, query: StayQuery): Blocking[] {
  const found: Blocking[] = [];
  const { checkInDay, nights } = query;
  if (offer.property.state !== "live") {
    found.push({ date: dateOf(checkInDay), reason: "property_not_live" });
  }
  const problem = partyProblem(offer.property.tree, offer.roomType, query.party);
  if (problem) {
    const limit = offer.roomType.max_occupancy;
    found.push({ date: dateOf(checkInDay), reason: "occupancy_exceeded", limit });
  }
  if (offer.room.restrictions.size === 0 && offer.planState.restrictions.size === 0) return found;
  for (let day = checkInDay; day <= checkInDay + nights; day += 1) {
    const restriction = restrictionOn(offer, day);
    if (restriction) addReasons(found, restriction, day, query);
  }
  return found;
}

export interface ReachedCeiling {
  readonly ceiling: Ceiling;
  /** The nights on which it leaves no unit; at least one. */
  readonly blocking: readonly Blocking[];
}

/** Ceilings that leave no unit on a night of the stay. */
export function ceilingsAgainst(offer: Offer, query: StayQuery): ReachedCeiling[] {
  const found: ReachedCeiling[] = [];
  for (const ceiling of offer.room.ceilings) {
    if (!ceilingApplies(ceiling, offer.plan.id, query.agentId)) continue;
    const blocking: Blocking[] = [];
    for (let day = query.checkInDay; day < query.checkInDay + query.nights; day += 1) {
      const limit = ceiling.limit.get(day);
      const used = ceilingUsed(ceiling, offer.room, day);
      if (used < limit) continue;
      blocking.push({ date: dateOf(day), reason: "ceiling_reached", ceiling: limit, used });
    }
    if (blocking.length > 0) found.push({ ceiling, blocking });
  }
  return found;
}

/** Nights without a free unit. */
export function unitsAgainst(offer: Offer, query: StayQuery): Blocking[] {
  const found: Blocking[] = [];
  const units = offer.room.units();
  for (let day = query.checkInDay; day < query.checkInDay + query.nights; day += 1) {
    const capacity = effectiveCapacity(offer.roomType, units, day);
    const sold = units.sold.get(day);
    const held = units.held.get(day);
    if (sold + held >= capacity) {
      found.push({ date: dateOf(day), reason: "no_vacancy", capacity, sold, held });
    }
  }
  return found;
}

/** Units left for the stay: the least over its nights and every ceiling that applies; never < 0. */
export function unitsLeft(
  offer: Pick<Offer, "roomType" | "room" | "plan">,
  query: StayQuery,
): number {
  let left = Number.POSITIVE_INFINITY;
  const end = query.checkInDay + query.nights;
  const units = offer.room.units();
  for (let day = query.checkInDay; day < end && left > 0; day += 1) {
    const taken = units.sold.get(day) + units.held.get(day);
    left = Math.min(left, effectiveCapacity(offer.roomType, units, day) - taken);
    for (const ceiling of offer.room.ceilings) {
      if (!ceilingApplies(ceiling, offer.plan.id, query.agentId)) continue;
      left = Math.min(left, ceiling.limit.get(day) - ceilingUsed(ceiling, offer.room, day));
    }
  }
  return Math.max(0, left);
}

/** `sellable` of a quote: 0 when anything stands against the stay. */
export function sellable(offer: Offer, query: StayQuery): number {
  return restrictionsAgainst(offer, query).length === 0 ? unitsLeft(offer, query) : 0;
}

/** Every reason against the stay, in the order the engine checks them. */
export function blockingReasons(offer: Offer, query: StayQuery): Blocking[] {
  return [
    ...restrictionsAgainst(offer, query),
    ...ceilingsAgainst(offer, query).flatMap(({ blocking }) => blocking),
    ...unitsAgainst(offer, query),
  ];
}
