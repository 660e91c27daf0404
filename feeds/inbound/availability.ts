/**
 * `AvailStatusMessage` and `Inventory`: units that are left, and restrictions. A status without a
 * rate plan is the room type's; both are checked, so a closed room type closes all of its plans.
 */
import { PATTERN_NIGHTS_MAX, type RestrictionFields } from "../../engine/core/rules.ts";
import { attributeOf, childrenOf, type Element } from "../reading/element.ts";
import type { RecordedAri } from "./recorded-ari.ts";
import { daysOf, targetOf, wholeOf } from "./values.ts";

/** More than any room type has. */
const UNITS_MAX = 60_000;
/** Limits of this many nights or days, and longer ones, are none. */
const NO_LIMIT = 999;

/** Fields that are being gathered. */
type Fields = { -readonly [N in keyof RestrictionFields]: RestrictionFields[N] };

/** An `AvailStatusMessage`: what is left, restrictions, or both. */
export function readStatus(item: Element, record: number, into: RecordedAri): void {
  const target = targetOf(item, record, "room", into);
  if (target === null) return;
  const before = into.faults.length;
  const left = limitOf(item, record, into);
  const fields: Fields = {};
  for (const lengths of childrenOf(item, "LengthsOfStay")) {
    readLengths(lengths, record, fields, into);
  }
  for (const status of childrenOf(item, "RestrictionStatus")) {
    readRestriction(status, record, fields, into);
  }
  const hasFields = Object.keys(fields).length > 0;
  if (left !== null) into.left(record, target, left);
  if (hasFields) into.restrict(record, target, fields);
  if (left !== null || hasFields || into.faults.length > before) return;
  const needed = "BookingLimit, LengthsOfStay or RestrictionStatus";
  into.fault("missing", record, `${needed} is missing`);
}

/** `BookingLimit`; null without one. */
function limitOf(item: Element, record: number, into: RecordedAri): number | null {
  const text = attributeOf(item, "BookingLimit");
  if (text === null) return null;
  const type = attributeOf(item, "BookingLimitMessageType") ?? "SetLimit";
  if (type !== "SetLimit") {
    into.fault("unable", record, "BookingLimitMessageType is unknown; expected SetLimit");
  }
  return unitsOf("BookingLimit", text, record, into);
}

function unitsOf(
  name: string,
  text: string | null,
  record: number,
  into: RecordedAri,
): number | null {
  const units = wholeOf(text, UNITS_MAX);
  if (units === null) {
    const expected = `a whole number from 0 to ${UNITS_MAX}`;
    into.fault("value", record, `${name} is invalid; expected ${expected}`);
  }
  return units;
}

/** What each type of length sets: on the arrival, and where it is not arrival-based. */
const LENGTHS = {
  SetMinLOS: ["min_los_arrival", "min_stay_through"],
  MinLOS: ["min_los_arrival", "min_stay_through"],
  SetMaxLOS: ["max_los_arrival", "max_stay_through"],
  MaxLOS: ["max_los_arrival", "max_stay_through"],
  SetForwardMinStay: ["min_stay_through", "min_stay_through"],
  SetForwardMaxStay: ["max_stay_through", "max_stay_through"],
} as const;

function readLengths(lengths: Element, record: number, fields: Fields, into: RecordedAri): void {
  const isThrough = /^(?:false|0)$/i.test(attributeOf(lengths, "ArrivalDateBased") ?? "");
  for (const each of childrenOf(lengths, "LengthOfStay")) {
    const type = attributeOf(each, "MinMaxMessageType") ?? "";
    if (type === "FullPatternLOS") {
      readPattern(each, record, fields, into);
      continue;
    }
    if (!Object.hasOwn(LENGTHS, type)) {
      const expected = `${Object.keys(LENGTHS).join(", ")} or FullPatternLOS`;
      into.fault("unable", record, `MinMaxMessageType is unknown; expected ${expected}`);
      continue;
    }
    const nights = wholeOf(attributeOf(each, "Time"), 999_999);
    const unit = attributeOf(each, "TimeUnit") ?? "Day";
    if (nights === null || !/^(?:day|night)s?$/i.test(unit)) {
      into.fault("value", record, "LengthOfStay is invalid; expected a Time in days");
      continue;
    }
    const name = LENGTHS[type as keyof typeof LENGTHS][isThrough ? 1 : 0];
    const isMax = name === "max_los_arrival" || name === "max_stay_through";
    fields[name] = isMax && nights >= NO_LIMIT ? 0 : Math.min(NO_LIMIT, nights);
  }
}

