/** The price of a changed stay, and what a booking is charged for it. */
import { type Charge, makeQuote, type NotQuoted } from "../availability/quoting.ts";
import type { StayChange } from "../commands.ts";
import { policyOfVersion } from "../price/policy.ts";
import type { FrozenQuote, QuoteRequest } from "../price/quote.ts";
import { nightCountOf } from "../price/quote-codec.ts";
import type { Difference } from "../refund-words.ts";
import type { Offer } from "../state/state.ts";

export interface Amending {
  /** The booking's present quote. */
  readonly quote: FrozenQuote;
  readonly difference: Difference | null;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** SHA-256 as 64 hex digits. */
  readonly sha256: (text: string) => string;
}

/**
 * Prices a changed stay with the present rates, under the version of the terms that was booked if
 * the property still has it. The quote is null when the price or the length differs and nothing is
 * said that fits.
 */
export function amendedQuote(
  offer: Offer,
  request: QuoteRequest,
  { quote: before, difference, nowMs, sha256 }: Amending,
): Omit<StayChange, "allowed_until_ms"> | NotQuoted {
  const { quote_id, tenant_id, mode, agent_id, policy_version } = before;
  let present: Charge | null = null;
  let charged: Charge | null = null;
  const made = makeQuote(offer, request, {
    ...{ quote_id, tenant_id, mode, agent_id, nowMs, ttlMs: 0, sha256 },
    terms: policyOfVersion(offer.property.tree, offer.plan, policy_version),
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
