/** Builds long lists without blocking other calls. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Items between two turns of the event loop. */
const ITEMS_AT_ONCE = 64;

/** The items one by one; yields to other calls after every 64. */
export async function* nextTurnEach<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const [nth, item] of items.entries()) {
    yield item;
    if (nth % ITEMS_AT_ONCE === ITEMS_AT_ONCE - 1) await nextTurn();
  }
}
