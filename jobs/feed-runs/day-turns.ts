/**
 * Midnights at properties whose stays depend on the day of the booking: rules about days ahead and
 * released ceilings change what can be sold, discounts change prices, and no row marks them.
 */
import { dayStart, todayIn } from "../../engine/core/calendar.ts";
import { isTimedDiscount } from "../../engine/core/price/discounts.ts";
import { isTimed } from "../../engine/core/rules.ts";
import type { PlanState, RoomState } from "../../engine/core/state/room-state.ts";
import type { PropertyEntry } from "../../engine/core/state/state.ts";
import type { Unknown } from "./changes.ts";

/** Whether one of the zone's properties depends on the day; kept for a day. */
interface Turn {
  readonly startMs: number;
  isTimed: boolean | null;
}

export class DayTurns {
  /** By tenant and zone. */
  readonly #turns = new Map<string, Turn>();

  /**
   * The last midnight of a live property after the instant of a build, if stays at a property in
   * its zone depend on the day; null for none. A cell that begins to depend on it later is a change
   * of supply itself. Instants are epoch milliseconds.
   */
  since(
    tenantId: string,
    properties: ReadonlyMap<string, PropertyEntry>,
    { builtAt, nowMs }: { readonly builtAt: number; readonly nowMs: number },
  ): Unknown | null {
    const zones = new Set<string>();
    for (const { state, tree } of properties.values()) {
      if (state === "live") zones.add(tree.timezone);
    }
    let lastAt = 0;
    for (const zone of zones) {
      const turn = this.#turnOf(`${tenantId} ${zone}`, dayStart(todayIn(zone, nowMs), zone));
      if (turn.startMs <= Math.max(builtAt, lastAt)) continue;
      turn.isTimed ??= [...properties.values()].some((each) => isTimedIn(each, zone));
      if (turn.isTimed) lastAt = turn.startMs;
    }
    return lastAt === 0 ? null : { firstAt: lastAt, lastAt };
  }

  #turnOf(key: string, startMs: number): Turn {
    const known = this.#turns.get(key);
    if (known?.startMs === startMs) return known;
    const turn = { startMs, isTimed: null };
    this.#turns.set(key, turn);
    return turn;
  }
}

function isTimedIn({ state, tree, rooms }: PropertyEntry, zone: string): boolean {
  if (state !== "live" || tree.timezone !== zone) return false;
  const plans = tree.room_types.flatMap(({ rate_plans }) => rate_plans);
  if (plans.some(({ discounts }) => discounts?.some(isTimedDiscount))) return true;
  return [...rooms.values()].some((room) => {
    const isReleasing = room.ceilings.some(({ releases }) => (releases?.size ?? 0) > 0);
    return isReleasing || hasTimed(room) || [...room.plans.values()].some(hasTimed);
  });
}

function hasTimed({ restrictions }: RoomState | PlanState): boolean {
  for (const night of restrictions.values()) if (isTimed(night)) return true;
  return false;
}
