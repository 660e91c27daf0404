/** A found property with its best offer. */

import type { CancellationNow } from "../price/policy.ts";
import type { PriceTotals } from "../price/price.ts";
import type { RatePlan, RoomType } from "../supply.ts";
import type { OfferCard, PropertyCard } from "./index/cards.ts";
import type { Rankable } from "./ranking.ts";

/** Higher numbers of units are not shown. */
export const SELLABLE_MAX = 9;

/** How a booking made now could be cancelled. */
export interface TermsNow {
  readonly shown: Pick<CancellationNow, "refundability" | "free_until">;
  readonly isFree: boolean;
  readonly text: string;
}

/** Amounts are minor units of `currency`. */
export interface BestOffer extends OfferCard {
  /** Room amount alone. */
  readonly price_per_night: { readonly amount: number; readonly currency: string };
  /** Of the stay, with taxes and fees, as in a quote. */
  readonly total: number;
  readonly due_now: number;
  readonly due_at_property: number;
  readonly sellable: number;
  readonly cancellation: TermsNow["shown"];
}

/** Amount and currency are those of the best offer's total. */
export interface Found extends Rankable {
  readonly card: PropertyCard;
  readonly offer: BestOffer;
  readonly terms: TermsNow;
}

/** The best offer as shown; made only for results that are returned. */
export function bestOffer(
  roomType: RoomType,
  plan: RatePlan,
  price_per_night: BestOffer["price_per_night"],
  totals: PriceTotals,
  terms: TermsNow,
  sellable: number,
): BestOffer {
  return {
    room_type_id: roomType.id,
    room_type_name: roomType.name,
    rate_plan_id: plan.id,
    rate_plan_name: plan.name,
    meal_plan: plan.meal_plan,
    bed_type: roomType.bed_type,
    max_occupancy: roomType.max_occupancy,
    price_per_night,
    currency: plan.currency,
    total: totals.total,
    due_now: totals.due_now,
    due_at_property: totals.due_at_property,
    sellable: Math.min(sellable, SELLABLE_MAX),
    cancellation: terms.shown,
  };
}
