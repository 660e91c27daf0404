/**
 * Why a search finds nothing, without any index: every offer of every property is asked of the code
 * that quotes and holds ask. It is slow and says what `no_results` must count.
 */
import { blockingReasons } from "../../engine/core/availability/availability.ts";
import { isWithinHorizon } from "../../engine/core/availability/horizon.ts";
import { priceInputOf } from "../../engine/core/availability/quoting.ts";
import { dayOf, todayIn } from "../../engine/core/calendar.ts";
import { normalizeText } from "../../engine/core/normalize-text.ts";
import { convert } from "../../engine/core/price/money.ts";
import { partyProblem } from "../../engine/core/price/occupancy.ts";
import { cancellationNow, policyFor } from "../../engine/core/price/policy.ts";
import { perNightAverage, priceTotals } from "../../engine/core/price/price.ts";
import { CONSTRAINTS, type Constraint } from "../../engine/core/search/constraint-check.ts";
import type { SearchQuery, SearchScope } from "../../engine/core/search/query.ts";
import { type SearchFound, visibleProperties } from "../../engine/core/search/search.ts";
import { type NoResultReason, REASONS } from "../../engine/core/search/shortfall.ts";
import {
  findOffer,
  type Offer,
  type PropertyEntry,
  type State,
} from "../../engine/core/state/state.ts";
import { isSuitable, isWanted } from "./brute-search.ts";

/** Constraints that an offer misses; the price is judged only where at most one other is missed. */
function missed(state: State, offer: Offer, query: SearchQuery, nowMs: number): Constraint[] {
  const { constraints = {}, stay, guests } = query;
  const { property, plan } = offer;
  const terms = policyFor(property.tree, plan)!;
  const checkInDay = dayOf(stay.check_in);
  const now = cancellationNow(property.tree, terms, { checkInDay, nowMs });
  const isMet: Record<Constraint, () => boolean> = {
    ...Object.fromEntries(
      (["min_star_rating", "amenities", "bed_type"] as const).map((name) => [
        name,
        () => isSuitable(offer, { ...query, constraints: { [name]: constraints[name] } }),
      ]),
    ),
    meal_plan: () => normalizeText(constraints.meal_plan!) === plan.meal_plan,
    cancellation: () => {
      const kind = normalizeText(constraints.cancellation!);
      return kind === "free_cancellation" ? now.isFree : kind === plan.cancellation_kind;
    },
    refundability: () => normalizeText(constraints.refundability!) === now.refundability,
    max_price_per_night: () => {
      const { amount, currency } = constraints.max_price_per_night!;
      const { room_subtotal } = priceTotals(priceInputOf(offer, stay, guests, nowMs));
      const nights = dayOf(stay.check_out) - checkInDay;
      const fx = state.tenants.get(property.tenant_id)?.fx ?? null;
      const price = convert(perNightAverage(room_subtotal, nights), plan.currency, currency, fx);
      return price !== null && price.amount <= amount;
    },
  } as Record<Constraint, () => boolean>;
  const asked = CONSTRAINTS.filter((name) => constraints[name] !== undefined);
  const others = asked.filter((name) => name !== "max_price_per_night" && !isMet[name]());
  const isDear = constraints.max_price_per_night && !isMet.max_price_per_night();
  return others.length <= 1 && isDear ? [...others, "max_price_per_night"] : others;
}

/** The reason of the offer that came farthest. */
function reasonOf(
  state: State,
  property: PropertyEntry,
  query: SearchQuery,
  scope: SearchScope,
): NoResultReason {
  const { tree } = property;
  const checkInDay = dayOf(query.stay.check_in);
  const nights = dayOf(query.stay.check_out) - checkInDay;
  const today = todayIn(tree.timezone, scope.nowMs);
  if (checkInDay < today) return "dates_past";
  if (!isWithinHorizon(checkInDay, nights, today)) return "beyond_horizon";
  const stay = {
    ...{ checkInDay, nights, todayDay: today },
    ...{ party: query.guests, agentId: scope.actor.id },
  };
  const offers = tree.room_types
    .flatMap(({ id, rate_plans }) => rate_plans.map((plan) => findOffer(property, id, plan.id)))
    .filter((offer) => typeof offer !== "string")
    .filter((offer) => policyFor(tree, offer.plan) !== null);
  if (offers.length === 0) return "no_rate";
  const fitting = offers.filter(({ roomType }) => !partyProblem(tree, roomType, query.guests));
  if (fitting.length === 0) return "party_too_large";
  const judged = fitting.map((offer) => {
    const against = blockingReasons(offer, stay).map(({ reason }) => reason);
    return { against, misses: missed(state, offer, query, scope.nowMs) };
  });
  const free = judged.filter(({ against }) => !against.includes("no_vacancy"));
  if (free.length === 0) return "sold_out";
  const fewest = (lists: readonly (readonly NoResultReason[])[]) => {
    const least = Math.min(...lists.map(({ length }) => length));
    const reasons = lists.filter(({ length }) => length === least).flat();
    return REASONS.find((reason) => reasons.includes(reason))!;
  };
  const open = free.filter(({ against }) => against.length === 0);
  if (open.length > 0) return fewest(open.map(({ misses }) => misses));
  return fewest(free.map(({ against }) => against as NoResultReason[]));
}

/** How many properties each reason has, of a search that finds nothing. */
export function bruteReasons(state: State, query: SearchQuery, scope: SearchScope) {
  const counts: Partial<Record<NoResultReason, number>> = {};
  const visible = visibleProperties(state, scope);
  for (const property of visible) {
    if (!isWanted(property, query, visible)) continue;
    const reason = reasonOf(state, property, query, scope);
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return Object.keys(counts).length > 0 ? counts : { not_on_sale: 0 };
}

/** The searches that `nearest` of an answer stands for. */
export function nearestSearches(
  query: SearchQuery,
  { stays, guests, constraints, place }: NonNullable<SearchFound["noResults"]>["nearest"],
): SearchQuery[] {
  const found: SearchQuery[] = stays.map((stay) => ({ ...query, stay }));
  if (guests) found.push({ ...query, guests });
  if (place) found.push({ ...query, destination: { type: "area", value: place.value } });
  for (const [name, value] of Object.entries(constraints ?? {})) {
    if (value === null) continue;
    const isList = Array.isArray(value) && name !== "amenities";
    for (const each of isList ? value : [value]) {
      found.push({ ...query, constraints: { ...query.constraints, [name]: each } });
    }
  }
  return found;
}
