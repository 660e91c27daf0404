/**
 * Offers for a stay, priced line by line, and alternatives when there are none. Offers and prices
 * come from the function that makes the feeds.
 */
import { nearestDates } from "../../../engine/core/availability/alternatives.ts";
import { type Blocking, blockingReasons } from "../../../engine/core/availability/availability.ts";
import { priceInputAt } from "../../../engine/core/availability/quoting.ts";
import { dayOf } from "../../../engine/core/calendar.ts";
import { costRows, feeTable, policyFor } from "../../../engine/core/price/policy.ts";
import type { CostRow } from "../../../engine/core/price/policy-words.ts";
import { type PriceBreakdown, price } from "../../../engine/core/price/price.ts";
import { findOffer, type Offer, type PropertyEntry } from "../../../engine/core/state/state.ts";
import type { RoomType } from "../../../engine/core/supply.ts";
import { type Bundle, bundlesOf, totalOf } from "../../../feeds/bundles.ts";
import type { Asked } from "./stay-request.ts";

export interface StayOffer extends Bundle {
  readonly total: number;
  readonly price: PriceBreakdown;
  /** Cancellation costs from now on. */
  readonly costs: readonly CostRow[];
}

/** An alternative stay with its lowest total. */
export interface OtherStay {
  readonly checkInDay: number;
  readonly nights: number;
  readonly total: number;
  readonly currency: string;
  readonly room: string;
  readonly rate: string;
}

/** A room type without a free rate. */
export interface ShutRoom {
  readonly roomType: RoomType;
  readonly reason: Blocking | null;
}

export interface StayOffers {
  /**
   * The clicked offer first, then offers for all guests by price; only the lowest of a large hotel.
   */
  readonly rooms: readonly (readonly StayOffer[])[];
  /** Number of further free offers. */
  readonly more: number;
  /** The clicked offer, else the cheapest for all guests; null when nothing is free. */
  readonly chosen: StayOffer | null;
  /** Why the clicked offer is missing; null when it is free or nothing was clicked. */
  readonly missed: "unknown" | "not_free" | null;
  readonly shut: readonly ShutRoom[];
  /** Nearby dates; only when the clicked offer, or everything, is taken. */
  readonly others: readonly OtherStay[];
}

/** Each is priced line by line; also the limit per room type. */
const SHOWN_MAX = 24;
const SHOWN_OF_ROOM_MAX = 4;
const OTHERS_MAX = 6;
/** Bounds the search of a large hotel, which has hundreds. */
const ASKED_FOR_OTHERS_MAX = 40;

interface At {
  readonly nowMs: number;
  readonly todayDay: number;
}

/** All data of the page about a stay. */
export function offersFor(property: PropertyEntry, asked: Asked, at: At): StayOffers {
  const found = bundlesFor(property, asked, at);
  const clicked = clickedOf(property, asked);
  const best = chosenOf(found, asked, clicked);
  const isMissed = clicked !== null && (best === null || !clicked.has(best.offer.plan.id));
  const missed = isMissed ? (clicked.size === 0 ? "unknown" : "not_free") : null;
  const shown = lowestOf(found, asked, best).map((bundle) => stayOffer(bundle, asked, at));
  const isTaken = found.length === 0 || missed === "not_free";
  const wanted = missed === "not_free" ? clicked : null;
  return {
    rooms: [...Map.groupBy(shown, ({ offer }) => offer.roomType).values()],
    more: found.length - shown.length,
    chosen: shown[0] ?? null,
    missed,
    shut: shutRooms(property, asked, found, at),
    others: isTaken ? othersTo(property, wanted, asked, at) : [],
  };
}

/** The offers to show: best first, then by rank and price. */
function lowestOf(found: readonly Bundle[], asked: Asked, best: Bundle | null): Bundle[] {
  const ordered = found.toSorted(
    (a, b) => rankOf(a, asked, best) - rankOf(b, asked, best) || byTotal(a, b),
  );
  const shownOf = new Map<RoomType, number>();
  const shown: Bundle[] = [];
  for (const bundle of ordered) {
    if (shown.length === SHOWN_MAX) break;
    const { roomType } = bundle.offer;
    const count = shownOf.get(roomType) ?? 0;
    if (count === SHOWN_OF_ROOM_MAX) continue;
    shownOf.set(roomType, count + 1);
    shown.push(bundle);
  }
  return shown;
}

function bundlesFor(property: PropertyEntry, asked: Asked, at: At): Bundle[] {
  const { checkInDay, nights, adults, partner } = asked;
  const { todayDay } = at;
  return bundlesOf(property, { checkInDay, nights, adults, agentId: partner.name, todayDay });
}

function stayOffer(bundle: Bundle, { checkInDay, nights }: Asked, at: At): StayOffer {
  const { nowMs, todayDay } = at;
  const { offer, adults } = bundle;
  const { tree } = offer.property;
  const party = partyOf(adults);
  const priced = price(priceInputAt(offer, { checkInDay, nights, party, todayDay }));
  // Bundles always have terms; others cannot be cancelled under any.
  const terms = policyFor(tree, offer.plan)!;
  const table = feeTable({ tree, terms, checkInDay, priced });
  return {
    ...bundle,
    total: totalOf(bundle),
    price: priced,
    costs: costRows(table, terms, nowMs),
  };
}

