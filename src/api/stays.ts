/** Stays and parties of a body: date checks beyond the schema. */
import type { Static } from "@sinclair/typebox";
import { latestCheckOut } from "../../engine/core/availability/horizon.ts";
import { dateOf, dayOf, todayIn } from "../../engine/core/calendar.ts";
import { type Party, STAY_NIGHTS_MAX, type Stay } from "../../engine/core/price/quote.ts";
import { stayBody } from "../actions/call-parts.ts";
import type { Call } from "../http/call.ts";
import type { Guests } from "../http/schema/request-parts.ts";
import type { FieldError } from "../http/validate.ts";

const DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Errors of a stay: dates that do not exist, check-out not after check-in, more than 90 nights,
 * check-in before `todayDay` (a day number; -Infinity disables it). Takes any value and does not
 * repeat the schema's errors, so both lists can be joined. `at` is the pointer of the stay.
 */
export function stayProblems(stay: unknown, todayDay: number, at = "/stay"): FieldError[] {
  if (typeof stay !== "object" || stay === null) return [];
  const { check_in, check_out } = stay as Readonly<Record<string, unknown>>;
  const errors = [
    ...dateProblems(check_in, `${at}/check_in`),
    ...dateProblems(check_out, `${at}/check_out`),
  ];
  const first = typeof check_in === "string" ? dayOf(check_in) : Number.NaN;
  const last = typeof check_out === "string" ? dayOf(check_out) : Number.NaN;
  if (first < todayDay) {
    const expected = `${dateOf(todayDay)} or later`;
    errors.push({ path: `${at}/check_in`, message: "is in the past", expected });
  }
  if (last <= first) {
    const expected = "a date after check_in";
    errors.push({ path: `${at}/check_out`, message: "is not after check_in", expected });
  }
  if (last - first > STAY_NIGHTS_MAX) {
    const expected = `at most ${STAY_NIGHTS_MAX} nights after check_in`;
    errors.push({ path: `${at}/check_out`, message: "is too far after check_in", expected });
  }
  return errors;
}

/** The same, with dates beyond the sales horizon; `todayDay` is today at the property. */
export function saleProblems(stay: Stay, todayDay: number, at = "/stay"): FieldError[] {
  return [...stayProblems(stay, todayDay, at), ...horizonProblems(stay, todayDay, at)];
}

/** Errors of a check-out beyond the sales horizon. */
export function horizonProblems(stay: Stay, todayDay: number, at = "/stay"): FieldError[] {
  const latest = latestCheckOut(todayDay);
  if (dayOf(stay.check_out) <= latest) return [];
  const message = "is beyond the dates that can be sold";
  return [{ path: `${at}/check_out`, message, expected: `${dateOf(latest)} or earlier` }];
}

/** The error of a well-formed date that does not exist. */
export function dateProblems(date: unknown, path: string): FieldError[] {
  if (typeof date !== "string" || !DATE_FORM.test(date) || !Number.isNaN(dayOf(date))) return [];
  return [{ path, message: "is not a calendar date", expected: "a date of the calendar" }];
}

/** Guests as the engine counts them: no children is an empty list. */
export function partyOf(guests: Static<typeof Guests>): Party {
  return { adults: guests.adults, children: guests.children ?? [] };
}

/** One night for two, in two weeks. */
const DAYS_AHEAD = 14;

/** A complete search, to be adapted to the trip. */
export function exampleStayBody({ context, principal }: Call): Record<string, unknown> {
  const day = todayIn("UTC", context.timeIn(principal)) + DAYS_AHEAD;
  const stay = { check_in: dateOf(day), check_out: dateOf(day + 1) };
  return stayBody({ stay, guests: { adults: 2, children: [] } });
}
