/**
 * What else could be held when a stay cannot: the same room on the nearest dates, then other rooms
 * of the property on the same dates. Each is a complete quote request, so an agent can act on it
 * without guessing.
 */
import { type StayQuery, sellable } from "./availability.ts";
import { dateOf } from "./calendar.ts";
import type { QuoteRequest } from "./quote.ts";
import { findOffer, type Offer } from "./state.ts";

const SHIFT_DAYS_MAX = 14;
const DATES_MAX = 2;
const ROOMS_MAX = 2;

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

function nearestDates(offer: Offer, query: StayQuery, earliestDay: number): Alternative[] {
  const found: Alternative[] = [];
  for (let shift = 1; shift <= SHIFT_DAYS_MAX && found.length < DATES_MAX; shift += 1) {
    for (const checkInDay of [query.checkInDay + shift, query.checkInDay - shift]) {
      if (checkInDay < earliestDay || found.length >= DATES_MAX) continue;
      const moved = { ...query, checkInDay };
      const units = sellable(offer, moved);
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
      const units = sellable(other, query);
      if (units === 0) continue;
      found.push({ kind: "room_type", sellable: units, quote: asRequest(other, query) });
      break;
    }
  }
  return found;
}

/** Up to four alternatives; `earliestDay` is the first check-in day that may be offered. */
export function alternativesTo(offer: Offer, query: StayQuery, earliestDay: number): Alternative[] {
  if (offer.property.state !== "live") return [];
  return [...nearestDates(offer, query, earliestDay), ...otherRooms(offer, query)];
}
