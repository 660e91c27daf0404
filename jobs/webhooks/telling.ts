/** The events of a row, as far as the records that they are told from can be trusted. */
import {
  type EventLookups,
  publicEvents,
  type ToldEvent,
} from "../../engine/core/public-events.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { ChainedRow } from "../../engine/shell/journal-port.ts";

/** Nothing but a rebuild mends a record. */
export const DAMAGED_AGAIN_MS = 60_000;

/** All events of a row, or the damaged record that keeps them from being told for now. */
export function tellRow(
  { row, chain }: ChainedRow,
  look: EventLookups,
): readonly ToldEvent[] | RecordDamaged {
  try {
    return publicEvents(row, chain, look);
  } catch (error) {
    if (error instanceof RecordDamaged) return error;
    throw error;
  }
}
