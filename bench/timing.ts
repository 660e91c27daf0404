/**
 * How long a run is. Compilers make code faster by how often it has run, and work meanwhile: runs
 * of 4 s showed a hold of 543 µs of which 112 were the compiler's, runs of 14 s one of 381 and 10.
 */

/** Length of a run. */
export interface Timing {
  /** Of the measured part. */
  readonly seconds: number;
  /** Before it, on all sides: after equal seconds the slower one would be compiled less. */
  readonly warmupRequests: number;
}

/** Shorter runs are marked. */
export const SECONDS = 12;
const WARMUP_REQUESTS_PER_SECOND = 2_500;

/** A run of `seconds`, after a proportional warm-up. */
export function timingOf(seconds: number): Timing {
  return { seconds, warmupRequests: Math.ceil(seconds * WARMUP_REQUESTS_PER_SECOND) };
}

/** The same with a part of the warm-up, where a request is more work than a hold. */
export function warmedUpBy({ seconds, warmupRequests }: Timing, share: number): Timing {
  return { seconds, warmupRequests: Math.ceil(warmupRequests * share) };
}

/** A remark on runs that are too short. */
export function remarkOn(seconds: number): string[] {
  if (seconds >= SECONDS) return [];
  return [`Runs of ${seconds} s instead of ${SECONDS}: they include compilation.`];
}
