/** Finds the first row of a time range in the journal. */
import type { Replica } from "../../engine/log/replica.ts";

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
