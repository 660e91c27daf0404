/**
 * Discounts of a rate plan: of those that a stay has by its length, its nights and the day of its
 * booking, the one that takes most off applies, alone.
 */
import { dayOf, todayIn, WEEKDAYS, weekdayOf } from "../calendar.ts";
import type { Discount, PropertyTree, RatePlan } from "../supply.ts";
import { percentOf } from "./money.ts";

/** The day of a booking for its discounts; null for a plan without any. */
export function bookingDay(
  { timezone }: Pick<PropertyTree, "timezone">,
  { discounts }: RatePlan,
  atMs: number,
): number | null {
  return discounts ? todayIn(timezone, atMs) : null;
}

/** What a discount is judged by. */
export interface DiscountedStay {
  /** The day of the booking at the property. */
  readonly todayDay: number;
  readonly checkInDay: number;
  readonly nights: number;
}

/** From the first to the last, both included. */
type Span = readonly [first: number, last: number];

/** A discount with day numbers. */
interface Terms {
  readonly discount: Discount;
  readonly booked: Span;
  readonly daysAhead: Span;
  readonly nights: Span;
  readonly stay: Span;
  /** By weekday number; null for every day. */
  readonly weekdays: readonly boolean[] | null;
}

/** Read once per tree: search judges the discounts of thousands of plans. */
const termsOf = new WeakMap<readonly Discount[], readonly Terms[]>();

function allTerms(discounts: readonly Discount[]): readonly Terms[] {
  const known = termsOf.get(discounts);
  if (known) return known;
  const all = discounts.map(readTerms);
  termsOf.set(discounts, all);
  return all;
}

function readTerms(discount: Discount): Terms {
  const { min_advance_days: least = 0, max_advance_days: most = Infinity } = discount;
  const { min_nights = 1, max_nights = Infinity, days_of_week } = discount;
  return {
    discount,
    booked: daysFrom(discount.booked_from, discount.booked_until),
    daysAhead: [least, most],
    nights: [min_nights, max_nights],
    stay: daysFrom(discount.stay_from, discount.stay_until),
    weekdays: days_of_week ? WEEKDAYS.map((name) => days_of_week.includes(name)) : null,
  };
}

function daysFrom(first: string | undefined, last: string | undefined): Span {
  return [
    first === undefined ? -Infinity : dayOf(first),
    last === undefined ? Infinity : dayOf(last),
  ];
}

function isIn([first, last]: Span, value: number): boolean {
  return first <= value && value <= last;
}

/** The discount that applies to a stay, given the base amount of each night. */
export interface Applied {
  readonly discount: Discount;
  /** What it adds to the base amount of the stay's nth night: 0 or less. */
  readonly off: (nth: number) => number;
}

/** The one that takes most off, the first of equal ones; null when none takes anything off. */
export function discountFor(
  discounts: readonly Discount[],
  nightly: ArrayLike<number>,
  stay: DiscountedStay,
): Applied | null {
  let best: Terms | null = null;
  let most = 0;
  for (const terms of allTerms(discounts)) {
    if (!isFor(terms, stay)) continue;
    let off = 0;
    for (let i = 0; i < stay.nights; i += 1) off -= offOf(terms, nightly[i]!, stay.checkInDay + i);
    if (off <= most) continue;
    best = terms;
    most = off;
  }
  if (best === null) return null;
  const terms = best;
  const off = (nth: number) => offOf(terms, nightly[nth]!, stay.checkInDay + nth);
  return { discount: terms.discount, off };
}

function isFor(terms: Terms, { todayDay, checkInDay, nights }: DiscountedStay): boolean {
  const isBookedInTime = isIn(terms.booked, todayDay);
  return (
    isBookedInTime && isIn(terms.daysAhead, checkInDay - todayDay) && isIn(terms.nights, nights)
  );
}

function offOf({ discount, stay, weekdays }: Terms, base: number, day: number): number {
  if (!isIn(stay, day) || (weekdays && !weekdays[weekdayOf(day)])) return 0;
  const { bps, amount = 0 } = discount;
  return Math.max(0 - base, bps === undefined ? amount : percentOf(base, bps));
}

/** Whether a discount begins or ends to apply with the day, without a change of supply. */
export function isTimedDiscount(discount: Discount): boolean {
  const { booked_from, booked_until, min_advance_days, max_advance_days } = discount;
  const limits = [booked_from, booked_until, min_advance_days, max_advance_days];
  return limits.some((limit) => limit !== undefined);
}

/** Whether no booking from a day on has the discount. */
export function isOver({ booked_until, stay_until }: Discount, fromDay: number): boolean {
  return [booked_until, stay_until].some((last) => last !== undefined && dayOf(last) < fromDay);
}
