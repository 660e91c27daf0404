/** Key figures from sums: rates and averages by period, as defined in `key-figures.md`. */
import { dateOf, weekdayOf } from "../../../engine/core/calendar.ts";
import {
  ACTIVITY_MEASURES,
  type ActivityMeasure,
  NIGHT_MEASURES,
  type NightMeasure,
} from "../../../jobs/kpis/measures.ts";
import type { DaySum, DaySums } from "../../../jobs/kpis/reader.ts";
import type { Granularity } from "./query.ts";

type Night = Record<NightMeasure, number>;
type Activity = Record<ActivityMeasure, number>;

/** Days `first` to `last`, both included. */
export interface Period {
  readonly first: number;
  readonly last: number;
}

/** The calendar's weeks (from Monday) or months within the days, cut at both ends. */
function periodsOf({ first, last }: Period, granularity: Granularity): Period[] {
  if (granularity === "total") return [{ first, last }];
  const periods: { first: number; last: number }[] = [];
  for (let day = first; day <= last; day += 1) {
    const begins =
      granularity === "day" ||
      (granularity === "week" && weekdayOf(day) === 0) ||
      (granularity === "month" && dateOf(day).endsWith("-01"));
    if (begins || periods.length === 0) periods.push({ first: day, last: day });
    else periods.at(-1)!.last = day;
  }
  return periods;
}

/** Sums of one period. */
class Sums {
  available = 0;
  outOfOrder = 0;
  readonly #nights = new Map<string, Night>();
  readonly #activities = new Map<string, Activity>();

