/**
 * Civil dates, zones and instants. A date is an integer day number (days since 1970-01-01) inside
 * the engine and `YYYY-MM-DD` on the wire; an instant is epoch milliseconds inside and RFC 3339
 * on the wire. Time is always an argument: nothing here reads a clock.
 */
import type { Weekday } from "./supply.ts";

/** Index = `weekdayOf`. */
export const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DASH = 45;

/** Decimal number in `text[from, to)`, NaN when a character is not a digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysInMonth(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return MONTH_DAYS[month - 1]! + (leap ? 1 : 0);
}

/**
 * Day number of a proleptic Gregorian date `YYYY-MM-DD`, years 0000–9999; NaN when the text is
 * anything else or the date does not exist. Years are counted from March, so that the leap day is
 * the last day of a year and months have a closed formula.
 */
export function dayOf(date: string): number {
  if (date.length !== 10 || date.charCodeAt(4) !== DASH || date.charCodeAt(7) !== DASH) {
    return Number.NaN;
  }
  const year = digits(date, 0, 4);
  const month = digits(date, 5, 7);
  const day = digits(date, 8, 10);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) {
    return Number.NaN;
  }
  const marchYear = month > 2 ? year : year - 1;
  const leaps = Math.floor(marchYear / 4) - Math.floor(marchYear / 100);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return marchYear * 365 + leaps + Math.floor(marchYear / 400) + dayOfYear - 719_468;
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

