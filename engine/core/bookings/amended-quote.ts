/** The price of a changed stay, and what a booking is charged for it. */
import {
  type BookedNights,
  type Charge,
  makeQuote,
  type NotQuoted,
} from "../availability/quoting.ts";
import { dayOf } from "../calendar.ts";
import type { StayChange } from "../change-terms.ts";
import { policyOfVersion } from "../price/policy.ts";
import type { FrozenQuote, QuoteRequest, Stay } from "../price/quote.ts";
import { nightCountOf } from "../price/quote-codec.ts";
import type { Difference } from "../refund-words.ts";
import type { Offer } from "../state/state.ts";

export interface Amending {
  /** The booking's present quote. */
  readonly quote: FrozenQuote;
  readonly difference: Difference | null;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** The number of today at the property, for a guest in the house; null before the check-in. */
  readonly inHouseDay: number | null;
  /** SHA-256 as 64 hex digits. */
  readonly sha256: (text: string) => string;
}

/**
 * Prices a changed stay with the present rates, under the version of the terms that was booked if
 * the property still has it. The quote is null when the price or the length differs and nothing is
 * said that fits.
 *
 * For a guest in the house the nights before today keep their booked rates: those of the past are
 * forgotten. Discounts go by the day of the booking, because none is for an arrival in the past.
 */
export function amendedQuote(
  offer: Offer,
  request: QuoteRequest,
  { quote: before, difference, nowMs, inHouseDay, sha256 }: Amending,
): Omit<StayChange, "allowed_until_ms"> | NotQuoted {
  const { quote_id, tenant_id, mode, agent_id, policy_version } = before;
  let present: Charge | null = null;
  let charged: Charge | null = null;
  const made = makeQuote(offer, request, {
    ...{ quote_id, tenant_id, mode, agent_id, ttlMs: 0, sha256 },
    nowMs: inHouseDay === null ? nowMs : before.created_at,
    ...(inHouseDay !== null && { booked: nightsBefore(inHouseDay, before, request.stay) }),
    terms: policyOfVersion(offer.property.tree, offer.plan, policy_version),
    isPaidAtProperty: before.due_now === 0,
    charge(priced) {
      present = priced;
      charged = chargeOf(before, priced, difference);
      return charged ?? priced;
    },
  });
  if (typeof made === "string") return made;
  const { total } = present!;
  const nights = nightCountOf(made.quote);
  const isLonger = nights !== nightCountOf(before) && difference === null;
  const isCharged = charged !== null && !isLonger && made.quote.currency === before.currency;
  const quote = isCharged ? made.quote : null;
  return { request, quote, difference, priced: { total, nights } };
}

/** The booked nights before a day, as far as both stays have them. */
function nightsBefore(
  day: number,
  before: FrozenQuote,
  { check_in, check_out }: Stay,
): BookedNights {
  const { nightly, extra_adult, sources } = before;
  const slept = Math.max(0, Math.min(day, dayOf(check_out)) - dayOf(check_in));
  return {
    nightly: nightly.slice(0, slept),
    extraAdult: typeof extra_adult === "number" ? extra_adult : extra_adult.slice(0, slept),
    sources: sources.slice(0, slept),
  };
}

/** What is charged; null when the difference of the price has no rule. No card is charged again. */
function chargeOf(before: Charge, now: Charge, difference: Difference | null): Charge | null {
  const { due_now } = before;
  if (now.total === before.total) return atProperty(now.total, due_now);
  switch (difference) {
    case null:
      return null;
    case "waive":
      return { total: before.total, due_now, due_at_property: before.due_at_property };
    case "at_property":
      return now.total > before.total ? atProperty(now.total, due_now) : null;
    case "refund":
      return now.total < before.total
        ? atProperty(now.total, Math.min(now.due_now, due_now))
        : null;
  }
}

function atProperty(total: number, due_now: number): Charge | null {
  return total < due_now ? null : { total, due_now, due_at_property: total - due_now };
}
