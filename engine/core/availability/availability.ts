/**
 * Whether a stay can be held now, and if not, why: restrictions first, then ceilings, then units.
 * The fast path answers yes without allocating; only a refusal computes reasons.
 */
import { dateOf } from "../calendar.ts";
import { partyProblem } from "../price/occupancy.ts";
import type { Party } from "../price/quote.ts";
import {
  type Edge,
  isOutside,
  nextInPattern,
  type RestrictedNight,
  type Restriction,
  RULES_AT,
  type RuleReason,
  refuses,
  ruleOf,
  type StayLength,
} from "../rules.ts";
import {
  type Ceiling,
  ceilingApplies,
  ceilingLeft,
  ceilingUsed,
  effectiveCapacity,
  isReleased,
} from "../state/room-state.ts";
import type { Offer } from "../state/state.ts";

export type BlockingReason =
  | RuleReason
  | "no_vacancy"
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
  /** The ceiling's unsold units were released: it counts as reached. */
  readonly released?: true;
  readonly limit?: number;
  /** The lengths that a pattern allows, of `stay_pattern`. */
  readonly pattern?: string;
}

export interface StayQuery {
  readonly checkInDay: number;
  readonly nights: number;
  readonly party: Party;
  readonly agentId: string;
  /** Today at the property. */
  readonly todayDay: number;
}

/** The restriction of a night: rule by rule, the rate plan's value overrides the room type's. */
export function restrictionOn(offer: Offer, day: number): Restriction | null {
  const ofRoom = offer.room.restrictions.get(day);
  const ofPlan = offer.planState.restrictions.get(day);
  if (!ofPlan) return ofRoom?.values ?? null;
  return ofRoom ? { ...ofRoom.values, ...ofPlan.values } : ofPlan.values;
}

/** Every restriction against the stay, by date. */
export function restrictionsAgainst(offer: Offer, query: StayQuery): Blocking[] {
  const found: Blocking[] = [];
  const { checkInDay } = query;
  if (offer.property.state !== "live") {
    found.push({ date: dateOf(checkInDay), reason: "property_not_live" });
  }
  const problem = partyProblem(offer.property.tree, offer.roomType, query.party);
  if (problem) {
    const limit = offer.roomType.max_occupancy;
    found.push({ date: dateOf(checkInDay), reason: "occupancy_exceeded", limit });
  }
  addRefusals(found, offer, query);
  return found;
}

/**
 * Adds what the rules refuse, day by day. Each combined value is one of the plan or the room type:
 * a day on which neither refuses needs no combination.
 */
function addRefusals(found: Blocking[], offer: Offer, query: StayQuery): void {
  const { checkInDay, nights, todayDay } = query;
  const { restrictions: ofRoom } = offer.room;
  const { restrictions: ofPlan } = offer.planState;
  if (ofRoom.size === 0 && ofPlan.size === 0) return;
  const end = checkInDay + nights;
  const stay = { nights, daysAhead: checkInDay - todayDay };
  for (let day = checkInDay; day <= end; day += 1) {
    const room = ofRoom.get(day);
    const plan = ofPlan.get(day);
    if (day === checkInDay && mayRefuse("arrival", nights, room, plan)) {
      addReasons(found, "arrival", offer, day, stay);
    }
    const edge = day === end ? "departure" : "through";
    if (mayRefuse(edge, nights, room, plan)) addReasons(found, edge, offer, day, stay);
  }
}

function mayRefuse(
  edge: Edge,
  nights: number,
  room: RestrictedNight | undefined,
  plan: RestrictedNight | undefined,
): boolean {
  return (
    (room !== undefined && isOutside(room.allowed[edge], nights)) ||
    (plan !== undefined && isOutside(plan.allowed[edge], nights))
  );
}

function addReasons(
  found: Blocking[],
  edge: Edge,
  offer: Offer,
  day: number,
  stay: StayLength,
): void {
  const values = restrictionOn(offer, day) ?? {};
  for (const rule of RULES_AT[edge]) {
    const value = values[rule.name];
    if (value === undefined || !refuses(rule, value, stay)) continue;
    const limit = typeof value === "number" ? { limit: value } : {};
    const pattern = typeof value === "string" ? { pattern: value } : {};
    found.push({ date: dateOf(day), reason: rule.reason, ...limit, ...pattern });
  }
}

/** The longer stay that a refusal of `nights` requires; 0 when a longer stay would not help. */
export function nightsRequired({ reason, limit = 0, pattern }: Blocking, nights: number): number {
  if (pattern !== undefined) return nextInPattern(pattern, nights);
  return ruleOf(reason)?.kind === "min_nights" ? limit : 0;
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
      if (ceilingLeft(ceiling, offer.room, day, query.todayDay) > 0) continue;
      const limit = ceiling.limit.get(day);
      const used = ceilingUsed(ceiling, offer.room, day);
      const released = isReleased(ceiling, day, query.todayDay) ? { released: true as const } : {};
      const reached = { reason: "ceiling_reached", ceiling: limit, used, ...released } as const;
      blocking.push({ date: dateOf(day), ...reached });
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
      left = Math.min(left, ceilingLeft(ceiling, offer.room, day, query.todayDay));
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