/** `YYYY-MM-DD` of a day number; the inverse of `dayOf` on years 0000–9999. */
export function dateOf(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const centuries = Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1_460) + centuries) / 365);
  const yearStart = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - yearStart;
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfMonth, 2)}`;
}

/** 0 = monday … 6 = sunday, also for days before 1970. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Cached data of a time zone. */
interface Zone {
  /** Building a formatter costs far more than using it. */
  readonly formatter: Intl.DateTimeFormat;
  /** By UTC day: the offset of the whole day, or a change. */
  readonly days: Map<number, number | Change>;
}

/** A UTC day on which the clock changes: at `atMs` from one offset to another. */
interface Change {
  readonly atMs: number;
  readonly before: number;
  readonly after: number;
}

/** One per time zone in use, by its name in lower case: spellings are unlimited. */
const zones = new Map<string, Zone>();
/** More than a property sells; beyond it the days are computed again. */
const DAYS_KEPT_MAX = 1_000;

function newFormatter(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
}

function zoneOf(name: string): Zone {
  const spelled = name.toLowerCase();
  let zone = zones.get(spelled);
  if (zone === undefined) {
    zone = { formatter: newFormatter(name), days: new Map() };
    zones.set(spelled, zone);
  }
  return zone;
}

/** True for an IANA zone name that this runtime knows. Bare offsets (`+01:00`) are not zones. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    newFormatter(zone);
    return true;
  } catch {
    return false;
  }
}

/** Local time minus UTC in milliseconds; the formatter answers e.g. `12/20/2026, GMT+01:00`. */
function offsetFormatted({ formatter }: Zone, ms: number): number {
  const text = formatter.format(ms);
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) throw new Error(`no offset in ${text}`);
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === "-" ? -seconds : seconds) * 1000;
}

/** Cached by day: a quote asks some 25 times, and formatting is expensive. */
function offsetAt(name: string, ms: number): number {
  const zone = zoneOf(name);
  const day = Math.floor(ms / DAY_MS);
  let known = zone.days.get(day);
  if (known === undefined) {
    known = offsetsOn(zone, day);
    if (zone.days.size >= DAYS_KEPT_MAX) zone.days.clear();
    zone.days.set(day, known);
  }
  if (typeof known === "number") return known;
  return ms < known.atMs ? known.before : known.after;
}

/** No time zone changes its clock twice in a day, so equal offsets at both ends hold in between. */
function offsetsOn(zone: Zone, day: number): number | Change {
  const [startMs, endMs] = [day * DAY_MS, (day + 1) * DAY_MS];
  const before = offsetFormatted(zone, startMs);
  const after = offsetFormatted(zone, endMs);
  if (before === after) return before;
  const isAfter = (ms: number) => offsetFormatted(zone, ms) === after;
  return { atMs: firstInstant(startMs, endMs, isAfter), before, after };
}

/** The first instant in (low, high] for which `isTrue`, which must stay true from there on. */
function firstInstant(low: number, high: number, isTrue: (ms: number) => boolean): number {
  let before = low;
  let after = high;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isTrue(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** Day number of the local date in `zone` at `nowMs`. Throws RangeError on an unknown zone. */
export function todayIn(zone: string, nowMs: number): number {
  return Math.floor((nowMs + offsetAt(zone, nowMs)) / DAY_MS);
}

/**
 * Instant at which the local clock of `zone` shows `wallMs` (local time read as if it were UTC).
 * The offsets a day before and a day after are the only two that can apply.
 */
function instantOf(wallMs: number, zone: string, whichOfTwo: "earlier" | "later"): number {
  const early = wallMs - offsetAt(zone, wallMs + DAY_MS);
  const late = wallMs - offsetAt(zone, wallMs - DAY_MS);
  const [first, last] = early < late ? [early, late] : [late, early];
  const readings = whichOfTwo === "later" ? [last, first] : [first, last];
  const found = readings.find((reading) => reading + offsetAt(zone, reading) === wallMs);
  if (found !== undefined) return found;
  const offset = offsetAt(zone, last);
  return firstInstant(first, last, (ms) => offsetAt(zone, ms) === offset);
}

/** `YYYY-MM-DDTHH:mm:ss±hh:mm` of an instant in a zone. */
function localIso(ms: number, zone: string): string {
  const offset = offsetAt(zone, ms);
  const minutes = Math.abs(offset) / MINUTE_MS;
  const local = new Date(ms + offset).toISOString().slice(0, 19);
  const hours = padded(Math.floor(minutes / 60), 2);
  return `${local}${offset < 0 ? "-" : "+"}${hours}:${padded(Math.floor(minutes % 60), 2)}`;
}

/**
 * The instant of local `time` (`HH:mm`) on `day` in `zone`, as epoch milliseconds and with its
 * local offset (`2026-12-20T15:00:00+01:00`). A time skipped by a clock change is the first instant
 * after the gap; a time that occurs twice is the later one. Throws RangeError on an
 * unknown zone or a time that is not `HH:mm`.
 */
export function localInstant(day: number, time: string, zone: string): { ms: number; iso: string } {
  const minutes = digits(time, 0, 2) * 60 + digits(time, 3, 5);
  if (time.length !== 5 || time[2] !== ":" || !(minutes < 1440)) {
    throw new RangeError("time must be HH:mm");
  }
  // The later of two, in the guest's favour.
  const ms = instantOf(day * DAY_MS + minutes * MINUTE_MS, zone, "later");
  return { ms, iso: localIso(ms, zone) };
}

/** First instant of a day in `zone`, also when its first hour is skipped or occurs twice. */
export function dayStart(day: number, zone: string): number {
  return instantOf(day * DAY_MS, zone, "earlier");
}

/** A clock changes by at most this much, so a time that occurs twice recurs within it. */
const CLOCK_CHANGE_MAX_MS = 2 * 3_600_000;

/**
 * Local time in a zone, for texts: `YYYY-MM-DDTHH:mm:ss`, the offset (`+01:00`), and whether the
 * same local time occurs at another instant too.
 */
export function localTime(
  ms: number,
  zone: string,
): { readonly text: string; readonly offset: string; readonly isTwice: boolean } {
  const iso = localIso(ms, zone);
  const here = offsetAt(zone, ms);
  const isTwice = [-CLOCK_CHANGE_MAX_MS, CLOCK_CHANGE_MAX_MS].some((away) => {
    const other = offsetAt(zone, ms + away);
    return other !== here && offsetAt(zone, ms + here - other) === other;
  });
  return { text: iso.slice(0, 19), offset: iso.slice(19), isTwice };
}

/** The base day is this many days back, so that it is before today in every time zone. */
const BASE_BEHIND_DAYS = 2;

/** The base day at an instant: no night before it is sold in any time zone. */
export function baseDayAt(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS) - BASE_BEHIND_DAYS;
}

/** RFC 3339 UTC with milliseconds and `Z`, the wire form of every instant. */
export function instantIso(ms: number): string {
  return new Date(ms).toISOString();
}
