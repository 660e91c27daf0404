/** The days that the page of figures is about, and those it compares them with. */
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";

/** Of the choice, before and after the present month. */
const MONTHS_BEFORE = 12;
const MONTHS_AFTER = 11;
/** Longer ranges are shown by week, then by month: a chart has room for so many marks. */
const DAYS_BY_DAY = 124;
const DAYS_BY_WEEK = 731;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const MONTH_NAME = new Intl.DateTimeFormat("en-GB", {
  ...{ month: "short", year: "numeric", timeZone: "UTC" },
});
const DAYS_NAME = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" },
});

/** Civil dates, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface Range extends Days {
  readonly granularity: "day" | "week" | "month";
  /** As many days as the range, or a whole month; null where the dates are none. */
  readonly before: Days | null;
}

type Query = Pick<ReadonlyMap<string, string>, "get">;

/**
 * What the form asks for. Dates go before the month; what they must be, the API says. `today` is a
 * civil date.
 */
export function rangeOf(query: Query, today: string): Range {
  const text = (name: string) => query.get(name)?.trim() ?? "";
  const [from, to, since] = [text("from"), text("to"), text("compare_from")];
  const isByDates = from !== "" || to !== "";
  const days = isByDates ? { from: from || to, to: to || from } : daysOf(monthOf(query, today));
  const count = dayOf(days.to) - dayOf(days.from) + 1;
  const granularity = count > DAYS_BY_WEEK ? "month" : count > DAYS_BY_DAY ? "week" : "day";
  if (!(count > 0)) return { ...days, granularity: "day", before: null };
  if (since !== "") return { ...days, granularity, before: daysFrom(since, count) };
  if (isByDates) {
    return { ...days, granularity, before: daysFrom(dateOf(dayOf(days.from) - count), count) };
  }
  return { ...days, granularity, before: daysOf(shifted(days.from.slice(0, 7), -1)) };
}

/** The month that is chosen; the present one by default. */
export function monthOf(query: Query, today: string): string {
  const month = query.get("month") ?? "";
  return MONTH.test(month) ? month : today.slice(0, 7);
}

/** Months to choose from, with a chosen one that is not among them. */
export function monthsAround(today: string, chosen: string): string[] {
  const present = today.slice(0, 7);
  const count = MONTHS_BEFORE + 1 + MONTHS_AFTER;
  const months = Array.from({ length: count }, (_, nth) => shifted(present, nth - MONTHS_BEFORE));
  return months.includes(chosen) ? months : [chosen, ...months].sort();
}

function shifted(month: string, by: number): string {
  const [year, nth] = month.split("-").map(Number);
  const months = year! * 12 + nth! - 1 + by;
  const inYear = String((months % 12) + 1).padStart(2, "0");
  return `${String(Math.floor(months / 12)).padStart(4, "0")}-${inYear}`;
}

function daysOf(month: string): Days {
  const last = dayOf(`${shifted(month, 1)}-01`) - 1;
  return { from: `${month}-01`, to: dateOf(last) };
}

function daysFrom(from: string, count: number): Days | null {
  const first = dayOf(from);
  return Number.isNaN(first) ? null : { from, to: dateOf(first + count - 1) };
}

/** `Nov 2026`. */
export function monthName(month: string): string {
  return MONTH_NAME.format(Date.parse(`${month}-01`));
}

/** `Nov 2026` for a whole month, else the first and the last day. */
export function nameOf({ from, to }: Days): string {
  const month = from.slice(0, 7);
  const whole = daysOf(month);
  if (from === whole.from && to === whole.to) return monthName(month);
  return DAYS_NAME.formatRange(Date.parse(from), Date.parse(to));
}
