/** Which keys leave after their time: nobody misses the answer that was a refusal and no more. */
import type { Row } from "../core/events.ts";

const DAY_MS = 86_400_000;
/** Keys are promised to be known for so many days at least. */
const DAYS_LEAST = 7;
export const IDEMPOTENCY_DAYS = { least: DAYS_LEAST, most: 3_650, fallback: DAYS_LEAST };

/** Whether a row gives its key a refusal and no effect. */
export function isRefusalOnly({ key, events, outcome }: Row): boolean {
  return key !== null && events.length === 0 && outcome?.ok === false;
}

/** Whether a refusal of `atMs` may be forgotten. */
export function isForgettable(atMs: number, nowMs: number, keptDays: number): boolean {
  return nowMs - atMs > keptDays * DAY_MS;
}

/** A key's row for who is not the engine, or null where that may have forgotten it by now. */
export function rememberedRow(
  row: Row | null,
  { now, idempotencyDays }: { readonly now: () => number; readonly idempotencyDays: number },
): Row | null {
  if (!row || !isRefusalOnly(row)) return row;
  return isForgettable(row.stamp, now(), idempotencyDays) ? null : row;
}
