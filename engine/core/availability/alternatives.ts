/**
 * Alternatives to a stay that cannot be held: the same room type for the required length of stay,
 * then on the nearest dates, then other room types of the property on the same dates. Each is a
 * complete quote request that a quote accepts.
 */

import { dateOf } from "../calendar.ts";
import { policyFor } from "../price/policy.ts";
import { type QuoteRequest, STAY_NIGHTS_MAX } from "../price/quote.ts";
import { findOffer, type Offer } from "../state/state.ts";
import { nightsRequired, restrictionsAgainst, type StayQuery, sellable } from "./availability.ts";
import { isWithinHorizon } from "./horizon.ts";

const SHIFT_DAYS_MAX = 14;
const DATES_MAX = 2;
const ROOMS_MAX = 2;
/** Added nights may themselves require a longer stay. */
const LENGTHENINGS_MAX = 3;

export interface Alternative {
  readonly kind: "dates" | "room_type";
  readonly sellable: number;
  readonly quote: QuoteRequest;
}

function asRequest(offer: Offer, query: StayQuery): QuoteRequest {
  return {
    hotel_id: offer.property.tree.id,
    room_type_id: offer.roomType.id,
    rate_plan_id: offer.plan.id,
    stay: {
      check_in: dateOf(query.checkInDay),
      check_out: dateOf(query.checkInDay + query.nights),
    },
    guests: query.party,
  };
}

/** Units left for a stay that a quote would accept; 0 for any other. */
function offerable(offer: Offer, query: StayQuery): number {
  const { checkInDay, nights, todayDay } = query;
  if (nights > STAY_NIGHTS_MAX || !isWithinHorizon(checkInDay, nights, todayDay)) return 0;
  return policyFor(offer.property.tree, offer.plan) ? sellable(offer, query) : 0;
}

/** The same arrival for the shortest required stay; none when length is no reason. */
function longerStay(offer: Offer, query: StayQuery): Alternative[] {
  let asked = query;
  for (let i = 0; i < LENGTHENINGS_MAX; i += 1) {
    const { nights: present } = asked;
    const against = restrictionsAgainst(offer, asked);
    const nights = Math.max(0, ...against.map((each) => nightsRequired(each, present)));
    if (nights <= present) break;
    asked = { ...asked, nights };
  }
  if (asked === query) return [];
  const units = offerable(offer, asked);
  return units > 0 ? [{ kind: "dates", sellable: units, quote: asRequest(offer, asked) }] : [];
}

/** The same room type on other dates, nearest first; a stay of the required length comes first. */
export function nearestDates(offer: Offer, query: StayQuery): Alternative[] {
  const found = longerStay(offer, query);
  for (let shift = 1; shift <= SHIFT_DAYS_MAX && found.length < DATES_MAX; shift += 1) {
    for (const checkInDay of [query.checkInDay + shift, query.checkInDay - shift]) {
      if (found.length >= DATES_MAX) continue;
      const moved = { ...query, checkInDay };
      const units = offerable(offer, moved);
      if (units > 0) found.push({ kind: "dates", sellable: units, quote: asRequest(offer, moved) });
    }
  }
  return found;
}

function otherRooms(offer: Offer, query: StayQuery): Alternative[] {
  const found: Alternative[] = [];
  for (const roomType of offer.property.tree.room_types) {
    if (roomType.id === offer.roomType.id || found.length >= ROOMS_MAX) continue;
    for (const plan of roomType.rate_plans) {
      const other = findOffer(offer.property, roomType.id, plan.id);
      if (typeof other === "string") continue;
      const units = offerable(other, query);
      if (units === 0) continue;
      found.push({ kind: "room_type", sellable: units, quote: asRequest(other, query) });
      break;
    }
  }
  return found;
}

/** Up to four alternatives. */
export function alternativesTo(offer: Offer, query: StayQuery): Alternative[] {
  if (offer.property.state !== "live") return [];
  return [...nearestDates(offer, query), ...otherRooms(offer, query)];
}
