/**
 * Nights that an update or a new tree leaves oversold. The change is accepted, because rooms do go
 * out of order; the caller gets the nights at once, because guests must be moved.
 */
import { dateOf, todayIn } from "../calendar.ts";
import type { OversoldNight, OversoldUnits } from "../outcomes.ts";
import { eachDay } from "../ranges.ts";
import { effectiveCapacity, type RoomState, UNSET_U16 } from "../state/room-state.ts";
import type { PropertyEntry } from "../state/state.ts";
import type { InventoryRange, PropertyTree, RoomType } from "../supply.ts";

/** Outcomes are stored, so the list is limited; the calendar has the rest. */
const NIGHTS_MAX = 100;

/** The last range of a night decides; null where the tree's value applies. */
interface Units {
  readonly range: number;
  readonly capacity: number | null;
  readonly outOfOrder: number;
  readonly overbooking: number | null;
}

/** The first nights and their total number; empty for none. */
interface OversoldReport<N extends OversoldUnits> {
  readonly oversold?: readonly N[];
  readonly oversold_nights?: number;
}

/** A night after the change. */
export interface Oversold<N extends OversoldUnits = OversoldUnits> {
  readonly night: N;
  readonly day: number;
  /** Whether the change takes units away; otherwise the night was oversold before. */
  readonly isCut: boolean;
}

/** Oversold nights among those of the ranges. */
export function oversoldBy(
  inventory: readonly InventoryRange[],
  property: PropertyEntry,
  nowMs: number,
): Oversold<OversoldNight>[] {
  // Past nights do not matter.
  const today = todayIn(property.tree.timezone, nowMs);
  const after = unitsAfter(inventory, property, today);
  return property.tree.room_types.flatMap((roomType) => {
    const nights = after.get(roomType.id);
    return nights ? oversoldOf(roomType, property.rooms.get(roomType.id)!, nights) : [];
  });
}

/** Oversold nights among those whose units the new tree changes. */
export function oversoldByTree(
  after: PropertyTree,
  { tree, rooms }: PropertyEntry,
  nowMs: number,
): Oversold[] {
  const today = todayIn(after.timezone, nowMs);
  const known = new Map(tree.room_types.map((roomType) => [roomType.id, roomType]));
  return after.room_types.flatMap((roomType) => {
    const before = known.get(roomType.id);
    const room = rooms.get(roomType.id);
    return before && room ? oversoldAfter(roomType, before, room, today) : [];
  });
}

/** Effective capacity after the update, by room type and day, where units are taken. */
export function effectiveAfter(
  inventory: readonly InventoryRange[],
  property: PropertyEntry,
  today: number,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const after = unitsAfter(inventory, property, today);
  const known = new Map(property.tree.room_types.map((roomType) => [roomType.id, roomType]));
  return new Map(
    [...after].map(([id, nights]) => {
      const units = [...nights].map(([day, each]) => [day, effectiveOf(known.get(id)!, each)]);
      return [id, new Map(units as [number, number][])];
    }),
  );
}

/** The number for the event of the change: subscribers then read the nights. */
export function oversoldCount({ oversold_nights }: OversoldReport<OversoldUnits>) {
  return oversold_nights === undefined ? {} : { oversold_nights };
}

/** The first nights by date, and their number. */
export function oversoldReport<N extends OversoldUnits>(
  all: readonly Oversold<N>[],
): OversoldReport<N> {
  if (all.length === 0) return {};
  const byDate = all.toSorted((a, b) => a.day - b.day).slice(0, NIGHTS_MAX);
  return { oversold: byDate.map(({ night }) => night), oversold_nights: all.length };
}

/** Values set by date do not depend on the tree. */
function oversoldAfter(after: RoomType, before: RoomType, room: RoomState, today: number) {
  const isOtherStock = after.default_inventory !== before.default_inventory;
  const isOtherLimit = after.overbooking_limit !== before.overbooking_limit;
  if (!isOtherStock && !isOtherLimit) return [];
  const taken = new Set([...room.sold.entries(), ...room.held.entries()].map(([day]) => day));
  return [...taken].flatMap((day): Oversold[] => {
    const isOther =
      (isOtherStock && room.capacity.get(day) === UNSET_U16) ||
      (isOtherLimit && room.overbooking.get(day) === UNSET_U16);
    const sold = room.sold.get(day);
    const held = room.held.get(day);
    const effective = effectiveCapacity(after, room, day);
    if (day < today || !isOther || sold + held <= effective) return [];
    const night = { room_type_id: after.id, date: dateOf(day), sold, held, effective };
    return [{ night, day, isCut: effective < effectiveCapacity(before, room, day) }];
  });
}

type Nights = Map<number, Units>;

/** Units after the update, by room type, for nights with a unit taken. */
function unitsAfter(
  inventory: readonly InventoryRange[],
  { rooms }: PropertyEntry,
  today: number,
): ReadonlyMap<string, Nights> {
  const byRoom = new Map<string, Nights>();
  inventory.forEach((entry, range) => {
    const { room_type_id, capacity, out_of_order, overbooking_limit } = entry;
    const room = rooms.get(room_type_id)!;
    const after: Nights = byRoom.get(room_type_id) ?? new Map();
    byRoom.set(room_type_id, after);
    eachDay(entry, today, (day) => {
      if (room.sold.get(day) + room.held.get(day) === 0) return;
      const before = after.get(day) ?? unitsOf(room, day);
      after.set(day, {
        range,
        capacity: capacity === undefined ? before.capacity : capacity,
        outOfOrder: out_of_order === undefined ? before.outOfOrder : (out_of_order ?? 0),
        overbooking: overbooking_limit === undefined ? before.overbooking : overbooking_limit,
      });
    });
  });
  return byRoom;
}

function unitsOf(room: RoomState, day: number): Omit<Units, "range"> {
  const set = (units: number) => (units === UNSET_U16 ? null : units);
  return {
    capacity: set(room.capacity.get(day)),
    outOfOrder: room.outOfOrder.get(day),
    overbooking: set(room.overbooking.get(day)),
  };
}

function effectiveOf(
  { default_inventory, overbooking_limit }: RoomType,
  { capacity, outOfOrder, overbooking }: Units,
): number {
  return (capacity ?? default_inventory) + (overbooking ?? overbooking_limit) - outOfOrder;
}

function oversoldOf(roomType: RoomType, room: RoomState, after: Nights): Oversold<OversoldNight>[] {
  return [...after].flatMap(([day, units]) => {
    const sold = room.sold.get(day);
    const held = room.held.get(day);
    const effective = effectiveOf(roomType, units);
    if (sold + held <= effective) return [];
    const { range } = units;
    const night = { room_type_id: roomType.id, date: dateOf(day), sold, held, effective, range };
    return [{ night, day, isCut: effective < effectiveCapacity(roomType, room, day) }];
  });
}
