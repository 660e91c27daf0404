/** Units above capacity, night by night, as they are now. */
import { dateOf, todayIn } from "../calendar.ts";
import type { ExcessNight, OpenIncident } from "../oversell-terms.ts";
import { effectiveCapacity, type RoomState } from "../state/room-state.ts";
import type { PropertyEntry } from "../state/state.ts";
import type { RoomType } from "../supply.ts";

/** A room type of the present tree with its cells. */
export interface Room {
  readonly roomType: RoomType;
  readonly room: RoomState;
}

/** The room type in the present tree; null for a removed one. */
export function roomIn({ tree, rooms }: PropertyEntry, roomTypeId: string): Room | null {
  const roomType = tree.room_types.find(({ id }) => id === roomTypeId);
  const room = rooms.get(roomTypeId);
  return roomType && room ? { roomType, room } : null;
}

/** A night by its units; `excess` is 0 where all have a room. */
export function excessOf(
  day: number,
  capacity: number,
  { sold, held }: Pick<ExcessNight, "sold" | "held">,
): ExcessNight {
  return { date: dateOf(day), capacity, sold, held, excess: Math.max(0, sold + held - capacity) };
}

/** The same, as it is now. */
export function nightOf({ roomType, room }: Room, day: number): ExcessNight {
  const capacity = Math.max(0, effectiveCapacity(roomType, room, day));
  return excessOf(day, capacity, { sold: room.sold.get(day), held: room.held.get(day) });
}

/** The oversold nights of an incident from today on, by date; past nights do not matter. */
export function excessNights(
  incident: Pick<OpenIncident, "firstDay" | "endDay" | "room_type_id">,
  property: PropertyEntry,
  atMs: number,
): ExcessNight[] {
  const room = roomIn(property, incident.room_type_id);
  const found: ExcessNight[] = [];
  const today = todayIn(property.tree.timezone, atMs);
  for (let day = Math.max(today, incident.firstDay); room && day < incident.endDay; day += 1) {
    const night = nightOf(room, day);
    if (night.excess > 0) found.push(night);
  }
  return found;
}

/** The incident of a room type that is open on a night; null for none. */
export function incidentOn(room: RoomState, day: number): OpenIncident | null {
  const covers = ({ firstDay, endDay }: OpenIncident) => firstDay <= day && day < endDay;
  return room.incidents?.find(covers) ?? null;
}
