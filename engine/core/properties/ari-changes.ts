/**
 * Whether an ARI update would change a night. Channel managers resend whole calendars; an update
 * that repeats stored values must not grow the journal.
 */

import { someDay } from "../ranges.ts";
import { RULE_NAMES } from "../rules.ts";
import {
  type PlanState,
  type RoomState,
  scopeKey,
  UNSET_U16,
  UNSET_U32,
} from "../state/room-state.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import type {
  AriUpdate,
  CeilingRange,
  InventoryRange,
  RateRange,
  Release,
  RestrictionRange,
} from "../supply.ts";
import { ceilingsByScope, firstKept, plansById, releaseIn } from "./ari-ranges.ts";

/**
 * False only when every range leaves each of its nights unchanged. Stops at the first difference.
 * `ari` must have ids that the property knows.
 */
export function changesNights(ari: AriUpdate, property: PropertyEntry, state: State): boolean {
  const { inventory = [], rates = [], restrictions = [], ceilings = [] } = ari;
  const kept = firstKept(state);
  const roomOf = (id: string) => property.rooms.get(id)!;
  const plans = rates.length > 0 ? plansById(property) : new Map<string, PlanState>();
  return (
    inventory.some((range) => setsUnits(range, roomOf(range.room_type_id), kept)) ||
    rates.some((range) => setsPrice(range, plans.get(range.rate_plan_id)!, kept)) ||
    restrictions.some((range) => restricts(range, roomOf(range.room_type_id), kept)) ||
    setsCeilings(ceilings, property, kept)
  );
}

/** Whether a field is sent with another value than the stored one; null means `unset`. */
function differs(sent: number | null | undefined, stored: number, unset: number): boolean {
  return sent !== undefined && (sent ?? unset) !== stored;
}

function setsUnits(range: InventoryRange, room: RoomState, kept: number): boolean {
  const { capacity, out_of_order, overbooking_limit } = range;
  return someDay(
    range,
    kept,
    (day) =>
      differs(capacity, room.capacity.get(day), UNSET_U16) ||
      differs(out_of_order, room.outOfOrder.get(day), 0) ||
      differs(overbooking_limit, room.overbooking.get(day), UNSET_U16),
  );
}

function setsPrice(range: RateRange, plan: PlanState, kept: number): boolean {
  const { amount, extra_adult } = range;
  return someDay(
    range,
    kept,
    (day) =>
      differs(amount, plan.amount.get(day), UNSET_U32) ||
      differs(extra_adult, plan.extraAdult.get(day), UNSET_U32),
  );
}

function restricts(range: RestrictionRange, room: RoomState, kept: number): boolean {
  const { restrictions } = range.rate_plan_id ? room.plans.get(range.rate_plan_id)! : room;
  const sent = RULE_NAMES.filter((field) => range[field] !== undefined);
  return someDay(range, kept, (day) => {
    const stored = restrictions.get(day)?.values;
    return sent.some((field) => range[field] !== (stored?.[field] ?? null));
  });
}

function setsCeilings(
  ranges: readonly CeilingRange[],
  property: PropertyEntry,
  kept: number,
): boolean {
  const known = ceilingsByScope(ranges, property);
  return ranges.some((range) => {
    const ceiling = known.get(scopeKey(range));
    const release = releaseIn(range);
    return someDay(
      range,
      kept,
      (day) =>
        differs(range.ceiling, ceiling?.limit.get(day) ?? UNSET_U16, UNSET_U16) ||
        (release !== undefined && !isSame(release, ceiling?.releases?.get(day) ?? null)),
    );
  });
}

function isSame(a: Release | null, b: Release | null): boolean {
  if (a === null || b === null) return a === b;
  return releaseKey(a) === releaseKey(b);
}

function releaseKey(release: Release): string {
  return release.strategy === "fixed" ? release.at : String(release.days_before);
}
