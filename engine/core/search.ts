/**
 * Search: every property of the tenant with an offer that can be held now for the party and keeps
 * all constraints, best first (rules §4). Complete, deterministic, no cap.
 */
import { type Alternative, alternativesTo } from "./alternatives.ts";
import { type Blocking, blockingReasons, type StayQuery, sellable } from "./availability.ts";
import { dayOf, todayIn } from "./calendar.ts";
import { convert, type FxTable } from "./money.ts";
import { feeTable, policyFor } from "./policy.ts";
import { perNightAverage, priceTotals } from "./price.ts";
import type { Party, Stay } from "./quote.ts";
import { priceInputOf } from "./quoting.ts";
import { findOffer, type Offer, type PropertyEntry, type State } from "./state.ts";
import type { PropertyTree } from "./supply.ts";
import { type Caller, sightOf } from "./visibility.ts";

export interface SearchQuery {
  readonly destination?: { readonly type: "area" | "property"; readonly value: string };
  readonly stay: Stay;
  readonly guests: Party;
  readonly constraints?: {
    readonly max_price_per_night?: { readonly amount: number; readonly currency: string };
    readonly meal_plan?: string;
    readonly cancellation?: string;
  };
}

/** For whom, and when. */
export interface SearchScope extends Caller {
  readonly nowMs: number;
}

export interface SearchResult {
  readonly property_id: string;
  readonly name: string;
  readonly rank_score: number;
  readonly explanation: readonly string[];
  readonly best_offer: {
    readonly room_type_id: string;
    readonly rate_plan_id: string;
    readonly price_per_night: { readonly amount: number; readonly currency: string };
  };
}

export interface SearchMiss {
  readonly property_id: string;
  readonly blocking: readonly Blocking[];
  readonly alternatives: readonly Alternative[];
}

interface Candidate {
  readonly offer: Offer;
  readonly amount: number;
  /** In the tenant's common currency, for ranking; null when no rate is known. */
  readonly comparable: number | null;
  readonly isFree: boolean;
}

/** Case- and accent-insensitive form of a name. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

const COUNTRY_NAMES = new Intl.DisplayNames(["en"], { type: "region" });
const placesOf = new WeakMap<PropertyTree, readonly string[]>();

/** City, region and country (name and code) of a property, folded. */
function places(tree: PropertyTree): readonly string[] {
  let known = placesOf.get(tree);
  if (!known) {
    const { city, region, country } = tree.address;
    const names = [city, region ?? "", country, COUNTRY_NAMES.of(country) ?? ""];
    known = names.map(folded).filter((name) => name !== "");
    placesOf.set(tree, known);
  }
  return known;
}

function isDestination(tree: PropertyTree, destination: SearchQuery["destination"]): boolean {
  if (!destination) return true;
  const { type, value } = destination;
  if (type === "area") return places(tree).includes(folded(value));
  return tree.id === value || tree.slug === value || folded(tree.name) === folded(value);
}

/** Live properties that the caller may see, in the order they were created. */
export function visibleProperties(state: State, scope: SearchScope): PropertyEntry[] {
  const found: PropertyEntry[] = [];
  const own = state.tenants.get(scope.tenant_id)?.properties[scope.mode] ?? [];
  for (const [id, property] of own) {
    if (property.state === "live" && sightOf(scope, property, id) === "visible") {
      found.push(property);
    }
  }
  return found;
}

/** Results best first, and what stood in the way of a property that was asked for by name. */
export function search(
  state: State,
  query: SearchQuery,
  scope: SearchScope,
): { readonly results: SearchResult[]; readonly misses: SearchMiss[] } {
  const fx = state.tenants.get(scope.tenant_id)?.fx ?? null;
  const found: Candidate[] = [];
  const misses: SearchMiss[] = [];
  const stay = stayQuery(query, scope);
  for (const property of visibleProperties(state, scope)) {
    if (!isDestination(property.tree, query.destination)) continue;
    if (stay.checkInDay < todayIn(property.tree.timezone, scope.nowMs)) continue;
    const best = bestOffer(property, query, stay, { fx, nowMs: scope.nowMs });
    if (best) found.push(best);
    else if (query.destination?.type === "property") misses.push(missOf(property, stay, scope));
  }
  return { results: ranked(found), misses };
}

