/** Rows of the journal as the deriver reads them: by time, and as public events. */
import {
  type EventLookups,
  publicEvents,
  type UnlistedEvent,
} from "../../../engine/core/public-events.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { ChainedRow } from "../../../engine/log/journal-port.ts";
import type { Replica } from "../../../engine/log/replica.ts";

/** Only a rebuild repairs a record. */
export const DAMAGED_AGAIN_MS = 60_000;

/** All public events of a row, or the damaged record that prevents rendering them. */
export function publicEventsOf(
  { row, chain }: ChainedRow,
  look: EventLookups,
): readonly UnlistedEvent[] | RecordDamaged {
  try {
    return publicEvents(row, chain, look);
  } catch (error) {
    if (error instanceof RecordDamaged) return error;
    throw error;
  }
}

/** The first row at or after `sinceMs`, or the row after the head; stamps never decrease. */
export function firstRowSince(replica: Pick<Replica, "row" | "head">, sinceMs: number): number {
  let low = 1;
  let high = replica.head.row + 1;
  while (low < high) {
    // Row numbers may exceed the 32 bits of a shift.
    const middle = Math.floor((low + high) / 2);
    if (replica.row(middle)!.stamp < sinceMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
