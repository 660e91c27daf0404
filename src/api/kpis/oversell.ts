/** Oversold rooms. */
import { todayIn } from "../../../engine/core/calendar.ts";
import { effectiveCapacity } from "../../../engine/core/state/room-state.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";

/** Oversold units of the requested nights from today on, as of now. */
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