function stayQuery(query: SearchQuery, scope: SearchScope): StayQuery {
  const checkInDay = dayOf(query.stay.check_in);
  const nights = dayOf(query.stay.check_out) - checkInDay;
  return { checkInDay, nights, party: query.guests, agentId: scope.actor.id };
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

function bestOffer(
  property: PropertyEntry,
  query: SearchQuery,
  stay: StayQuery,
  at: { readonly fx: FxTable | null; readonly nowMs: number },
): Candidate | null {
  let best: Candidate | null = null;
  for (const offer of offersOf(property)) {
    if (!fitsWords(offer, query) || sellable(offer, stay) === 0) continue;
    const terms = policyFor(property.tree, offer.plan);
    if (!terms) continue;
    const totals = priceTotals(priceInputOf(offer, query.stay, query.guests));
    const amount = perNightAverage(totals.room_subtotal, stay.nights);
    if (best && amount > best.amount) continue;
    if (best && amount === best.amount && offer.plan.id > best.offer.plan.id) continue;
    if (!isWithinPrice(amount, offer.plan.currency, query, at.fx)) continue;
    const { tree } = property;
    const fees = feeTable({ tree, terms, checkInDay: stay.checkInDay, priced: totals });
    const isFree = (fees.tiers[0]?.until_ms ?? 0) > at.nowMs;
    if (folded(query.constraints?.cancellation ?? "") === "free_cancellation" && !isFree) continue;
    const common: { amount: number } | null =
      at.fx && convert(amount, offer.plan.currency, at.fx.base, at.fx);
    best = { offer, amount, comparable: common ? common.amount : null, isFree };
  }
  return best;
}

function fitsWords({ plan }: Offer, query: SearchQuery): boolean {
  const { meal_plan, cancellation } = query.constraints ?? {};
  if (meal_plan !== undefined && folded(meal_plan) !== plan.meal_plan) return false;
  if (cancellation === undefined || folded(cancellation) === "free_cancellation") return true;
  return folded(cancellation) === plan.cancellation_kind;
}

function isWithinPrice(
  amount: number,
  currency: string,
  query: SearchQuery,
  fx: FxTable | null,
): boolean {
  const limit = query.constraints?.max_price_per_night;
  if (!limit) return true;
  if (limit.currency === currency) return amount <= limit.amount;
  const converted = convert(amount, currency, limit.currency, fx);
  return converted !== null && converted.amount <= limit.amount;
}

function missOf(property: PropertyEntry, stay: StayQuery, scope: SearchScope): SearchMiss {
  const offer = offersOf(property)[0];
  const property_id = property.tree.id;
  if (!offer) return { property_id, blocking: [], alternatives: [] };
  const today = todayIn(property.tree.timezone, scope.nowMs);
  const alternatives = alternativesTo(offer, stay, today);
  return { property_id, blocking: blockingReasons(offer, stay), alternatives };
}

const WEIGHTS = { price: 0.6, stars: 0.25, flexibility: 0.15 } as const;

/** Score from price within the result set, stars and flexibility; ties by price, then id. */
function ranked(found: readonly Candidate[]): SearchResult[] {
  const prices = found.map(({ comparable, amount }) => comparable ?? amount);
  const least = Math.min(...prices);
  const spread = Math.max(...prices) - least;
  const scored = found.map((candidate, i) => {
    const cheapness = spread === 0 ? 1 : 1 - (prices[i]! - least) / spread;
    const { tree } = candidate.offer.property;
    const stars = (tree.star_rating ?? 0) / 5;
    const flexible = candidate.isFree ? 1 : 0;
    const raw = WEIGHTS.price * cheapness + WEIGHTS.stars * stars + WEIGHTS.flexibility * flexible;
    const score = Math.round(Math.min(1, Math.max(0, raw)) * 10_000) / 10_000;
    return { candidate, price: prices[i]!, score, cheapness };
  });
  scored.sort(
    (a, b) =>
      b.score - a.score ||
      a.price - b.price ||
      (a.candidate.offer.property.tree.id < b.candidate.offer.property.tree.id ? -1 : 1),
  );
  return scored.map(({ candidate, score, cheapness }) => resultOf(candidate, score, cheapness));
}

function resultOf({ offer, amount, isFree }: Candidate, score: number, cheapness: number) {
  const { tree } = offer.property;
  const explanation = [
    cheapness === 1 ? "lowest price of these results" : `price position ${cheapness.toFixed(2)}`,
    tree.star_rating === null ? "not rated" : `${tree.star_rating} stars`,
    isFree ? "free cancellation now" : "cancellation has a fee now",
    `meal plan ${offer.plan.meal_plan}`,
  ];
  return {
    property_id: tree.id,
    name: tree.name,
    rank_score: score,
    explanation,
    best_offer: {
      room_type_id: offer.roomType.id,
      rate_plan_id: offer.plan.id,
      price_per_night: { amount, currency: offer.plan.currency },
    },
  };
}
