/**
 * The nights of room types or rate plans that a change affects, per message format. Messages have
 * current values: an extra night costs bytes, a missing one leaves the partner with a wrong value.
 */
import { dayOf, todayIn, WEEKDAYS, weekdayOf } from "../engine/core/calendar.ts";
import { followersOf } from "../engine/core/price/derived.ts";
import { mayBeInexact } from "../engine/core/price/price-bounds.ts";
import type { Stay } from "../engine/core/price/quote.ts";
import { windowEnd } from "../engine/core/state/nights.ts";
import type { PropertyEntry } from "../engine/core/state/state.ts";
import type { AriUpdate, CeilingRange, DateRange, RateRange } from "../engine/core/supply.ts";

/** Message formats; each is sent to its own address. */
export const OTA_FORMATS = ["ota_rates", "ota_availability", "ota_inventory"] as const;
export type OtaFormat = (typeof OTA_FORMATS)[number];

/** A change of a property. `all`: it went on or off sale, so every cell changes. */
export type Change =
  | { readonly is: "all" }
  | { readonly is: "ari"; readonly ari: AriUpdate }
  | { readonly is: "units"; readonly moved: readonly MovedUnits[] };

/** Units that were taken or returned. */
export interface MovedUnits {
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly stay: Stay;
}

/** The property and the partner that a message is about. */
export interface MessageScope {
  readonly property: PropertyEntry;
  /** The partner; its own ceilings and those for all agents apply. */
  readonly agentId: string;
  /** First and last night that messages include. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * The nights that messages include: from today in the property's zone to the last night that can
 * have own values, which is beyond the booking horizon, because no event marks a night entering it.
 */
export function messageScopeOf(
  property: PropertyEntry,
  agentId: string,
  { baseDay, nowMs }: { readonly baseDay: number; readonly nowMs: number },
): MessageScope {
  const firstDay = todayIn(property.tree.timezone, nowMs);
  return { property, agentId, firstDay, lastDay: windowEnd(baseDay) - 1 };
}

/** A night of a room type for inventory, else of a rate plan. */
export type Cell = readonly [id: string, day: number];

/** Nights that changed for all these room types or plans. */
interface Changed {
  readonly ids: readonly string[];
  readonly first: number;
  readonly last: number;
  /** Null: every weekday. */
  readonly weekdays: readonly boolean[] | null;
}

/** The cells that a change affects; a cell may occur twice. */
export function* changedCells(
  format: OtaFormat,
  change: Change,
  scope: MessageScope,
): Generator<Cell> {
  for (const { ids, first, last, weekdays } of changedBy(format, change, scope)) {
    const end = Math.min(last, scope.lastDay);
    for (let day = Math.max(first, scope.firstDay); day <= end; day += 1) {
      if (weekdays && !weekdays[weekdayOf(day)]) continue;
      for (const id of ids) yield [id, day];
    }
  }
}

function changedBy(format: OtaFormat, change: Change, scope: MessageScope): Changed[] {
  const { firstDay: first, lastDay: last } = scope;
  switch (change.is) {
    case "all":
      return [{ ids: allIds(format, scope), first, last, weekdays: null }];
    case "ari":
      return ARI[format](change.ari, scope);
    case "units":
      return change.moved.map((moved) => {
        const { check_in, check_out } = moved.stay;
        const stay = { first: dayOf(check_in), last: dayOf(check_out) - 1 };
        return { ids: idsMoved(format, moved, scope), ...stay, weekdays: null };
      });
  }
}

function allIds(format: OtaFormat, { property }: MessageScope): string[] {
  const rooms = [...property.rooms];
  if (format === "ota_inventory") return rooms.map(([id]) => id);
  return rooms.flatMap(([, room]) => [...room.plans.keys()]);
}

/** Moved units change a room type's count, and may close a plan with a ceiling. */
function idsMoved(
  format: OtaFormat,
  moved: MovedUnits,
  { property, agentId }: MessageScope,
): string[] {
  const { room_type_id, rate_plan_id } = moved;
  if (format === "ota_rates") return [];
  if (format === "ota_inventory") return [room_type_id];
  const ceilings = property.rooms.get(room_type_id)?.ceilings ?? [];
  const isLimited = ceilings.some((each) => {
    return each.rate_plan_id === rate_plan_id && isFor(each, agentId);
  });
  return isLimited ? [rate_plan_id] : [];
}

/** Whether a ceiling applies to the partner. */
function isFor({ agent_id = null }: Pick<CeilingRange, "agent_id">, agentId: string): boolean {
  return agent_id === null || agent_id === agentId;
}

function changed(ids: readonly string[], { from, to, days_of_week }: DateRange): Changed {
  const weekdays = days_of_week ? WEEKDAYS.map((name) => days_of_week.includes(name)) : null;
  return { ids, first: dayOf(from), last: dayOf(to), weekdays };
}

/** The nights of the plans with new amounts, and of those that follow them. */
function pricesChanged(rates: readonly RateRange[], { property }: MessageScope): Changed[] {
  const { room_types } = property.tree;
  return rates.map((range) => {
    const { rate_plan_id } = range;
    const followers = room_types.flatMap((room) => followersOf(room, rate_plan_id));
    return changed([rate_plan_id, ...followers.map(({ id }) => id)], range);
  });
}

/** The cells of an update, per format. */
const ARI: Readonly<Record<OtaFormat, (ari: AriUpdate, scope: MessageScope) => Changed[]>> = {
  ota_rates: ({ rates = [] }, scope) => pricesChanged(rates, scope),
  ota_availability({ rates = [], restrictions = [], ceilings = [] }, scope) {
    const { property, agentId } = scope;
    const plansOf = (roomTypeId: string) => [
      ...(property.rooms.get(roomTypeId)?.plans.keys() ?? []),
    ];
    // A night without an exact price is closed, so a changed rate may open or close it.
    const closing = rates.length > 0 && mayBeInexact(property.tree) ? rates : [];
    return [
      ...pricesChanged(closing, scope),
      ...restrictions.map((range) => {
        const { room_type_id, rate_plan_id } = range;
        return changed(rate_plan_id ? [rate_plan_id] : plansOf(room_type_id), range);
      }),
      ...ceilings.flatMap((range) => {
        const { rate_plan_id } = range;
        return rate_plan_id && isFor(range, agentId) ? [changed([rate_plan_id], range)] : [];
      }),
    ];
  },
  ota_inventory({ inventory = [], ceilings = [] }, { agentId }) {
    const ofRoom = ceilings.filter((range) => !range.rate_plan_id && isFor(range, agentId));
    return [...inventory, ...ofRoom].map((range) => changed([range.room_type_id], range));
  },
};
