/** When a delivery is tried again (domain §11). */

/** Milliseconds before each attempt, the first one included. */
export type RetrySchedule = readonly number[];

/** Each delay is up to this much longer or shorter, so that what failed together comes apart. */
const JITTER = 0.1;

/**
 * Milliseconds until the next attempt of one that has had `attempts`, null when that was the last.
 * Whoever asks to be left alone for longer is.
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
