/**
 * Everything that a property sells for one stay: offers that can be held, cheapest first, then the
 * others with reasons and nearest dates. Availability, price and terms come from the functions that
 * quotes use, so that a quote agrees.
 */

import type { FxTable } from "../price/money.ts";
import { cancellationInWords, policyFor } from "../price/policy.ts";
import { isExact, type PriceTotals, perNightAverage, priceTotals } from "../price/price.ts";
import { isLess, priceKey } from "../price/price-order.ts";
import type { Offer, PropertyEntry } from "../state/state.ts";
import type { CancellationKind, PropertyTree } from "../supply.ts";
import { type Alternative, nearestDates } from "./alternatives.ts";
import { type Blocking, blockingReasons, type StayQuery, sellable } from "./availability.ts";
import { priceInputAt } from "./quoting.ts";

type TermsInWords = ReturnType<typeof cancellationInWords>;

/** A room type and rate plan for the stay; amounts are minor units of the plan's currency. */
export interface StayOffer {
  readonly offer: Offer;
  /** Room amount per night. */
  readonly amount: number;
  readonly totals: PriceTotals;
  readonly cancellation: TermsInWords;
  /** Units that can be held; 0 exactly when there are reasons against the stay. */
  readonly sellable: number;
  readonly blocking: readonly Blocking[];
  /** The same offer on other dates, nearest first. */
  readonly alternatives: readonly Alternative[];
}

/** The instant, and the rates for comparing amounts. */
export interface OffersAt {
  readonly nowMs: number;
  readonly fx: FxTable | null;
}

/**
 * Limit of offers with reasons per night and alternative dates: a large hotel has hundreds that
 * cannot be held, each for the same reasons on up to 90 nights.
 */
const AT_LENGTH_MAX = 40;

type Unplaced = Omit<StayOffer, "blocking" | "alternatives">;

/**
 * Offers of every room type and rate plan that can be quoted: those with a policy and an exact
 * price.
 */
export function stayOffers(property: PropertyEntry, stay: StayQuery, at: OffersAt): StayOffer[] {
  const open = quotable(property, stay, at);
  const found: StayOffer[] = [];
  let shut = 0;
  for (const each of cheapestFirst(open, property.tree, at.fx)) {
    const { offer } = each;
    if (each.sellable > 0) {
      found.push({ ...each, blocking: [], alternatives: [] });
      continue;
    }
    shut += 1;
    const isAtLength = shut <= AT_LENGTH_MAX;
    const reasons = blockingReasons(offer, stay);
    const blocking = isAtLength ? reasons : firstOfEach(reasons);
    const alternatives = isAtLength ? nearestDates(offer, stay) : [];
    found.push({ ...each, blocking, alternatives });
  }
  return found;
}

/** Each reason on its first night only. */
function firstOfEach(reasons: readonly Blocking[]): Blocking[] {
  const seen = new Set<string>();
  return reasons.filter(({ reason }) => !seen.has(reason) && seen.add(reason));
}

function quotable(property: PropertyEntry, stay: StayQuery, { nowMs }: OffersAt): Unplaced[] {
  const { tree } = property;
  const cancellationOf = cancellations(tree, { checkInDay: stay.checkInDay, nowMs });
  const found: Unplaced[] = [];
  for (const roomType of tree.room_types) {
    const room = property.rooms.get(roomType.id)!;
    for (const plan of roomType.rate_plans) {
      const cancellation = cancellationOf(plan.cancellation_kind);
      if (!cancellation) continue;
      const planState = room.plans.get(plan.id)!;
      const offer: Offer = { property, roomType, plan, room, planState };
      const totals = priceTotals(priceInputAt(offer, stay));
      if (!isExact(totals.total)) continue;
      const amount = perNightAverage(totals.room_subtotal, stay.nights);
      found.push({ offer, amount, totals, cancellation, sellable: sellable(offer, stay) });
    }
  }
  return found;
}

/** Available offers first, each group by price as search compares a property's rate plans. */
function cheapestFirst(offers: Unplaced[], tree: PropertyTree, fx: FxTable | null): Unplaced[] {
  const [first] = offers;
  const own = first?.offer.plan.currency;
  const isOne = offers.every(({ offer }) => offer.plan.currency === own);
  const common = isOne ? own! : tree.default_currency;
  const keyed = offers.map((each) => {
    const { id, currency } = each.offer.plan;
    const price = priceKey({ amount: each.amount, currency, id }, common, fx);
    return { key: [each.sellable > 0 ? 0 : 1, ...price], each };
  });
  keyed.sort((a, b) => (isLess(a.key, b.key) ? -1 : 1));
  return keyed.map(({ each }) => each);
}

/** The terms of each kind, computed once; null where the property has no policy. */
function cancellations(
  tree: PropertyTree,
  at: { readonly checkInDay: number; readonly nowMs: number },
): (kind: CancellationKind) => TermsInWords | null {
  const known = new Map<CancellationKind, TermsInWords | null>();
  return (cancellation_kind) => {
    let found = known.get(cancellation_kind);
    if (found === undefined) {
      const terms = policyFor(tree, { cancellation_kind });
      found = terms && cancellationInWords(tree, terms, at);
      known.set(cancellation_kind, found);
    }
    return found;
  };
}
