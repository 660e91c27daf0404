/** A search query, and the parts of it that are the same for every property. */
import type { StayQuery } from "../availability/availability.ts";
import { dayOf } from "../calendar.ts";
import { normalizeText } from "../normalize-text.ts";
import type { Party, Stay } from "../price/quote.ts";
import type { Caller } from "../visibility.ts";
import { type PlanTraits, planTraitsFor } from "./index/columns.ts";
import { RoomRequirements } from "./room-requirements.ts";

/** Orders of results. By default a point is ordered by distance and all else by rank. */
export const SORTS = ["rank", "price", "distance"] as const;
export type Sort = (typeof SORTS)[number];

export interface SearchQuery {
  readonly destination?: { readonly type: "area" | "property"; readonly value: string };
  readonly stay: Stay;
  readonly guests: Party;
  readonly constraints?: {
    readonly max_price_per_night?: { readonly amount: number; readonly currency: string };
    readonly meal_plan?: string;
    readonly cancellation?: string;
    readonly min_star_rating?: number;
    /** Codes; the property and the room type together must have all of them. */
    readonly amenities?: readonly string[];
    /** Words that the bed type of the room must have. */
    readonly bed_type?: string;
    readonly refundability?: string;
  };
  readonly sort?: Sort;
}

export interface SearchScope extends Caller {
  readonly nowMs: number;
}

/** The query in the form in which every property is checked. */
export interface Asked {
  /** Which day is today depends on the property. */
  readonly stay: Omit<StayQuery, "todayDay">;
  readonly nowMs: number;
  /** Required traits of rate plans; null for unknown words, which match none. */
  readonly planTraits: PlanTraits | null;
  /** Cancelling must still be free. */
  readonly isFreeOnly: boolean;
  readonly maxPrice: { readonly amount: number; readonly currency: string } | null;
  readonly minStars: number | null;
  /** Null when neither amenities nor beds are required. */
  readonly roomRequirements: RoomRequirements | null;
  /** Required refundability of a cancellation right away; null accepts any. */
  readonly refundability: string | null;
}

/** Normalizes words once and not for every rate plan: they may have any length. */
export function askedBy({ stay, guests, constraints }: SearchQuery, scope: SearchScope): Asked {
  const checkInDay = dayOf(stay.check_in);
  const nights = dayOf(stay.check_out) - checkInDay;
  const { max_price_per_night, meal_plan, cancellation, ...others } = constraints ?? {};
  const meal = meal_plan === undefined ? undefined : normalizeText(meal_plan);
  const terms = cancellation === undefined ? undefined : normalizeText(cancellation);
  const isFreeOnly = terms === "free_cancellation";
  return {
    stay: { checkInDay, nights, party: guests, agentId: scope.actor.id },
    nowMs: scope.nowMs,
    // Terms of any other kind are never free until a cut-off.
    planTraits: planTraitsFor(meal, isFreeOnly ? "free_until_cutoff" : terms),
    isFreeOnly,
    maxPrice: max_price_per_night ?? null,
    minStars: others.min_star_rating ?? null,
    roomRequirements: RoomRequirements.of(others),
    refundability: others.refundability === undefined ? null : normalizeText(others.refundability),
  };
}
