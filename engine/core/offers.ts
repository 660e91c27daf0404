/**
 * Everything that a property sells for one stay: what can be held, the cheapest first, then what
 * cannot, with the reasons and the nearest dates. Whether an offer can be held, what it costs and
 * how it is cancelled is asked of what quotes ask, so that a quote of it says the same.
 */
import { type Alternative, nearestDates } from "./alternatives.ts";
import { type Blocking, blockingReasons, type StayQuery, sellable } from "./availability.ts";
import type { FxTable } from "./money.ts";
import { cancellationInWords, policyFor } from "./policy.ts";
import { isExact, type PriceTotals, perNightAverage, priceTotals } from "./price.ts";
import { priceInputAt } from "./quoting.ts";
import { isLess, priceKey } from "./search/price-order.ts";
import type { Offer, PropertyEntry } from "./state.ts";
import type { CancellationKind, PropertyTree } from "./supply.ts";

type TermsInWords = ReturnType<typeof cancellationInWords>;

/** A room type and rate plan for the stay; amounts are minor units of the plan's currency. */
export interface StayOffer {
  readonly offer: Offer;
  /** Room amount per night. */
  readonly amount: number;
  readonly totals: PriceTotals;
  readonly cancellation: TermsInWords;
  /** Units that can be held; 0 exactly when something stands against the stay. */
  readonly sellable: number;
  readonly blocking: readonly Blocking[];
  /** The same offer on other dates, nearest first. */
  readonly alternatives: readonly Alternative[];
}

/** When it is asked, and by which rates amounts are compared. */
export interface OffersAt {
  readonly nowMs: number;
  /** Today at the property. */
  readonly todayDay: number;
  readonly fx: FxTable | null;
}

/**
 * Offers that are told of night by night, and are looked for on other dates, at most: a large hotel
 * has hundreds that cannot be held, each for the same reasons on up to 90 nights.
 */
const AT_LENGTH_MAX = 40;

type Unplaced = Omit<StayOffer, "blocking" | "alternatives">;

/**
 * Of each room type and plan that can be quoted at all: a plan without a policy to be cancelled
 * under is none, nor is one whose price would not be exact.
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
    const alternatives = isAtLength ? nearestDates(offer, stay, at.todayDay) : [];
    found.push({ ...each, blocking, alternatives });
  }
  return found;
}

/** Each reason on its first night. */
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

/** What can be held before what cannot, each by price as search compares a property's plans. */
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

/** The terms of each kind, worked out once; null of a kind that the property has none of. */
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
