/** Why a property that was requested by name has no offer. */
import { type Alternative, alternativesTo } from "../availability/alternatives.ts";
import { type Blocking, blockingReasons } from "../availability/availability.ts";
import { todayIn } from "../calendar.ts";
import { findOffer, type Offer, type PropertyEntry } from "../state/state.ts";
import type { Asked } from "./query.ts";

export interface SearchMiss {
  readonly property_id: string;
  readonly blocking: readonly Blocking[];
  readonly alternatives: readonly Alternative[];
}

/**
 * The reasons against the offer that is nearest to being held: of a room type for the party, if
 * any.
 */
export function missOf(property: PropertyEntry, asked: Asked): SearchMiss {
  const property_id = property.tree.id;
  const todayDay = todayIn(property.tree.timezone, asked.nowMs);
  const stay = { ...asked.stay, todayDay };
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
  return { property_id, blocking, alternatives: alternativesTo(offer, stay) };
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
