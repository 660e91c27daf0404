/** What the ranges of an ARI update are of, for its decision, its fold and the noted changes. */
import { pageStart } from "../state/nights.ts";
import { type Ceiling, type PlanState, scopeKey } from "../state/room-state.ts";
import type { PropertyEntry, State } from "../state/state.ts";
import type { CeilingRange, Release } from "../supply.ts";

/** The first night that is kept. */
export function firstKept(state: State): number {
  return pageStart(state.keptDay);
}

/** Rate plans by id: a property may have thousands, and an update may name them all. */
export function plansById({ rooms }: PropertyEntry): Map<string, PlanState> {
  return new Map([...rooms.values()].flatMap(({ plans }) => [...plans]));
}

/** Ceilings by `scopeKey`: an update may name every scope that its room types can have. */
export function ceilingsByScope(
  ranges: readonly CeilingRange[],
  { rooms }: PropertyEntry,
): Map<string, Ceiling> {
  const known = new Map<string, Ceiling>();
  for (const room_type_id of new Set(ranges.map((range) => range.room_type_id))) {
    for (const ceiling of rooms.get(room_type_id)!.ceilings) {
      known.set(scopeKey({ room_type_id, ...ceiling }), ceiling);
    }
  }
  return known;
}

/** The release that a range sets; null removes it, undefined keeps it. */
export function releaseIn({ ceiling, release }: CeilingRange): Release | null | undefined {
  if (ceiling === null || release?.strategy === "none") return null;
  return release;
}
