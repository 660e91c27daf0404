/** Which keys may be forgotten: those that only ever got refusals. */
import type { Row } from "../../core/events/event.ts";

const DAY_MS = 86_400_000;
/** The shortest time for which keys are known, as promised. */
const DAYS_LEAST = 7;
export const IDEMPOTENCY_DAYS = { least: DAYS_LEAST, most: 3_650, fallback: DAYS_LEAST };

/** Whether a row gives its key a refusal and has no events. */
export function isRefusalOnly({ key, events, outcome }: Row): boolean {
  return key !== null && events.length === 0 && outcome?.ok === false;
}

/** Whether a refusal given at `atMs` may be forgotten. */
export function isForgettable(atMs: number, nowMs: number, keptDays: number): boolean {
  return nowMs - atMs > keptDays * DAY_MS;
}

/** A key's row for processes other than the engine; null when the engine may have forgotten it. */
export function rememberedRow(
  row: Row | null,
  { now, idempotencyDays }: { readonly now: () => number; readonly idempotencyDays: number },
): Row | null {
  if (!row || !isRefusalOnly(row)) return row;
  return isForgettable(row.stamp, now(), idempotencyDays) ? null : row;
}
