/**
 * Search without any index: every offer of every property is asked of the code that quotes and
 * holds ask, and priced whole. It is slow and says what a search must find.
 */
import { type StayQuery, sellable } from "../../engine/core/availability/availability.ts";
import { isWithinHorizon } from "../../engine/core/availability/horizon.ts";
import { priceInputOf } from "../../engine/core/availability/quoting.ts";
import { dayOf, todayIn } from "../../engine/core/calendar.ts";
import { normalizeText } from "../../engine/core/normalize-text.ts";
import { convert } from "../../engine/core/price/money.ts";
import { cancellationNow, feeAt, feeTable, policyFor } from "../../engine/core/price/policy.ts";
import { isExact, perNightAverage, priceTotals } from "../../engine/core/price/price.ts";
import { RADIUS_M } from "../../engine/core/search/places/geo-uri.ts";
import { distanceM } from "../../engine/core/search/places/grid.ts";
import { wordsOf } from "../../engine/core/search/places/spelling.ts";
import type { SearchQuery, SearchScope } from "../../engine/core/search/query.ts";
import { visibleProperties } from "../../engine/core/search/search.ts";
import {
  findOffer,
  type Offer,
  type PropertyEntry,
  type State,
} from "../../engine/core/state/state.ts";

/** What is found of each property, by its id. */
export interface BruteFind {
  readonly plan: string;
  readonly amount: number;
  readonly total: number;
  readonly sellable: number;
  readonly isFree: boolean;
}

/** Whether a room of a property has the stars, amenities and beds that are asked for. */
export function isSuitable({ property: { tree }, roomType }: Offer, query: SearchQuery): boolean {
  const { min_star_rating: stars, amenities = [], bed_type } = query.constraints ?? {};
  if (stars !== undefined && (tree.star_rating === null || tree.star_rating < stars)) return false;
  const code = (text: string) => wordsOf(text).join(" ");
  const codes = [...tree.amenities, ...roomType.amenities].map(code);
  if (!amenities.every((amenity) => codes.includes(code(amenity)))) return false;
  const beds = wordsOf(roomType.bed_type ?? "");
  return bed_type === undefined || wordsOf(bed_type).every((word) => beds.includes(word));
}

/** Whether a property names a landmark, or lies near where one that does says it is. */
function isAtLandmark(property: PropertyEntry, name: string, all: readonly PropertyEntry[]) {
  const naming = all.filter(({ tree }) =>
    tree.landmarks?.some((each) => normalizeText(each.name) === normalizeText(name)),
  );
  const points = naming.flatMap(({ tree }) => tree.landmarks!.flatMap(({ geo }) => geo ?? []));
  const { geo } = property.tree;
  return naming.includes(property) || points.some((point) => distanceM(point, geo!) <= RADIUS_M);
}

/** Whether a property is at the destination; `all` are those that the caller may see. */
export function isWanted(
  property: PropertyEntry,
  { destination }: SearchQuery,
  all: readonly PropertyEntry[],
): boolean {
  if (!destination) return true;
  const { tree } = property;
  const { type, value } = destination;
  const { city, region, country } = tree.address;
  if (type === "area") {
    const names = [city, region ?? "", country].map(normalizeText);
    return names.includes(normalizeText(value)) || isAtLandmark(property, value, all);
  }
  const isNamed = normalizeText(tree.name) === normalizeText(value);
  return isNamed || [tree.id, tree.slug].includes(value.toLowerCase());
}

function finds(
  state: State,
  offer: Offer,
  query: SearchQuery,
  { stay, nowMs }: { readonly stay: StayQuery; readonly nowMs: number },
): BruteFind | null {
  const { property, plan } = offer;
  const { max_price_per_night: limit, meal_plan, cancellation } = query.constraints ?? {};
  const { tree } = property;
  const terms = policyFor(tree, plan);
  const units = sellable(offer, stay);
  if (!terms || units === 0 || !isSuitable(offer, query)) return null;
  if (meal_plan !== undefined && normalizeText(meal_plan) !== plan.meal_plan) return null;
  const totals = priceTotals(priceInputOf(offer, query.stay, query.guests, nowMs));
  if (!isExact(totals.total)) return null;
  const fees = feeTable({ tree, terms, checkInDay: stay.checkInDay, priced: totals });
  const isFree = feeAt(fees, nowMs).tier_index < fees.tiers.length;
  const wanted = query.constraints?.refundability;
  const now = cancellationNow(tree, terms, { checkInDay: stay.checkInDay, nowMs });
  if (wanted !== undefined && normalizeText(wanted) !== now.refundability) return null;
  const kind = cancellation === undefined ? undefined : normalizeText(cancellation);
  if (kind === "free_cancellation" && !isFree) return null;
  if (kind !== undefined && kind !== "free_cancellation" && kind !== plan.cancellation_kind) {
    return null;
  }
  const amount = perNightAverage(totals.room_subtotal, stay.nights);
  const fx = state.tenants.get(property.tenant_id)?.fx ?? null;
  const asked = limit && convert(amount, plan.currency, limit.currency, fx);
  if (limit && (!asked || asked.amount > limit.amount)) return null;
  return { plan: plan.id, amount, total: totals.total, sellable: Math.min(9, units), isFree };
}

/** Every property with its cheapest offer; plans of a property must be of one currency. */
export function bruteSearch(
  state: State,
  query: SearchQuery,
  scope: SearchScope,
): Map<string, BruteFind> {
  const checkInDay = dayOf(query.stay.check_in);
  const nights = dayOf(query.stay.check_out) - checkInDay;
  const asked = { checkInDay, nights, party: query.guests, agentId: scope.actor.id };
  const best = new Map<string, BruteFind>();
  const visible = visibleProperties(state, scope);
  for (const property of visible) {
    if (!isWanted(property, query, visible)) continue;
    const today = todayIn(property.tree.timezone, scope.nowMs);
    if (!isWithinHorizon(checkInDay, nights, today)) continue;
    const stay = { ...asked, todayDay: today };
    const offers = property.tree.room_types.flatMap(({ id, rate_plans }) =>
      rate_plans.map((plan) => findOffer(property, id, plan.id) as Offer),
    );
    const found = offers.flatMap(
      (offer) => finds(state, offer, query, { stay, nowMs: scope.nowMs }) ?? [],
    );
    found.sort((a, b) => a.amount - b.amount || (a.plan < b.plan ? -1 : 1));
    if (found[0]) best.set(property.tree.id, found[0]);
  }
  return best;
}
