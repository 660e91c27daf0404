/**
 * Explains a search without results: the reasons, and the nearest searches with results. Each of
 * those was tried: it finds at least one offer unless supply changes in between. Tries are limited
 * by counts and not by time, so the answer is deterministic.
 */

import { latestCheckOut } from "../availability/horizon.ts";
import { dateOf, todayIn } from "../calendar.ts";
import { type Party, STAY_NIGHTS_MAX, type Stay } from "../price/quote.ts";
import { BestOffers } from "./best-offer.ts";
import type { NearestConstraints } from "./constraint-check.ts";
import { type FailedSearch, TRIES_MAX } from "./failed-search.ts";
import type { RealmIndex } from "./index/realm-index.ts";
import { StayBits } from "./index/stay-bits.ts";
import { nearestPlace } from "./nearest-place.ts";
import type { KnownPlace } from "./places/suggestions.ts";
import type { Asked, SearchScope } from "./query.ts";
import { kindOf, type NoResultReason, REASONS, type ReasonKind, Shortfall } from "./shortfall.ts";

export interface NoResults {
  /** Visible properties of the destination. */
  readonly considered: number;
  /** How many of them were checked: all, or an even sample. */
  readonly judged: number;
  /** Each checked property counts once; most frequent reason first. */
  readonly reasons: readonly {
    readonly kind: ReasonKind;
    readonly reason: NoResultReason;
    readonly properties: number;
  }[];
  readonly nearest: NearestSearches;
}

/** Members of a search, each with a value that finds something instead of the requested one. */
export interface NearestSearches {
  readonly stays: readonly Stay[];
  /** The most adults for whom a room is free; only when the party is a reason. */
  readonly guests: Party | null;
  readonly constraints: NearestConstraints | null;
  /** Outside the destination; null when no point is known. */
  readonly place: KnownPlace | null;
}

/** Limits the time; more properties add no information. */
const JUDGED_MAX = 1_000;
const SHIFT_DAYS_MAX = 14;
const STAYS_MAX = 2;

/** Why none of these properties, given by ordinal, has an offer. */
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

/** At most `most` items of a list, evenly spread. */
function evenChoice<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}

/** Stays for which some property has an offer that meets all other conditions. */
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

/** Longer stays that restrictions require, then the same length on near dates. */
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
  // For past dates or dates beyond the horizon: the nearest that can be sold.
  const nearest = Math.min(Math.max(checkInDay, today), latestCheckOut(today) - nights);
  if (nearest !== checkInDay) yield { checkInDay: nearest, nights };
  for (let shift = 1; shift <= SHIFT_DAYS_MAX; shift += 1) {
    yield { checkInDay: nearest + shift, nights };
    yield { checkInDay: nearest - shift, nights };
  }
}

/** The most adults for whom some property has an offer that meets all other conditions. */
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
