/**
 * Checks a published itinerary against current quotes. It uses the quoting path, which shares no
 * code with the documents, so it does not repeat their errors.
 */
import { sellable } from "../engine/core/availability/availability.ts";
import { isWithinHorizon } from "../engine/core/availability/horizon.ts";
import { freezeQuote } from "../engine/core/availability/quoting.ts";
import { dateOf, dayOf } from "../engine/core/calendar.ts";
import { breakdownOf } from "../engine/core/price/price.ts";
import { findOffer, type PropertyEntry } from "../engine/core/state/state.ts";
import { decimalOf } from "./amounts.ts";
import { bundlesOf, totalOf } from "./bundles.ts";
import type { Itinerary, Price, Bundle as PublishedBundle } from "./reading/itinerary.ts";

/** Result for an itinerary; of its rates, the worst for a guest. */
export const OUTCOMES = ["equal", "price_changed", "no_longer_sellable", "now_sellable"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Now {
  /** The current property; undefined when it is gone. */
  readonly property: PropertyEntry | undefined;
  readonly todayDay: number;
  /** The partner's name, which ceilings may name as an agent. */
  readonly agentId: string;
  /** Whether the document has every rate or only some. */
  readonly isWhole: boolean;
}

/** Quotes a published itinerary again. */
export function outcomeOf(published: Itinerary, now: Now): Outcome {
  const { bundles, price } = published;
  const outcomes = bundles.map((bundle) => requoted(published, bundle, now));
  if (bundles.length === 0 && price !== null) outcomes.push(lowestRequoted(published, price, now));
  if (outcomes.includes("no_longer_sellable")) return "no_longer_sellable";
  if (outcomes.includes("price_changed")) return "price_changed";
  const sold = sellableNow(published, now);
  if (now.isWhole) return isNews(sold.length > outcomes.length);
  // A reduced document has no rates for one guest, and only some of the others.
  return isNews(outcomes.length === 0 && sold.some(({ adults }) => adults >= 2));
}

function isNews(hasMore: boolean): Outcome {
  return hasMore ? "now_sellable" : "equal";
}

/** The stay in the form of quotes. */
function stayOf({ checkIn, nights }: Itinerary) {
  const checkInDay = dayOf(checkIn);
  return { checkInDay, nights: Number(nights) };
}

/** Quotes the same rate for the same guests. */
function requoted(published: Itinerary, bundle: PublishedBundle, now: Now): Outcome {
  const { property, todayDay, agentId } = now;
  const { room: room_type_id, package: rate_plan_id } = bundle;
  if (property === undefined) return "no_longer_sellable";
  const offer = findOffer(property, room_type_id, rate_plan_id);
  if (typeof offer === "string") return "no_longer_sellable";
  const { checkInDay, nights } = stayOf(published);
  const party = { adults: Number(bundle.occupancy), children: [] };
  const stay = { check_in: published.checkIn, check_out: dateOf(checkInDay + nights) };
  const request = { hotel_id: published.property, room_type_id, rate_plan_id, stay, guests: party };
  const { tenant_id, mode, tree } = property;
  const quote = freezeQuote(offer, request, {
    ...{ quote_id: "", tenant_id, mode, agent_id: agentId, nowMs: 0, ttlMs: 0 },
    sha256: () => "",
  });
  const isSellable =
    isWithinHorizon(checkInDay, nights, todayDay) &&
    sellable(offer, { checkInDay, nights, party, agentId, todayDay }) > 0;
  if (typeof quote === "string" || !isSellable) return "no_longer_sellable";
  const { currency, room_subtotal, taxes, fees } = breakdownOf(tree, quote);
  const included = [...taxes, ...fees].filter((line) => line.included_in_rate);
  const is = priceIn(currency, {
    base: room_subtotal - sumOf(included),
    tax: sumOf(taxes),
    fees: sumOf(fees),
  });
  return isSame(is, bundle.price) ? "equal" : "price_changed";
}

/** Without bundles, only checks whether a rate with this price exists. */
function lowestRequoted(published: Itinerary, price: Price, now: Now): Outcome {
  const forTwo = sellableNow(published, now).filter(({ adults }) => adults >= 2);
  const rates = forTwo.filter(({ currency }) => currency === price.currency);
  if (rates.length === 0) return "no_longer_sellable";
  const least = Math.min(...rates.map(totalOf));
  const lowest = rates.filter((rate) => totalOf(rate) === least);
  const isThere = lowest.some((rate) => isSame(priceIn(rate.currency, rate), price));
  return isThere ? "equal" : "price_changed";
}

function sellableNow(published: Itinerary, { property, agentId, todayDay }: Now) {
  return property === undefined
    ? []
    : bundlesOf(property, { ...stayOf(published), agentId, todayDay });
}

type Amounts = { readonly base: number; readonly tax: number; readonly fees: number };

function priceIn(currency: string, { base, tax, fees }: Amounts): Price {
  const text = (amount: number) => decimalOf(amount, currency);
  return { currency, base: text(base), tax: text(tax), fees: text(fees) };
}

function isSame(one: Price, other: Price | null): boolean {
  return (
    one.currency === other?.currency &&
    one.base === other.base &&
    one.tax === other.tax &&
    one.fees === other.fees
  );
}

function sumOf(lines: readonly { readonly amount: number }[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
