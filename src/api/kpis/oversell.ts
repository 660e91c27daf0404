/** Rooms that are sold and that there is no room for: somebody must move, or be moved. */
import { todayIn } from "../../../engine/core/calendar.ts";
import { effectiveCapacity } from "../../../engine/core/room-state.ts";
import type { PropertyEntry } from "../../../engine/core/state.ts";

/** How many, over the nights from today on that are asked for; as of now only. */
export function oversellOpen(
  properties: readonly PropertyEntry[],
  { firstDay, lastDay }: { readonly firstDay: number; readonly lastDay: number },
  nowMs: number,
): number {
  let open = 0;
  for (const { tree, rooms } of properties) {
    const first = Math.max(firstDay, todayIn(tree.timezone, nowMs));
    for (const roomType of tree.room_types) {
      const units = rooms.get(roomType.id)!.units();
      for (const [day, sold] of units.sold.entries()) {
        if (day < first || day > lastDay) continue;
        open += Math.max(0, sold - effectiveCapacity(roomType, units, day));
      }
    }
  }
  return open;
}
