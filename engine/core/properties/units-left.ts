/**
 * Units that a channel has left, as capacities of room types and ceilings of rate plans. They are
 * resolved where they are decided, so that no hold or booking in between is lost.
 */
import { dateOf } from "../calendar.ts";
import type { CeilingUsage } from "../events/properties.ts";
import { eachDay } from "../ranges.ts";
import {
  type Ceiling,
  ceilingUsed,
  effectiveCapacity,
  type RoomState,
  scopeKey,
  UNSET_U16,
} from "../state/room-state.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import type { CeilingRange, InventoryRange, RoomType, UnitsLeftRange } from "../supply.ts";
import { firstKept } from "./ari-ranges.ts";

/** The greatest number that a night can store; one more means that none is set. */
const UNITS_MAX = UNSET_U16 - 1;

/** The scope of each range of a rate plan, for counting what is used in it. */
export function scopesOf(ranges: readonly UnitsLeftRange[]): CeilingRange[] {
  return ranges.flatMap(({ room_type_id, rate_plan_id, from, to, left }) =>
    rate_plan_id ? [{ room_type_id, rate_plan_id, agent_id: null, from, to, ceiling: left }] : [],
  );
}

/** Ranges that leave these units; `usage` has the new scopes of `scopesOf`. */
export function rangesLeaving(
  ranges: readonly UnitsLeftRange[],
  property: PropertyEntry,
  usage: readonly CeilingUsage[],
  state: State,
): { readonly inventory: InventoryRange[]; readonly ceilings: CeilingRange[] } {
  const inventory: InventoryRange[] = [];
  const ceilings: CeilingRange[] = [];
  const used = new Map(usage.map((each) => [scopeKey(each), new Map(each.used)]));
  for (const { room_type_id, rate_plan_id, leftByDay } of lastByDay(ranges, state)) {
    const room = property.rooms.get(room_type_id)!;
    if (rate_plan_id === null) {
      const roomType = property.tree.room_types.find(({ id }) => id === room_type_id)!;
      const unitsOn = (day: number, left: number) => unitsLeaving(left, roomType, room, day);
      const set = [...leftByDay].filter(
        ([day, left]) => left > 0 || !isOversold(roomType, room, day),
      );
      for (const [on, units] of runsOf(set, unitsOn)) {
        inventory.push({ room_type_id, ...on, ...units });
      }
      continue;
    }
    const scope = { room_type_id, rate_plan_id, agent_id: null };
    const known = room.ceilings.find((each) => isPlans(each, rate_plan_id));
    const counted = used.get(scopeKey(scope));
    const limitOn = (day: number, left: number) => {
      const taken = known ? ceilingUsed(known, room, day) : (counted?.get(day) ?? 0);
      return { ceiling: Math.min(UNITS_MAX, taken + left) };
    };
    for (const [on, limit] of runsOf([...leftByDay], limitOn)) {
      ceilings.push({ ...scope, ...on, ...limit });
    }
  }
  return { inventory, ceilings };
}

function isPlans({ rate_plan_id, agent_id }: Ceiling, ratePlanId: string): boolean {
  return rate_plan_id === ratePlanId && agent_id === null;
}

interface Left {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  readonly leftByDay: Map<number, number>;
}

/** The last range of a night decides. */
function lastByDay(ranges: readonly UnitsLeftRange[], state: State): Iterable<Left> {
  const kept = firstKept(state);
  const found = new Map<string, Left>();
  for (const range of ranges) {
    const { room_type_id, rate_plan_id = null, left } = range;
    const key = scopeKey({ room_type_id, rate_plan_id });
    const known = found.get(key) ?? { room_type_id, rate_plan_id, leftByDay: new Map() };
    found.set(key, known);
    eachDay(range, kept, (day) => known.leftByDay.set(day, left));
  }
  return found.values();
}

/**
 * An oversold night has no units left already. More capacity for it would hide that guests have no
 * room: channels say 0 of every night that is full.
 */
function isOversold(roomType: RoomType, room: RoomState, day: number): boolean {
  return room.sold.get(day) + room.held.get(day) > effectiveCapacity(roomType, room, day);
}

/**
 * The capacity with which `left` units can still be taken. Where overbooking alone would leave more
 * than that, its limit is lowered for the night.
 */
function unitsLeaving(
  left: number,
  roomType: RoomType,
  room: RoomState,
  day: number,
): Pick<InventoryRange, "capacity" | "overbooking_limit"> {
  const own = room.capacity.get(day);
  const present = own === UNSET_U16 ? roomType.default_inventory : own;
  const effective = room.sold.get(day) + room.held.get(day) + left;
  const capacity = present + effective - effectiveCapacity(roomType, room, day);
  if (capacity >= 0) return { capacity: Math.min(UNITS_MAX, capacity) };
  return { capacity: 0, overbooking_limit: effective + room.outOfOrder.get(day) };
}

/** Runs of consecutive days with equal values. */
function* runsOf<T extends object>(
  leftByDay: readonly (readonly [day: number, left: number])[],
  valueOn: (day: number, left: number) => T,
): Generator<readonly [{ readonly from: string; readonly to: string }, T]> {
  let run: { first: number; last: number; value: T; text: string } | null = null;
  for (const [day, left] of leftByDay.toSorted(([a], [b]) => a - b)) {
    const value = valueOn(day, left);
    const text = JSON.stringify(value);
    if (run !== null && day === run.last + 1 && text === run.text) {
      run.last = day;
      continue;
    }
    if (run !== null) yield [{ from: dateOf(run.first), to: dateOf(run.last) }, run.value];
    run = { first: day, last: day, value, text };
  }
  if (run !== null) yield [{ from: dateOf(run.first), to: dateOf(run.last) }, run.value];
}
