/** Why a property that was requested by name has no offer. */
import { type Alternative, alternativesTo } from "../availability/alternatives.ts";
import { type Blocking, blockingReasons, type StayQuery } from "../availability/availability.ts";
import { todayIn } from "../calendar.ts";
import { findOffer, type Offer, type PropertyEntry } from "../state/state.ts";

export interface SearchMiss {
  readonly property_id: string;
  readonly blocking: readonly Blocking[];
  readonly alternatives: readonly Alternative[];
}

/**
 * The reasons against the offer that is nearest to being held: of a room type for the party, if
 * any.
 */
export function missOf(property: PropertyEntry, stay: StayQuery, nowMs: number): SearchMiss {
  const property_id = property.tree.id;
  let nearest: { offer: Offer; places: number; blocking: Blocking[] } | null = null;
  for (const offer of offersOf(property)) {
    const blocking = blockingReasons(offer, stay);
    const isTooSmall = blocking.some(({ reason }) => reason === "occupancy_exceeded");
    const places = isTooSmall ? offer.roomType.max_occupancy : Number.POSITIVE_INFINITY;
    if (nearest && places < nearest.places) continue;
    const isMore = nearest && places === nearest.places;
    if (isMore && blocking.length >= nearest!.blocking.length) continue;
    nearest = { offer, places, blocking };
  }
  if (!nearest) return { property_id, blocking: [], alternatives: [] };
  const { offer, blocking } = nearest;
  const today = todayIn(property.tree.timezone, nowMs);
  return { property_id, blocking, alternatives: alternativesTo(offer, stay, today) };
}

function offersOf(property: PropertyEntry): Offer[] {
  const offers: Offer[] = [];
  for (const roomType of property.tree.room_types) {
    for (const plan of roomType.rate_plans) {
      const offer = findOffer(property, roomType.id, plan.id);
      if (typeof offer !== "string") offers.push(offer);
    }
  }
  return offers;
}
