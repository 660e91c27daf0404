/**
 * What can be booked of a property, as reported to partners. Documents, queries, the accuracy check
 * and the landing page use this one function, so all have the price and availability of a quote at
 * the same journal position.
 */
import { sellable } from "../engine/core/availability/availability.ts";
import { isWithinHorizon } from "../engine/core/availability/horizon.ts";
import { priceInputAt } from "../engine/core/availability/quoting.ts";
import { policyFor } from "../engine/core/price/policy.ts";
import {
  isExact,
  type PriceInput,
  type PriceShares,
  priceShares,
} from "../engine/core/price/price.ts";
import { type Party, STAY_NIGHTS_MAX } from "../engine/core/price/quote.ts";
import { findOffer, type Offer, type PropertyEntry } from "../engine/core/state/state.ts";
import type { PropertyTree } from "../engine/core/supply.ts";
import { givesAllBack } from "./refund.ts";

/** A bookable room type and rate plan for an itinerary, with its price. */
export interface Bundle extends PriceShares {
  readonly offer: Offer;
  /** Number of adults that the price is for. */
  readonly adults: number;
  readonly currency: string;
  /** Whether a timely cancellation refunds everything. */
  readonly isRefundable: boolean;
}

export interface Itinerary {
  readonly checkInDay: number;
  readonly nights: number;
  /** The partner's name, which ceilings may name as an agent. */
  readonly agentId: string;
  /** Today at the property. */
  readonly todayDay: number;
  /** Default two; a room for one person is always priced for one. */
  readonly adults?: number;
}

/** The part of a bundle that does not depend on the itinerary. */
interface Candidate {
  readonly offer: Offer;
  readonly isSingle: boolean;
  readonly currency: string;
  readonly isRefundable: boolean;
}

interface Candidates {
  readonly tree: PropertyTree;
  readonly all: readonly Candidate[];
}

/** Cached per property: it has thousands of itineraries, and a changed tree is another object. */
const candidatesOf = new WeakMap<PropertyEntry, Candidates>();

/** The default party of partners. */
const TWO: Party = { adults: 2, children: [] };
/** The party for rooms for one person. */
const ONE: Party = { adults: 1, children: [] };

/** Every offer that can be quoted; offers without a usable policy have no price. */
function candidates(property: PropertyEntry): readonly Candidate[] {
  const { tree } = property;
  const known = candidatesOf.get(property);
  if (known?.tree === tree) return known.all;
  const all: Candidate[] = [];
  for (const roomType of tree.room_types) {
    const isSingle = roomType.max_occupancy === 1;
    for (const plan of roomType.rate_plans) {
      const offer = findOffer(property, roomType.id, plan.id);
      const terms = policyFor(tree, plan);
      if (typeof offer === "string" || terms === null) continue;
      const { currency } = plan;
      all.push({ offer, isSingle, currency, isRefundable: givesAllBack(terms) });
    }
  }
  candidatesOf.set(property, { tree, all });
  return all;
}

/**
 * Every room type and plan for which a quote would have `sellable` ≥ 1, in tree order; none for
 * dates that a quote refuses.
 */
export function bundlesOf(property: PropertyEntry, itinerary: Itinerary): Bundle[] {
  const { nights } = itinerary;
  return bundlesBetween(property, itinerary, nights, nights)[0] ?? [];
}

/** The same for every stay from one night up to the itinerary's, the shortest first. */
export function bundlesUpTo(property: PropertyEntry, itinerary: Itinerary): Bundle[][] {
  return bundlesBetween(property, itinerary, 1, itinerary.nights);
}

function bundlesBetween(
  property: PropertyEntry,
  { checkInDay, agentId, todayDay, adults }: Itinerary,
  shortest: number,
  longest: number,
): Bundle[][] {
  const found: Bundle[][] = [];
  for (let nights = shortest; nights <= longest; nights += 1) found.push([]);
  const asked = adults === undefined ? TWO : { ...TWO, adults };
  for (const { offer, isSingle, currency, isRefundable } of candidates(property)) {
    const party = isSingle ? ONE : asked;
    // Shared by all lengths, so that amounts are looked up once.
    let input: PriceInput | null = null;
    for (let nights = shortest; nights <= longest; nights += 1) {
      if (!canBeQuoted(checkInDay, nights, todayDay)) continue;
      if (sellable(offer, { checkInDay, nights, party, agentId, todayDay }) === 0) continue;
      input ??= priceInputAt(offer, { checkInDay, nights: longest, party, todayDay });
      const { base, tax, fees } = priceShares(input, nights);
      // Partners would refuse the whole document because of an inexact price.
      if (!isExact(base + tax + fees)) continue;
      const bundle = { offer, adults: party.adults, base, tax, fees, currency, isRefundable };
      found[nights - shortest]!.push(bundle);
    }
  }
  return found;
}

/** NaN fails every comparison, so it cannot be quoted. */
function canBeQuoted(checkInDay: number, nights: number, todayDay: number): boolean {
  const isLength = nights >= 1 && nights <= STAY_NIGHTS_MAX;
  return isLength && isWithinHorizon(checkInDay, nights, todayDay);
}

/** The total that guests pay. */
export function totalOf({ base, tax, fees }: PriceShares): number {
  return base + tax + fees;
}
