/**
 * Query parameters of the desk's bookings. Every query is bounded: by a code, a guest, a hold,
 * dates at most a year apart, or a state, so that every answer is complete.
 */
import { Type } from "@sinclair/typebox";
import { dayOf } from "../../../engine/core/calendar.ts";
import type { BookingState } from "../../../engine/core/records.ts";
import { guestHash } from "../../access/privacy/guest.ts";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import type { FieldError } from "../../http/validate.ts";
import { instantParameter, wordParameter } from "../parameters.ts";
import { dateProblems } from "../stays.ts";
import { askedProperty, type BookingsAsked, holdOf } from "../visible.ts";

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

export const BOOKING_STATES = [
  "confirmed",
  "checked_in",
  "completed",
  "cancelled",
  "no_show",
] as const;

/** Text of the query. */
export function textParameter(description: string, lengthMax: number): QueryParameter {
  return {
    schema: Type.String({ minLength: 1, maxLength: lengthMax }),
    description,
    isValid: (value) => value.trim() !== "" && value.length <= lengthMax,
    fault: { message: "is empty or too long", expected: `text of 1 to ${lengthMax} characters` },
  };
}

function dateParameter(description: string): QueryParameter {
  return {
    schema: Type.String({ format: "date" }),
    description,
    isValid: (value) => !Number.isNaN(dayOf(value)),
    fault: { message: "is not a date", expected: "a date of the calendar, YYYY-MM-DD" },
  };
}

/** An age in the query. */
export const OLDER_THAN_S: QueryParameter = {
  schema: Type.Integer({ minimum: 0 }),
  description: "Minimum age in seconds.",
  isValid: (value) => /^\d{1,9}$/.test(value),
  fault: { message: "is not an age in seconds", expected: "a whole number from 0" },
};

export const PROPERTY: QueryParameter = textParameter(
  "Only at this property, by its id or slug.",
  120,
);
export const CONFIRMATION_CODE = textParameter("The guest's confirmation code, in any case.", 32);
export const HOLD_ID = textParameter("The hold that became the booking.", 64);

export const BOOKINGS_QUERY = {
  confirmation_code: CONFIRMATION_CODE,
  guest: {
    ...textParameter("The guest's e-mail address or full name, in any case.", 254),
    isPersonal: true,
  },
  hold_id: HOLD_ID,
  arrivals: dateParameter("Stays that begin on this date."),
  departures: dateParameter("Stays that end on this date."),
  in_house: dateParameter("Stays with a night on this date."),
  check_in_from: dateParameter("Stays that begin on this date or later; with `check_in_to`."),
  check_in_to: dateParameter("Stays that begin on this date or earlier; with `check_in_from`."),
  created_from: instantParameter("Bookings made at this instant or later; with `created_to`."),
  created_to: instantParameter("Bookings made at this instant or earlier; with `created_from`."),
  property_id: PROPERTY,
  state: wordParameter(BOOKING_STATES, "Only bookings in this state."),
  agent_id: textParameter("Only bookings of this agent.", 64),
};

type Query = ReadonlyMap<string, string>;

/** Normalizes a code, which people write with spaces and in small letters. */
export function codeFrom(text: string): string {
  return text.replace(/[\s-]/g, "").toUpperCase();
}

/** The two ends of a range; null without both. Adds its errors to `errors`. */
function rangeOf(query: Query, name: "check_in" | "created", errors: FieldError[]) {
  const ends = [`${name}_from`, `${name}_to`] as const;
  const [from, to] = ends.map((end) => query.get(end));
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) {
    const path = `?${from === undefined ? ends[0] : ends[1]}`;
    errors.push({ path, message: "is missing", expected: "both ends of the range" });
    return null;
  }
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days < 0 || days > DAYS_MAX) {
    const message = days < 0 ? "is before the other end" : "is too far from the other end";
    const expected = `at most ${DAYS_MAX} days after ${ends[0]}`;
    errors.push({ path: `?${ends[1]}`, message, expected });
  }
  return [from, to] as const;
}

/** The same for the members of a body; undefined without both. */
export function checkInRange(from: string | undefined, to: string | undefined) {
  const given = [["check_in_from", from] as const, ["check_in_to", to] as const];
  const query = new Map(given.flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
  const errors = given.flatMap(([name, value]) => dateProblems(value, `/${name}`));
  const range = errors.length > 0 ? null : rangeOf(query, "check_in", errors);
  const inBody = errors.map((error) => ({ ...error, path: error.path.replace("?", "/") }));
  return errors.length > 0 ? invalid(inBody) : (range ?? undefined);
}

/** The dates that are asked for. */
function datesOf(query: Query, errors: FieldError[]) {
  const arrivals = query.get("arrivals");
  const departures = query.get("departures");
  const in_house = query.get("in_house");
  const between = rangeOf(query, "check_in", errors);
  const created = rangeOf(query, "created", errors);
  if (arrivals !== undefined && between) {
    const expected = "arrivals alone, or check_in_from with check_in_to";
    errors.push({
      path: "?arrivals",
      message: "duplicates check_in_from and check_in_to",
      expected,
    });
  }
  const check_in = arrivals === undefined ? between : ([arrivals, arrivals] as const);
  return {
    ...(check_in && { check_in }),
    ...(departures !== undefined && { check_out: [departures, departures] as const }),
    ...(in_house !== undefined && { in_house }),
    ...(created && { created_at: [Date.parse(created[0]), Date.parse(created[1])] as const }),
  };
}

/** The requested booking by code or guest. */
function whoseOf({ query, context, principal }: Call) {
  const code = query.get("confirmation_code");
  const guest = query.get("guest");
  const kind = guest?.includes("@") ? "email" : "name";
  const hash = guest && guestHash(context.keys.hmac, principal.tenant_id, kind, guest);
  return {
    ...(code !== undefined && { confirmation_code: codeFrom(code) }),
    ...(hash && { guest: { kind, hash } as const }),
  };
}

/**
 * The checked query; null without possible matches, because the hold is not booked. Refused without
 * a bound, or for a property without access.
 */
export function bookingsAsked(call: Call): BookingsAsked | Refusal | null {
  const { query } = call;
  const errors: FieldError[] = [];
  const found = { ...whoseOf(call), ...datesOf(query, errors) };
  const hold_id = query.get("hold_id");
  const state = query.get("state") as BookingState | undefined;
  if (errors.length > 0) return invalid(errors);
  const property = askedProperty(call);
  if (property && "code" in property) return property;
  const booking_id = hold_id === undefined ? undefined : bookingOfHold(call, hold_id);
  if (booking_id === null) return null;
  const agent_id = query.get("agent_id");
  return {
    ...found,
    ...(booking_id !== undefined && { booking_id }),
    ...(property && { property_id: property.tree.id }),
    ...(state !== undefined && { state }),
    ...(agent_id !== undefined && { agent_id }),
  };
}

/** The booking of a hold; null without one, or without access. */
export function bookingOfHold(call: Call, holdId: string): string | null {
  const hold = holdOf(call, holdId);
  return "code" in hold ? null : hold.booking_id;
}
