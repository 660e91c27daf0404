/** Runs long work without blocking other work of the process. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest delay of other work, plus one step. */
const SLICE_MS = 5;
/** Pauses are this many times as long as the work. */
const REST = 4;

/**
 * Takes the steps in slices with pauses. Ends early with null once `isStopped`.
 *
 * @throws whatever a step throws.
 */
export async function runInSlices<R>(
  steps: Generator<unknown, R>,
  isStopped: () => boolean,
): Promise<R | null> {
  for (;;) {
    const startedMs = performance.now();
    do {
      if (isStopped()) {
        steps.return(undefined as never);
        return null;
      }
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - startedMs < SLICE_MS);
    await Bun.sleep(REST * (performance.now() - startedMs));
  }
}

/** Items between two turns of the event loop. */
const ITEMS_AT_ONCE = 64;

/** The items one by one; yields to other calls after every 64. */
export async function* nextTurnEach<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const [nth, item] of items.entries()) {
    yield item;
    if (nth % ITEMS_AT_ONCE === ITEMS_AT_ONCE - 1) await nextTurn();
  }
}
