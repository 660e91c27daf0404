/**
 * Prices, capacities and restrictions of demo hotels as compact ranges: a price per month for
 * weekdays and one for weekends. 400 nights of the largest hotel stay well under the body limit of
 * an ARI update.
 */
import { dateOf, dayOf, WEEKDAYS, weekdayOf } from "../../../engine/core/calendar.ts";
import type {
  AriUpdate,
  CeilingRange,
  DateRange,
  InventoryRange,
  PropertyTree,
  RateRange,
  RestrictionRange,
  Weekday,
} from "../../../engine/core/supply.ts";
import type { City } from "./catalogue.ts";
import type { Random } from "./random.ts";
import { scalePrice } from "./rooms.ts";

/** `nights` ≥ 1 stay dates from `startDate` (`YYYY-MM-DD`). */
export interface DateWindow {
  readonly startDate: string;
  readonly nights: number;
}

const WEEKEND: readonly Weekday[] = ["fri", "sat"];

function lastDay(window: DateWindow): number {
  return dayOf(window.startDate) + window.nights - 1;
}

/** The last stay date of the window, `YYYY-MM-DD`. */
export function lastDate(window: DateWindow): string {
  return dateOf(lastDay(window));
}

/** The weekdays or the weekend nights of one month. */
interface Season {
  readonly from: string;
  to: string;
  readonly days_of_week: Weekday[];
  /** 0 = January. */
  readonly month: number;
  readonly weekend: boolean;
}

/** The window cut into seasons; each night is in exactly one, none is empty. */
function seasons(window: DateWindow): Season[] {
  const cut = new Map<string, Season>();
  const last = lastDay(window);
  for (let day = dayOf(window.startDate); day <= last; day += 1) {
    const date = dateOf(day);
    const name = WEEKDAYS[weekdayOf(day)]!;
    const weekend = WEEKEND.includes(name);
    const key = `${date.slice(0, 7)} ${weekend}`;
    const season = cut.get(key) ?? {
      from: date,
      to: date,
      days_of_week: [],
      month: Number(date.slice(5, 7)) - 1,
      weekend,
    };
    season.to = date;
    if (!season.days_of_week.includes(name)) season.days_of_week.push(name);
    cut.set(key, season);
  }
  return [...cut.values()];
}

function rateRanges(property: PropertyTree, city: City, window: DateWindow): RateRange[] {
  const plans = property.room_types.flatMap((roomType) => roomType.rate_plans);
  return seasons(window).flatMap(({ month, weekend, ...range }) =>
    plans.map((plan) => ({
      rate_plan_id: plan.id,
      ...range,
      amount: scalePrice(
        plan.base_rate_per_night,
        city.seasonPct[month]!,
        weekend ? city.weekendPct : 100,
      ),
    })),
  );
}

/** A random block of consecutive nights, cut to the window. */
function block(window: DateWindow, nights: number, random: Random): DateRange {
  const length = Math.min(nights, window.nights);
  const from = dayOf(window.startDate) + random.int(0, window.nights - length);
  return { from: dateOf(from), to: dateOf(from + length - 1) };
}

/** `first` to `last` (`MM-DD`) of every year, cut to the window. */
function everyYear(window: DateWindow, first: string, last: string): DateRange[] {
  const { startDate } = window;
  const endDate = lastDate(window);
  const ranges: DateRange[] = [];
  for (let year = Number(startDate.slice(0, 4)); year <= Number(endDate.slice(0, 4)); year += 1) {
    const from = `${year}-${first}` < startDate ? startDate : `${year}-${first}`;
    const to = `${year}-${last}` > endDate ? endDate : `${year}-${last}`;
    if (from <= to) ranges.push({ from, to });
  }
  return ranges;
}

function inventoryRanges(
  property: PropertyTree,
  window: DateWindow,
  random: Random,
): InventoryRange[] {
  const whole = { from: window.startDate, to: lastDate(window) };
  return property.room_types.flatMap((roomType) => {
    const room_type_id = roomType.id;
    const ranges: InventoryRange[] = [
      { room_type_id, ...whole, capacity: roomType.default_inventory },
    ];
    if (random.chance(0.2)) {
      ranges.push({ room_type_id, ...block(window, random.int(5, 14), random), out_of_order: 1 });
    }
    return ranges;
  });
}

/** Closes only one room type and only for days, so every hotel sells most nights. */
function restrictionRanges(
  property: PropertyTree,
  window: DateWindow,
  random: Random,
): RestrictionRange[] {
  const { room_types } = property;
  const newYear = everyYear(window, "12-30", "12-31").flatMap((range) =>
    room_types.map(({ id }) => ({ room_type_id: id, ...range, min_los_arrival: 2 })),
  );
  const ranges: RestrictionRange[] = newYear;
  if (random.chance(0.4)) {
    for (const range of everyYear(window, "12-31", "12-31")) {
      ranges.push({ room_type_id: random.pick(room_types).id, ...range, cta: true });
    }
  }
  if (random.chance(0.5)) {
    const room_type_id = random.pick(room_types).id;
    ranges.push({ room_type_id, ...block(window, random.int(3, 6), random), stop_sell: true });
  }
  if (random.chance(0.5)) {
    const roomType = random.pick(room_types);
    const scope = { room_type_id: roomType.id, rate_plan_id: roomType.rate_plans[0]!.id };
    ranges.push({ ...scope, ...block(window, 60, random), min_los_arrival: 2 });
  }
  return ranges;
}

/** A daily limit of one unit on the dearest room type for two weeks, for all agents. */
export function ceilingRanges(
  property: PropertyTree,
  window: DateWindow,
  random: Random,
): CeilingRange[] {
  const room_type_id = property.room_types.at(-1)!.id;
  const everyone = { rate_plan_id: null, agent_id: null };
  return [{ room_type_id, ...everyone, ...block(window, 14, random), ceiling: 1 }];
}

/** The ARI of a hotel over the window, without ceilings. */
export function generateAri(
  place: { readonly property: PropertyTree; readonly city: City },
  window: DateWindow,
  random: Random,
): AriUpdate {
  const { property, city } = place;
  return {
    inventory: inventoryRanges(property, window, random),
    rates: rateRanges(property, city, window),
    restrictions: restrictionRanges(property, window, random),
  };
}
