/**
 * Nights that an update leaves with more sold and held than there is. It is accepted all the same:
 * rooms do go out of order. But somebody must move, and who sets the numbers is told at once.
 */
import { dateOf, todayIn } from "../calendar.ts";
import type { OversoldNight } from "../outcomes.ts";
import { eachDay } from "../ranges.ts";
import { type PropertyEntry, type RoomState, UNSET_U16 } from "../state.ts";
import type { InventoryRange, RoomType } from "../supply.ts";

/** Outcomes are kept; who oversells a whole season reads its nights. */
const NIGHTS_MAX = 100;

/** What a night's ranges set, null where the tree says it; the last one of them goes. */
interface Units {
  readonly range: number;
  readonly capacity: number | null;
  readonly outOfOrder: number;
  readonly overbooking: number | null;
}

/** Of the nights that the ranges name, those that are oversold then, by date; none when none is. */
export function oversoldBy(
  inventory: readonly InventoryRange[],
  property: PropertyEntry,
  stamp: number,
): { readonly oversold?: readonly OversoldNight[]; readonly oversold_nights?: number } {
  // Whoever slept there has slept.
  const today = todayIn(property.tree.timezone, stamp);
  const after = unitsAfter(inventory, property, today);
  const all = property.tree.room_types.flatMap((roomType) => {
    const nights = after.get(roomType.id);
    return nights ? oversoldOf(roomType, property.rooms.get(roomType.id)!, nights) : [];
  });
  if (all.length === 0) return {};
  const byDate = all.sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  return { oversold: byDate.slice(0, NIGHTS_MAX), oversold_nights: all.length };
}

type Nights = Map<number, Units>;

/** What stands after the update, by room type, for nights that somebody has taken a unit of. */
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

function oversoldOf(
  { id: room_type_id, default_inventory, overbooking_limit }: RoomType,
  room: RoomState,
  after: Nights,
): OversoldNight[] {
  return [...after].flatMap(([day, { range, capacity, outOfOrder, overbooking }]) => {
    const sold = room.sold.get(day);
    const held = room.held.get(day);
    const units = (capacity ?? default_inventory) + (overbooking ?? overbooking_limit);
    const effective = units - outOfOrder;
    if (sold + held <= effective) return [];
    return [{ room_type_id, date: dateOf(day), sold, held, effective, range }];
  });
}
