/** Nightly build times by a tenant's calendar; clock changes neither skip nor repeat one. */
import { localInstant, todayIn } from "../../engine/core/calendar.ts";
import type { PropertyEntry } from "../../engine/core/state/state.ts";

/** A run of this time before a night counts for it; this time after it, the night is made up. */
export const NIGHT_SLACK_MS = 300_000;

/** The zone of most live properties, by name on a tie; UTC without properties. */
export function zoneOf(properties: Iterable<Pick<PropertyEntry, "state" | "tree">>): string {
  const counts = new Map<string, number>();
  for (const { state, tree } of properties) {
    if (state === "live") counts.set(tree.timezone, (counts.get(tree.timezone) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return ranked[0]?.[0] ?? "UTC";
}

/** The last instant up to `nowMs` with local time `time`, epoch milliseconds. */
export function lastNight(time: string, zone: string, nowMs: number): number {
  const today = todayIn(zone, nowMs);
  const { ms } = localInstant(today, time, zone);
  return ms <= nowMs ? ms : localInstant(today - 1, time, zone).ms;
}

/** The next instant after `nowMs` with that local time. */
export function nextNight(time: string, zone: string, nowMs: number): number {
  const today = todayIn(zone, nowMs);
  const { ms } = localInstant(today, time, zone);
  return ms > nowMs ? ms : localInstant(today + 1, time, zone).ms;
}
