/** The end of free cancellation in the form of partners: days before check-in, and a time. */
import { dayOf, localTime } from "../engine/core/calendar.ts";
import { feeTable, policyFor } from "../engine/core/price/policy.ts";
import type { PolicyTerms, PropertyTree, RatePlan } from "../engine/core/supply.ts";

/** Partners support no earlier end. */
const DAYS_MAX = 180;

export interface RefundEnd {
  readonly daysBefore: number;
  /** Local `HH:mm:ss`. */
  readonly time: string;
}

/** Whether terms refund everything until an end that partners support. */
export function givesAllBack(terms: PolicyTerms): boolean {
  const { cancellation_kind, free_cancellation_hours_before_checkin: hours } = terms;
  return cancellation_kind === "free_until_cutoff" && hours <= DAYS_MAX * 24;
}

/** Returns the end for a plan; null without one. */
export type RefundEnds = (tree: PropertyTree, plan: RatePlan) => RefundEnd | null;

/**
 * The ends for check-ins on `days` days from `firstDay` on. A partner gets one end for all of them.
 * Where clocks change in between, the local times differ by an hour and the earliest is used, which
 * holds for all. Cached, because most properties share their terms.
 */
export function refundEndsFrom(firstDay: number, days: number): RefundEnds {
  const known = new Map<string, RefundEnd | null>();
  return (tree, plan) => {
    const terms = policyFor(tree, plan);
    if (terms === null || !givesAllBack(terms)) return null;
    const hours = terms.free_cancellation_hours_before_checkin;
    const key = `${tree.timezone} ${tree.checkin_time} ${hours}`;
    let end = known.get(key);
    if (end === undefined) {
      end = earliest(tree, terms, firstDay, days);
      known.set(key, end);
    }
    return end;
  };
}

function earliest(
  tree: PropertyTree,
  terms: PolicyTerms,
  firstDay: number,
  days: number,
): RefundEnd | null {
  let found: RefundEnd | null = null;
  for (let checkInDay = firstDay; checkInDay < firstDay + days; checkInDay += 1) {
    const { tiers } = feeTable({ tree, terms, checkInDay, priced: { due_now: 0 } });
    const { text } = localTime(tiers[0]!.until_ms, tree.timezone);
    const daysBefore = checkInDay - dayOf(text.slice(0, 10));
    const time = text.slice(11);
    const isEarlier =
      found === null ||
      daysBefore > found.daysBefore ||
      (daysBefore === found.daysBefore && time < found.time);
    if (isEarlier) found = { daysBefore, time };
  }
  return found !== null && found.daysBefore <= DAYS_MAX ? found : null;
}
