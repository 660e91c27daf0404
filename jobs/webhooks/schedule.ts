/** The retry schedule of deliveries (domain §11). */

/** Delay before each attempt in milliseconds, the first one included. */
export type RetrySchedule = readonly number[];

/** Random part of each delay, ±, to spread deliveries that failed together. */
const JITTER = 0.1;

/**
 * Milliseconds until the next attempt after `attempts`; null after the last. A longer `Retry-After`
 * wins.
 */
export function retryDelayMs(
  schedule: RetrySchedule,
  { attempts, retry_after_s }: { attempts: number; retry_after_s: number | null },
  random: number = Math.random(),
): number | null {
  const planned = schedule[attempts];
  if (planned === undefined) return null;
  const delayMs = Math.round(planned * (1 + JITTER * (2 * random - 1)));
  return Math.max(delayMs, (retry_after_s ?? 0) * 1000);
}

/** From the first attempt to the last. */
export function spanMs(schedule: RetrySchedule): number {
  return schedule.reduce((sum, delayMs) => sum + delayMs, 0);
}
