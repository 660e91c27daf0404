/**
 * How new what an answer is made of must be. A request that reads the replica sees whatever was
 * acknowledged before it, or all that its time can apply; an outcome is rendered when the replica
 * has its row, or has had its time.
 * Routes say which they need, and the pipeline sees to it.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Replica } from "../../engine/shell/replica.ts";

/** Applying rows holds up every request of the process, so it is done in slices. */
const SLICE_MS = 2;
/** A client that waits this long for an answer that is decided already would rather have less. */
const WAIT_MS_MAX = 2_000;

/** Applies what is new, for some milliseconds at most; the lag that is left is exported. */
export function freshen(replica: Pick<Replica, "catchUp">): void {
  replica.catchUp(SLICE_MS);
}

/** Waiting for what is behind by more than this serves nobody: it is told of as it is known. */
const FRESH_MS_MAX = 500;

/**
 * Applies what is new until nothing is left, for some time at most; others have their turns.
 * Nothing to wait for where one slice was enough, as it nearly always is.
 */
export function untilFresh(
  replica: Pick<Replica, "catchUp">,
  waitMs = FRESH_MS_MAX,
): Promise<void> | undefined {
  if (!nextSlices.has(replica) && replica.catchUp(SLICE_MS)) return undefined;
  return freshInSlices(replica, performance.now() + waitMs);
}

async function freshInSlices(replica: Pick<Replica, "catchUp">, endMs: number): Promise<void> {
  let isFresh = false;
  while (!isFresh && performance.now() < endMs) isFresh = await nextSlice(replica);
}

/** The next slice of each replica: however many wait, they share one in each turn of the loop. */
const nextSlices = new WeakMap<Pick<Replica, "catchUp">, Promise<boolean>>();

/** Waits until the replica has `row`; false when it has not in time. */
export async function hasRow(
  replica: Pick<Replica, "catchUp" | "head">,
  row: number,
  waitMs = WAIT_MS_MAX,
): Promise<boolean> {
  const endMs = performance.now() + waitMs;
  if (replica.head.row < row && !nextSlices.has(replica)) replica.catchUp(SLICE_MS);
  while (replica.head.row < row) {
    if (performance.now() >= endMs) return false;
    await nextSlice(replica);
  }
  return true;
}

/** True when nothing is left after it. */
function nextSlice(replica: Pick<Replica, "catchUp">): Promise<boolean> {
  const shared = nextSlices.get(replica);
  if (shared) return shared;
  const slice = nextTurn().then(() => {
    nextSlices.delete(replica);
    return replica.catchUp(SLICE_MS);
  });
  nextSlices.set(replica, slice);
  return slice;
}
