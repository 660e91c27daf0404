/** Texts of an explanation's checks, passed or failed. */
import type { Blocking, BlockingReason } from "../../../engine/core/availability/availability.ts";
import type { Check, CheckName } from "../../../engine/core/availability/explain.ts";
import { latestCheckOut } from "../../../engine/core/availability/horizon.ts";
import { dateOf } from "../../../engine/core/calendar.ts";
import { type RuleReason, ruleOf } from "../../../engine/core/rules.ts";
import type { Offer } from "../../../engine/core/state/state.ts";

const PASSED: Readonly<Record<CheckName, string>> = {
  state: "The property is on sale.",
  dates: "The stay lies within the dates that can be sold.",
  policy: "The rate plan has a cancellation policy.",
  price: "The stay has a price.",
  occupancy: "The party fits into the room.",
  restrictions: "No restriction applies to the stay.",
  ceilings: "No ceiling is reached.",
  units: "A unit is free on every night.",
};

type Words = (hit: Blocking) => string;

const LIMITED: Readonly<Record<Exclude<BlockingReason, RuleReason>, Words>> = {
  property_not_live: () => "the property is not on sale",
  occupancy_exceeded: ({ limit }) => `the room takes ${limit} guests`,
  ceiling_reached: ({ used, ceiling, released }) =>
    released
      ? "the unsold units of its ceiling are released"
      : `${used} of ${ceiling} units of its ceiling are used`,
  no_vacancy: ({ sold, held, capacity }) => `${sold} sold and ${held} held of ${capacity}`,
};

function blockedBy(hit: Blocking): string {
  const rule = ruleOf(hit.reason);
  if (rule) return rule.words(hit.limit ?? 0);
  return LIMITED[hit.reason as keyof typeof LIMITED](hit);
}

/** Nights listed individually. */
const NAMED_MAX = 5;

/** One sentence; `todayDay` is today at the property. */
export function wordsOf({ check, passed, blocking }: Check, offer: Offer, todayDay: number) {
  if (passed) return PASSED[check];
  switch (check) {
    case "state":
      return `The property is ${offer.property.state}, not on sale.`;
    case "dates": {
      const latest = dateOf(latestCheckOut(todayDay));
      return `Stays begin on ${dateOf(todayDay)} or later and end on ${latest} or earlier.`;
    }
    case "policy":
      return `The property has no policy of the kind ${offer.plan.cancellation_kind}.`;
    case "price":
      return "The stay cannot be priced: its total is too large.";
    case "occupancy":
      return `The room takes ${offer.roomType.max_occupancy} guests.`;
    default:
      return `${listed(blocking)}.`;
  }
}

function listed(blocking: readonly Blocking[]): string {
  const named = blocking.slice(0, NAMED_MAX);
  const more = blocking.length - named.length;
  const words = named.map((hit) => `${hit.date}: ${blockedBy(hit)}`);
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
