/** Texts of an explanation's checks, passed or failed. */
import type { Blocking, BlockingReason } from "../../../engine/core/availability/availability.ts";
import type { Check, CheckName } from "../../../engine/core/availability/explain.ts";
import { latestCheckOut } from "../../../engine/core/availability/horizon.ts";
import { dateOf } from "../../../engine/core/calendar.ts";
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

const LIMITED: Readonly<Record<BlockingReason, (hit: Blocking) => string>> = {
  property_not_live: () => "the property is not on sale",
  occupancy_exceeded: ({ limit }) => `the room takes ${limit} guests`,
  stop_sell: () => "is closed",
  cta: () => "is closed to arrival",
  ctd: () => "is closed to departure",
  min_los: ({ limit }) => `an arrival stays ${limit} nights at least`,
  max_los: ({ limit }) => `an arrival stays ${limit} nights at most`,
  min_stay_through: ({ limit }) => `stays through it have ${limit} nights at least`,
  max_stay_through: ({ limit }) => `stays through it have ${limit} nights at most`,
  ceiling_reached: ({ used, ceiling }) => `${used} of ${ceiling} units of its ceiling are used`,
  no_vacancy: ({ sold, held, capacity }) => `${sold} sold and ${held} held of ${capacity}`,
};

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
  const words = named.map((hit) => `${hit.date}: ${LIMITED[hit.reason](hit)}`);
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
