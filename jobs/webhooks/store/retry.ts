/** When a delivery is tried again: the schedule, and `Retry-After`. */

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

/** A longer `Retry-After` is cut to a day. */
const RETRY_AFTER_S_MAX = 86_400;

/** Seconds to wait by `Retry-After` (RFC 9110 §10.2.3), at most a day; null if invalid. */
export function retryAfterS(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text), RETRY_AFTER_S_MAX);
  // A date starts with a weekday; `Date.parse` would read a negative number as a year.
  const atMs = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, Math.ceil((atMs - nowMs) / 1000)), RETRY_AFTER_S_MAX);
}
