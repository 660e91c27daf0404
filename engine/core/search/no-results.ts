/**
 * What is told of a search that found nothing: why, and the nearest searches that find something.
 * Each of those was tried: sent as it is told, it finds at least one offer unless supply changes in
 * between. How much is tried is bounded by counts and not by time, so the answer is deterministic.
 */
import { dateOf, todayIn } from "../calendar.ts";
import { latestCheckOut } from "../horizon.ts";
import type { RealmIndex } from "../index/realm-index.ts";
import { StayBits } from "../index/stay-bits.ts";
import type { KnownPlace } from "../places/suggestions.ts";
import { type Party, STAY_NIGHTS_MAX, type Stay } from "../quote.ts";
import { BestOffers } from "./best-offer.ts";
import type { NearestConstraints } from "./constraint-check.ts";
import { type FailedSearch, TRIES_MAX } from "./failed-search.ts";
import { nearestPlace } from "./nearest-place.ts";
import type { Asked, SearchScope } from "./query.ts";
import { kindOf, type NoResultReason, REASONS, type ReasonKind, Shortfall } from "./shortfall.ts";

export interface NoResults {
  /** Properties of the destination that the caller may see. */
  readonly considered: number;
  /** How many of them were judged: all, or an even choice of many. */
  readonly judged: number;
  /** Each property that was judged is counted once; most properties first. */
  readonly reasons: readonly {
    readonly kind: ReasonKind;
    readonly reason: NoResultReason;
    readonly properties: number;
  }[];
  readonly nearest: NearestSearches;
}

/** Members of a search, each with the value that would find something in place of the asked one. */
export interface NearestSearches {
  /** Nearest first. */
  readonly stays: readonly Stay[];
  /** The most adults that a room is free for; only where the party is a reason. */
  readonly guests: Party | null;
  readonly constraints: NearestConstraints | null;
  /** Not of the destination; null where no point is known. */
  readonly place: KnownPlace | null;
}

/** More say nothing else, and a caller waits for them. */
const JUDGED_MAX = 1_000;
const SHIFT_DAYS_MAX = 14;
const STAYS_MAX = 2;

/** Why none of these properties, told by their ordinals, has an offer. */
export function noResultsOf(
  search: FailedSearch,
  ordinals: readonly number[],
  scope: SearchScope,
): NoResults {
  const { index, query, asked, fx } = search;
  const shortfall = new Shortfall(index, query, asked, fx);
  const counts = new Map<NoResultReason, number>();
  if (ordinals.length === 0) counts.set("not_on_sale", 0);
  const judged = evenChoice(ordinals, JUDGED_MAX);
  for (const ordinal of judged) {
    const reason = shortfall.of(ordinal);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, properties]) => {
    return { kind: kindOf(reason), reason, properties };
  });
  reasons.sort(
    (a, b) => b.properties - a.properties || REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason),
  );
  const nearest = {
    stays: nearestStays(search, shortfall),
    guests: counts.has("party_too_large") ? largestParty(search, shortfall) : null,
    constraints: shortfall.constraints.nearest(),
    place: nearestPlace(search, ordinals, scope),
  };
  return { considered: ordinals.length, judged: judged.length, reasons, nearest };
}

/** At most so many of a list, from all parts of it. */
function evenChoice<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}

/** Stays for which some property has an offer that meets everything else. */
function nearestStays(
  { index, asked, fx }: FailedSearch,
  { suitable, minNights }: Shortfall,
): Stay[] {
  const found: Stay[] = [];
  let tries = 0;
  for (const { checkInDay, nights } of otherStays(index, asked, suitable, minNights)) {
    if (found.length === STAYS_MAX || tries >= TRIES_MAX) break;
    const stay = { ...asked.stay, checkInDay, nights };
    const bits = new StayBits(index, stay);
    const offers = new BestOffers(index, { ...asked, stay }, fx);
    let last = -1;
    for (const { room, property: ordinal } of suitable) {
      if (ordinal === last || !bits.isFree(room)) continue;
      last = ordinal;
      const property = index.properties[ordinal]!;
      if (tries++ >= TRIES_MAX) break;
      if (!offers.isOpen(property) || !offers.of(property, null)) continue;
      found.push({ check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) });
      break;
    }
  }
  return found;
}

/** Longer stays of the same arrival that restrictions ask for, then as many nights near by. */
function* otherStays(
  index: RealmIndex,
  { stay, nowMs }: Asked,
  suitable: Shortfall["suitable"],
  minNights: ReadonlySet<number>,
): Generator<{ checkInDay: number; nights: number }> {
  const [first] = suitable;
  if (!first) return;
  const { checkInDay, nights } = stay;
  for (const least of [...minNights].sort((a, b) => a - b)) {
    if (least <= STAY_NIGHTS_MAX) yield { checkInDay, nights: least };
  }
  const today = todayIn(index.properties[first.property]!.timezone, nowMs);
  // Of dates that are over, or beyond the horizon, the nearest ones that can be sold.
  const nearest = Math.min(Math.max(checkInDay, today), latestCheckOut(today) - nights);
  if (nearest !== checkInDay) yield { checkInDay: nearest, nights };
  for (let shift = 1; shift <= SHIFT_DAYS_MAX; shift += 1) {
    yield { checkInDay: nearest + shift, nights };
    yield { checkInDay: nearest - shift, nights };
  }
}

/** The most adults for whom some property has an offer that meets everything else. */
function largestParty({ index, asked, fx }: FailedSearch, { smaller }: Shortfall): Party | null {
  let tries = 0;
  for (const [adults, ordinals] of [...smaller].sort(([a], [b]) => b - a)) {
    const party = { adults, children: [] };
    const offers = new BestOffers(index, { ...asked, stay: { ...asked.stay, party } }, fx);
    for (const ordinal of ordinals) {
      const property = index.properties[ordinal]!;
      if (tries++ >= TRIES_MAX) return null;
      if (offers.isOpen(property) && offers.of(property, null)) return party;
    }
  }
  return null;
}
