/** The public events of a row, unless a record that they need is damaged. */
import {
  type EventLookups,
  publicEvents,
  type UnlistedEvent,
} from "../../engine/core/public-events.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { ChainedRow } from "../../engine/log/journal-port.ts";

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
