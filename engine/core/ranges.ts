import { dayOf, WEEKDAYS, weekdayOf } from "./calendar.ts";
import type { DateRange } from "./supply.ts";

/** Calls `visit` for every night of the range from `firstDay` on that its weekdays include. */
export function eachDay(range: DateRange, firstDay: number, visit: (day: number) => void): void {
  someDay(range, firstDay, (day) => {
    visit(day);
    return false;
  });
}

/** Whether `matches` holds for one of these nights; stops at the first. */
export function someDay(
  range: DateRange,
  firstDay: number,
  matches: (day: number) => boolean,
): boolean {
  const allowed = range.days_of_week && WEEKDAYS.map((name) => range.days_of_week!.includes(name));
  const last = dayOf(range.to);
  for (let day = Math.max(dayOf(range.from), firstDay); day <= last; day += 1) {
    if ((!allowed || allowed[weekdayOf(day)]) && matches(day)) return true;
  }
  return false;
}
