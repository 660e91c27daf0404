/** Values of OpenTravel messages, in the forms that channel managers send. */
import { dayOf, WEEKDAYS } from "../../engine/core/calendar.ts";
import type { Weekday } from "../../engine/core/supply.ts";
import { attributeOf, childOf, type Element } from "../reading/element.ts";
import type { RecordedAri, Target } from "./recorded-ari.ts";

/** Longest code of a room type or rate plan. */
const CODE_CHARACTERS_MAX = 64;

/** A whole number up to `most`; null for anything else. */
export function wholeOf(text: string | null, most: number): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null;
  const value = Number(text);
  return value <= most ? value : null;
}

/** `true`, `1`, `false` or `0`; null for anything else. */
function flagOf(text: string): boolean | null {
  if (/^(?:true|1)$/i.test(text)) return true;
  return /^(?:false|0)$/i.test(text) ? false : null;
}

/** Days of `P3D`, `3D`, `3`, and whole days of `PT48H`; null for anything else. */
export function daysOf(text: string): number | null {
  const [, days] = /^P?(\d{1,6})D?$/i.exec(text) ?? [];
  if (days !== undefined) return Number(days);
  const [, hours] = /^PT(\d{1,6})H$/i.exec(text) ?? [];
  return hours !== undefined && Number(hours) % 24 === 0 ? Number(hours) / 24 : null;
}

/** The names of each weekday's attribute. */
const DAY_NAMES: Readonly<Record<Weekday, readonly string[]>> = {
  mon: ["Mon"],
  tue: ["Tue"],
  wed: ["Weds", "Wed"],
  thu: ["Thur", "Thu"],
  fri: ["Fri"],
  sat: ["Sat"],
  sun: ["Sun"],
};

/**
 * The weekdays that apply; null for all, undefined for none or an invalid value. A day without an
 * attribute applies unless another one is `true`.
 */
function weekdaysOf(control: Element): readonly Weekday[] | null | undefined {
  const given = WEEKDAYS.map((day) => {
    const [text] = DAY_NAMES[day].flatMap((name) => attributeOf(control, name) ?? []);
    return text === undefined ? undefined : flagOf(text);
  });
  if (given.includes(null)) return undefined;
  const others = !given.includes(true);
  const days = WEEKDAYS.filter((_, i) => given[i] ?? others);
  if (days.length === WEEKDAYS.length) return null;
  return days.length === 0 ? undefined : days;
}

/** `YYYY-MM-DD` of a date that may have a time; null for anything else. */
function dateIn(text: string): string | null {
  const [, date] = /^(\d{4}-\d\d-\d\d)(?:T[\d:.Z+-]*)?$/.exec(text) ?? [];
  return date === undefined || Number.isNaN(dayOf(date)) ? null : date;
}

/** The codes that an item must have. */
type Needed = "room" | "plan";

/** Nights and codes of an item; null after adding its faults. */
export function targetOf(
  item: Element,
  record: number,
  needed: Needed,
  into: RecordedAri,
): Target | null {
  const before = into.faults.length;
  const control = childOf(item, "StatusApplicationControl");
  if (control === null) {
    into.fault("missing", record, "StatusApplicationControl is missing");
    return null;
  }
  const room = codeIn(control, ["InvTypeCode", "InvCode"], "roomType", record, into);
  const plan = codeIn(control, ["RatePlanCode"], "ratePlan", record, into);
  if (needed === "room" && room === null) into.fault("missing", record, "InvTypeCode is missing");
  if (needed === "plan" && plan === null) into.fault("missing", record, "RatePlanCode is missing");
  const [from, to] = ["Start", "End"].map((name) => dayIn(control, name, record, into));
  const days = weekdaysOf(control);
  if (days === undefined) {
    into.fault("value", record, "weekdays are invalid; expected true or false, and at least one");
  }
  if (into.faults.length > before) return null;
  const range = { from: from!, to: to!, ...(days && { days_of_week: days }) };
  return { range, room, plan };
}

function dayIn(control: Element, name: string, record: number, into: RecordedAri): string | null {
  const text = attributeOf(control, name);
  if (text === null) into.fault("missing", record, `${name} is missing`);
  const date = text === null ? null : dateIn(text);
  if (text !== null && date === null) {
    into.fault("date", record, `${name} is not a date; expected YYYY-MM-DD`);
  }
  return date;
}

function codeIn(
  control: Element,
  names: readonly string[],
  kind: "roomType" | "ratePlan",
  record: number,
  into: RecordedAri,
): string | null {
  const code = names.map((name) => attributeOf(control, name)).find((each) => each !== null);
  if (code === undefined || code === null) return null;
  if (code !== "" && code.length <= CODE_CHARACTERS_MAX) return code;
  const expected = `1 to ${CODE_CHARACTERS_MAX} characters`;
  into.fault(kind, record, `${names[0]} is invalid; expected ${expected}`);
  return null;
}