/** A letter per number of nights: Y or 1, N or 0. */
function readPattern(length: Element, record: number, fields: Fields, into: RecordedAri): void {
  const [pattern] = childrenOf(length, "LOS_Pattern");
  const text = pattern ? (attributeOf(pattern, "FullPatternLOS") ?? "") : "";
  const letters = text.toUpperCase().replaceAll("1", "Y").replaceAll("0", "N");
  if (/^[YN]+$/.test(letters) && letters.length <= PATTERN_NIGHTS_MAX) {
    fields.los_pattern = letters;
    return;
  }
  const expected = `1 to ${PATTERN_NIGHTS_MAX} letters Y or N`;
  into.fault("value", record, `FullPatternLOS is invalid; expected ${expected}`);
}

const STATUSES = { Master: "stop_sell", Arrival: "cta", Departure: "ctd" } as const;

/** Open removes the restriction, so that the room type's still applies to a plan. */
function readRestriction(status: Element, record: number, fields: Fields, into: RecordedAri): void {
  const word = attributeOf(status, "Status");
  const restriction = attributeOf(status, "Restriction") ?? "Master";
  if (!Object.hasOwn(STATUSES, restriction)) {
    const expected = Object.keys(STATUSES).join(", ");
    into.fault("unable", record, `Restriction is unknown; expected one of ${expected}`);
  } else if (word !== null && !/^(?:open|close)$/i.test(word)) {
    into.fault("value", record, "Status is unknown; expected Open or Close");
  } else if (word !== null) {
    const isClosed = word.toLowerCase() === "close";
    fields[STATUSES[restriction as keyof typeof STATUSES]] = isClosed ? true : null;
  }
  const least = attributeOf(status, "MinAdvancedBookingOffset");
  const most = attributeOf(status, "MaxAdvancedBookingOffset");
  if (least !== null) readAdvance("min_advance_days", least, record, fields, into);
  if (most !== null) readAdvance("max_advance_days", most, record, fields, into);
}

/** A negative offset removes the limit; one of more days than any stay is booked ahead is none. */
function readAdvance(
  name: "min_advance_days" | "max_advance_days",
  text: string,
  record: number,
  fields: Fields,
  into: RecordedAri,
): void {
  if (text.startsWith("-")) {
    fields[name] = null;
    return;
  }
  const days = daysOf(text);
  if (days === null) {
    const which = name === "min_advance_days" ? "Min" : "Max";
    const expected = "whole days, such as P3D";
    into.fault("value", record, `${which}AdvancedBookingOffset is invalid; expected ${expected}`);
  } else if (name === "max_advance_days") fields[name] = days > NO_LIMIT ? null : days;
  else fields[name] = Math.min(NO_LIMIT, days);
}

const PHYSICAL = "1";
const AVAILABLE = "2";

/** An `Inventory`: its physical rooms, or those that are left, which decide where both are sent. */
export function readInventory(item: Element, record: number, into: RecordedAri): void {
  const target = targetOf(item, record, "room", into);
  if (target === null) return;
  const before = into.faults.length;
  const counts = new Map<string, number>();
  for (const each of childrenOf(item, "InvCounts").flatMap((all) => childrenOf(all, "InvCount"))) {
    const type = attributeOf(each, "CountType") ?? AVAILABLE;
    if (type !== PHYSICAL && type !== AVAILABLE) {
      into.warn(record, "a count was ignored; expected CountType 1 or 2");
      continue;
    }
    const count = unitsOf("Count", attributeOf(each, "Count"), record, into);
    if (count !== null) counts.set(type, count);
  }
  if (into.faults.length > before) return;
  const physical = counts.get(PHYSICAL);
  const left = counts.get(AVAILABLE);
  if (left !== undefined) into.left(record, target, left);
  else if (physical === undefined) into.fault("missing", record, "InvCount is missing");
  else if (target.plan === null) into.capacity(record, target, physical);
  else into.fault("unable", record, "CountType 1 has a RatePlanCode; expected none");
}
