/**
 * Search: every property of the tenant with an offer that can be held now for the party and keeps
 * all constraints, best first (rules §4). Complete, deterministic, no cap.
 */
import { type Alternative, alternativesTo } from "./alternatives.ts";
import { type Blocking, blockingReasons, type StayQuery, sellable } from "./availability.ts";
import { dayOf, todayIn } from "./calendar.ts";
import { isWithinHorizon } from "./horizon.ts";
import { convert, type FxTable } from "./money.ts";
import { cancellationNow, feeAt, feeTable, policyFor } from "./policy.ts";
import { isExact, perNightAverage, priceTotals } from "./price.ts";
import type { FeeTable, Party, Stay } from "./quote.ts";
import { priceInputOf } from "./quoting.ts";
import { comparedTo, placeText, type Ranked, ranked } from "./ranking.ts";
import { findOffer, type Offer, type PropertyEntry, type State } from "./state.ts";
import type { MealPlan, PropertyTree } from "./supply.ts";
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
  readonly currency: string;
  readonly stars: number | null;
  readonly isFree: boolean;
  readonly fees: FeeTable;
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

/** Whether a property is the destination or in it; the name is folded once, not for each. */
function destinationTest(destination: SearchQuery["destination"]): (tree: PropertyTree) => boolean {
  if (!destination) return () => true;
  const { type, value } = destination;
  const name = folded(value);
  const id = value.toLowerCase();
  if (type === "area") return (tree) => places(tree).includes(name);
  return (tree) => tree.id === id || tree.slug === id || folded(tree.name) === name;
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
  const isWanted = destinationTest(query.destination);
  const wanted = wordsFolded(query);
  for (const property of visibleProperties(state, scope)) {
    if (!isWanted(property.tree)) continue;
    const today = todayIn(property.tree.timezone, scope.nowMs);
    if (!isWithinHorizon(stay.checkInDay, stay.nights, today)) continue;
    const best = bestOffer(property, wanted, stay, { fx, nowMs: scope.nowMs });
    if (best) found.push(best);
    else if (query.destination?.type === "property") misses.push(missOf(property, stay, scope));
  }
  const compared = comparedTo(found, fx);
  const results = ranked(found, compared).map((each) => resultOf(each, scope));
  return { results, misses };
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
    if (!isExact(totals.total)) continue;
    const amount = perNightAverage(totals.room_subtotal, stay.nights);
    if (best && amount > best.amount) continue;
    if (best && amount === best.amount && offer.plan.id > best.offer.plan.id) continue;
    if (!isWithinPrice(amount, offer.plan.currency, query, at.fx)) continue;
    const { tree } = property;
    const fees = feeTable({ tree, terms, checkInDay: stay.checkInDay, priced: totals });
    const isFree = feeAt(fees, at.nowMs).tier_index < fees.tiers.length;
    if (query.constraints?.cancellation === "free_cancellation" && !isFree) continue;
    const { currency } = offer.plan;
    best = { offer, amount, currency, stars: tree.star_rating, isFree, fees };
  }
  return best;
}

function fitsWords({ plan }: Offer, query: SearchQuery): boolean {
  const { meal_plan, cancellation } = query.constraints ?? {};
  if (meal_plan !== undefined && meal_plan !== plan.meal_plan) return false;
  if (cancellation === undefined || cancellation === "free_cancellation") return true;
  return cancellation === plan.cancellation_kind;
}

/** The query with its words folded: once, not for every plan, because they may be of any length. */
function wordsFolded(query: SearchQuery): SearchQuery {
  const { meal_plan, cancellation, ...rest } = query.constraints ?? {};
  const constraints = {
    ...rest,
    ...(meal_plan !== undefined && { meal_plan: folded(meal_plan) }),
    ...(cancellation !== undefined && { cancellation: folded(cancellation) }),
  };
  return { ...query, constraints };
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

/** What stands against the offer that is nearest to being held: a room for the party, if any is. */
function missOf(property: PropertyEntry, stay: StayQuery, scope: SearchScope): SearchMiss {
  const property_id = property.tree.id;
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
  const today = todayIn(property.tree.timezone, scope.nowMs);
  return { property_id, blocking, alternatives: alternativesTo(offer, stay, today) };
}

const MEALS: Readonly<Record<MealPlan, string>> = {
  room_only: "Room only",
  breakfast: "Breakfast included",
  half_board: "Half board included",
  full_board: "Full board included",
  all_inclusive: "All inclusive",
};

function starsText(stars: number | null): string {
  if (stars === null) return "No star rating";
  return stars === 1 ? "1 star" : `${stars} stars`;
}

/** A result with what speaks for and against it, in words for people. */
function resultOf(
  { candidate, rank_score, place }: Ranked<Candidate>,
  { nowMs }: SearchScope,
): SearchResult {
  const { offer, amount, currency, stars, fees } = candidate;
  const { roomType, plan, property } = offer;
  const { tree } = property;
  const terms = policyFor(tree, plan)!;
  return {
    property_id: tree.id,
    name: tree.name,
    rank_score,
    explanation: [
      placeText(place, currency),
      starsText(stars),
      cancellationNow(tree, terms, { fees, nowMs }),
      MEALS[plan.meal_plan],
    ],
    best_offer: {
      room_type_id: roomType.id,
      rate_plan_id: plan.id,
      price_per_night: { amount, currency },
    },
  };
}