  night(currency: string): Night {
    return known(this.#nights, currency, () => zeros(NIGHT_MEASURES));
  }

  activity(currency: string): Activity {
    return known(this.#activities, currency, () => zeros(ACTIVITY_MEASURES));
  }

  get currencies(): string[] {
    return [...new Set([...this.#nights.keys(), ...this.#activities.keys()])].sort();
  }

  /** Counts add up across currencies; amounts do not, and are not summed here. */
  count(measure: Exclude<NightMeasure, `${string}revenue` | `${string}fees`>): number {
    return [...this.#nights.values()].reduce((sum, night) => sum + night[measure], 0);
  }

  times(measure: Exclude<ActivityMeasure, "refunded">): number {
    return [...this.#activities.values()].reduce((sum, activity) => sum + activity[measure], 0);
  }
}

function known<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

function zeros<M extends string>(measures: readonly M[]): Record<M, number> {
  return Object.fromEntries(measures.map((measure) => [measure, 0])) as Record<M, number>;
}

function sumsOf(sums: DaySums, periods: readonly Period[]): Sums[] {
  const all = periods.map(() => new Sums());
  const [firstDay, lastDay] = [periods[0]!.first, periods.at(-1)!.last];
  const ofDay = periods.flatMap(({ first, last }, nth) =>
    Array.from({ length: last - first + 1 }, () => all[nth]!),
  );
  const at = (day: number) => ofDay[day - firstDay]!;
  for (const { day, keys, values } of sums.night) {
    add(at(day).night(keys[0]!), NIGHT_MEASURES, values);
  }
  for (const { day, keys, values } of sums.activity) {
    add(at(day).activity(keys[1]!), ACTIVITY_MEASURES, values);
  }
  const steps = [...sums.supply].sort((a, b) => a.day - b.day);
  let [available, outOfOrder, next] = [0, 0, 0];
  for (let day = firstDay; day <= lastDay; day += 1) {
    for (; next < steps.length && steps[next]!.day <= day; next += 1) {
      available += steps[next]!.values[0]!;
      outOfOrder += steps[next]!.values[1]!;
    }
    at(day).available += available;
    at(day).outOfOrder += outOfOrder;
  }
  return all;
}

function add<M extends string>(
  to: Record<M, number>,
  measures: readonly M[],
  values: DaySum["values"],
): void {
  for (const [nth, measure] of measures.entries()) to[measure] += values[nth]!;
}

/** A share or an average, rounded; null with a zero denominator. */
function ratio(part: number, of: number, decimals = 4): number | null {
  return of === 0 ? null : Math.round((part / of) * 10 ** decimals) / 10 ** decimals;
}

/** Minor units, half up. */
function average(amount: number, of: number): number | null {
  return of === 0 ? null : Math.round(amount / of);
}

/** The figures of a period; `isOneCurrency`: the period has one currency. */
function periodFigures(sums: Sums, period: Period, isOneCurrency: boolean) {
  const rooms_sold = sums.count("rooms_sold");
  const [bookings, stays] = [sums.count("bookings"), sums.count("stays")];
  const [cancelled, no_shows] = [sums.count("cancelled"), sums.count("no_shows")];
  const [expired, released] = [sums.times("holds_expired"), sums.times("holds_released")];
  const ended = expired + released + sums.times("bookings_made");
  const failed = sums.times("payments_failed");
  return {
    ...{ from: dateOf(period.first), to: dateOf(period.last) },
    rooms_available: sums.available,
    rooms_out_of_order: sums.outOfOrder,
    rooms_sold,
    occupancy: ratio(rooms_sold, sums.available),
    by_currency: sums.currencies.map((currency) => inCurrency(sums, currency, isOneCurrency)),
    ...{ arrivals: bookings, cancelled, no_shows },
    cancellation_rate: ratio(cancelled, bookings),
    no_show_rate: ratio(no_shows, bookings - cancelled),
    alos: ratio(sums.count("stay_nights"), stays, 2),
    lead_time_days: ratio(sums.count("lead_days"), stays, 2),
    holds: sums.times("holds"),
    holds_expired: expired,
    holds_released: released,
    hold_expiry_rate: ratio(expired, ended),
    bookings_made: sums.times("bookings_made"),
    bookings_cancelled: sums.times("bookings_cancelled"),
    payments_failed: failed,
    payment_failure_rate: ratio(failed, failed + sums.times("payments_captured")),
  };
}

export type Figures = ReturnType<typeof periodFigures>;

function inCurrency(sums: Sums, currency: string, isOneCurrency: boolean) {
  const { rooms_sold, room_revenue, ...night } = sums.night(currency);
  const { refunds, refunded } = sums.activity(currency);
  const { cancellation_fees, no_show_fees, early_departure_revenue } = night;
  return {
    ...{ currency, rooms_sold, room_revenue },
    adr: average(room_revenue, rooms_sold),
    // Availability has no currency.
    revpar: isOneCurrency ? average(room_revenue, sums.available) : null,
    ...{ cancellation_fees, no_show_fees, early_departure_revenue, refunds, refunded },
  };
}

/** Figures by period and in total. */
export function figuresOf(
  sums: DaySums,
  range: Period,
  granularity: Granularity,
): { readonly items: readonly Figures[]; readonly total: Figures } {
  const currencies = new Set(sums.night.map(({ keys }) => keys[0]));
  const isOneCurrency = currencies.size <= 1;
  const periods = periodsOf(range, granularity);
  const items = sumsOf(sums, periods).map((each, nth) =>
    periodFigures(each, periods[nth]!, isOneCurrency),
  );
  const [all] = sumsOf(sums, [range]);
  return { items, total: periodFigures(all!, range, isOneCurrency) };
}

/** Pickup: rooms and revenue of the same nights, now minus then. */
export function pickupOf(now: Figures, then: Figures) {
  const before = new Map(then.by_currency.map((each) => [each.currency, each]));
  const after = new Map(now.by_currency.map((each) => [each.currency, each]));
  const currencies = [...new Set([...before.keys(), ...after.keys()])].sort();
  return {
    rooms_sold: now.rooms_sold - then.rooms_sold,
    by_currency: currencies.map((currency) => {
      const [to, from] = [after.get(currency), before.get(currency)];
      const rooms_sold = (to?.rooms_sold ?? 0) - (from?.rooms_sold ?? 0);
      const room_revenue = (to?.room_revenue ?? 0) - (from?.room_revenue ?? 0);
      return { currency, rooms_sold, room_revenue };
    }),
  };
}

/** Holds and bookings by agent over all days. */
export function agentsOf({ activity }: DaySums) {
  const byAgent = new Map<string, { holds: number; bookings: number }>();
  for (const { keys, values } of activity) {
    const agent = known(byAgent, keys[0]!, () => ({ holds: 0, bookings: 0 }));
    agent.holds += values[ACTIVITY_MEASURES.indexOf("holds")]!;
    agent.bookings += values[ACTIVITY_MEASURES.indexOf("bookings_made")]!;
  }
  return byAgent;
}