function partyOf(adults: number) {
  return { adults, children: [] };
}

/** The best rate, the others of its room, rooms for all guests, then smaller ones. */
function rankOf(each: Bundle, { adults }: Asked, best: Bundle | null): number {
  if (each === best) return 0;
  if (each.offer.roomType === best?.offer.roomType) return 1;
  return 2 + isSmall(each, { adults });
}

/** 1 for a room priced for fewer guests. */
function isSmall(bundle: Pick<Bundle, "adults">, { adults }: Pick<Asked, "adults">): 0 | 1 {
  return bundle.adults === adults ? 0 : 1;
}

function byTotal(a: Bundle, b: Bundle): number {
  return totalOf(a) - totalOf(b) || (a.offer.plan.id < b.offer.plan.id ? -1 : 1);
}

/** Rate plan ids of a click; null without one. */
function clickedOf({ tree }: PropertyEntry, { room, rate }: Asked): ReadonlySet<string> | null {
  if (room === null && rate === null) return null;
  const ids = tree.room_types
    .filter(({ id }) => room === null || id === room)
    .flatMap(({ rate_plans }) => rate_plans.map(({ id }) => id));
  return new Set(ids.filter((id) => rate === null || id === rate));
}

/** The clicked offer if free, else the lowest for all guests. */
function chosenOf(
  found: readonly Bundle[],
  asked: Asked,
  clicked: ReadonlySet<string> | null,
): Bundle | null {
  const bySize = found.toSorted((a, b) => isSmall(a, asked) - isSmall(b, asked) || byTotal(a, b));
  const isMeant = ({ offer }: Bundle) => clicked?.has(offer.plan.id) === true;
  return bySize.find(isMeant) ?? bySize[0] ?? null;
}

type Wanted = ReadonlySet<string> | null;

function isWanted(wanted: Wanted, planId: string): boolean {
  return wanted === null || wanted.has(planId);
}

/** Lazy offers of the wanted plans, or of all. */
function* offersOf(property: PropertyEntry, wanted: Wanted): Generator<Offer> {
  for (const roomType of property.tree.room_types) {
    for (const { id } of roomType.rate_plans) {
      if (!isWanted(wanted, id)) continue;
      const offer = findOffer(property, roomType.id, id);
      if (typeof offer !== "string") yield offer;
    }
  }
}

function shutRooms(
  property: PropertyEntry,
  asked: Asked,
  found: readonly Bundle[],
  { todayDay }: At,
): ShutRoom[] {
  const open = new Set(found.map(({ offer }) => offer.roomType));
  const { checkInDay, nights, adults, partner } = asked;
  return property.tree.room_types
    .filter((roomType) => !open.has(roomType))
    .map((roomType) => {
      const [plan] = roomType.rate_plans;
      const offer = plan && findOffer(property, roomType.id, plan.id);
      if (offer === undefined || typeof offer === "string") return { roomType, reason: null };
      const party = partyOf(adults);
      const query = { checkInDay, nights, party, agentId: partner.name, todayDay };
      return { roomType, reason: blockingReasons(offer, query)[0] ?? null };
    });
}

/** Nearby stays, nearest first, each with its cheapest offer. */
function othersTo(property: PropertyEntry, wanted: Wanted, asked: Asked, at: At): OtherStay[] {
  const { checkInDay, nights, partner } = asked;
  const stays = new Map<string, { checkInDay: number; nights: number }>();
  for (const offer of offersOf(property, wanted).take(ASKED_FOR_OTHERS_MAX)) {
    if (stays.size >= OTHERS_MAX) break;
    const adults = Math.min(asked.adults, Math.max(1, offer.roomType.max_occupancy));
    const party = partyOf(adults);
    const query = { checkInDay, nights, party, agentId: partner.name, todayDay: at.todayDay };
    for (const { quote } of nearestDates(offer, query)) {
      const day = dayOf(quote.stay.check_in);
      const long = dayOf(quote.stay.check_out) - day;
      stays.set(`${day} ${long}`, { checkInDay: day, nights: long });
    }
  }
  return [...stays.values()]
    .slice(0, OTHERS_MAX)
    .sort((a, b) => a.checkInDay - b.checkInDay || a.nights - b.nights)
    .flatMap((stay) => {
      const bundles = bundlesFor(property, { ...asked, ...stay }, at)
        .filter(({ offer }) => isWanted(wanted, offer.plan.id))
        .map((bundle) => ({ ...bundle, total: totalOf(bundle) }))
        .sort((a, b) => isSmall(a, asked) - isSmall(b, asked) || a.total - b.total);
      const [best] = bundles;
      if (!best) return [];
      const { total, currency, offer } = best;
      return [{ ...stay, total, currency, room: offer.roomType.id, rate: offer.plan.id }];
    });
}
