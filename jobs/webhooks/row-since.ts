/** Where in the journal a time began. */
import type { Replica } from "../../engine/shell/replica.ts";

/** The first row that is not before `sinceMs`, or the one after the head: stamps never run back. */
export function firstRowSince(replica: Pick<Replica, "row" | "head">, sinceMs: number): number {
  let low = 1;
  let high = replica.head.row + 1;
  while (low < high) {
    // Rows may be more than the 32 bits of a shift.
    const middle = Math.floor((low + high) / 2);
    if (replica.row(middle)!.stamp < sinceMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
