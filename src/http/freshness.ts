/**
 * Freshness of answers. A read sees everything acknowledged before it, as far as it can be applied
 * in time; an outcome is rendered when the replica has its row, or after a timeout. Routes declare
 * what they need.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Replica } from "../../engine/log/replica.ts";

/** Applying rows blocks all requests of the process, so it is done in slices. */
const SLICE_MS = 2;
/**
 * Maximum wait before a decided answer is rendered without the replica, which may lack parts then.
 * On one machine a row is there at once; a copy of a shared journal stands still while its engine
 * is started again, some seconds.
 */
const WAIT_MS_MAX = 6_000;
/** Without new rows the loop is left to others between two looks. */
const LOOK_EVERY_MS = 2;

/** Applies new rows for some milliseconds at most; exports the remaining lag. */
export function freshen(replica: Pick<Replica, "catchUp">): void {
  replica.catchUp(SLICE_MS);
}

/** With more lag the replica is read without waiting. */
const FRESH_MS_MAX = 500;

/**
 * Applies new rows until none is left or the time is over; other requests run in between. Usually
 * one slice is enough and nothing is awaited.
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

/** The next slice of each replica, shared by all waiting requests. */
const nextSlices = new WeakMap<Pick<Replica, "catchUp">, Promise<boolean>>();

/** Waits until the replica has `row`; false after a timeout. */
export async function hasRow(
  replica: Pick<Replica, "catchUp" | "head">,
  row: number,
  waitMs = WAIT_MS_MAX,
): Promise<boolean> {
  const endMs = performance.now() + waitMs;
  if (replica.head.row < row && !nextSlices.has(replica)) replica.catchUp(SLICE_MS);
  while (replica.head.row < row) {
    if (performance.now() >= endMs) return false;
    const isLacking = (await nextSlice(replica)) && replica.head.row < row;
    if (isLacking) await Bun.sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** True when no rows are left. */
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
