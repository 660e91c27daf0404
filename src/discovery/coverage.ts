/**
 * `/coverage.json`: where and when something can be booked, over all tenants. It tells what any
 * traveler may know (places, counts, currencies, dates) and nothing that belongs to one tenant: no
 * names, no ids, no stock.
 */
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { latestCheckOut } from "../../engine/core/horizon.ts";
import { folded } from "../../engine/core/search.ts";
import { effectiveCapacity, type PropertyEntry, type State } from "../../engine/core/state.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { AUTHORITY } from "../about/about.ts";

export interface City {
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  properties: number;
  readonly currencies: string[];
}

export interface Coverage {
  readonly notice: string;
  readonly properties: number;
  /** Sorted by country, then city. */
  readonly cities: readonly City[];
  readonly countries: readonly { readonly country: string; readonly properties: number }[];
  readonly currencies: readonly string[];
  /** First and last night with a room to sell, `YYYY-MM-DD`; null when there is none. */
  readonly nights: { readonly first: string; readonly last: string } | null;
}

/** How old the document may be while the journal moves on. */
const KEPT_MS = 1_000;
/** A walk over all rooms is not free: at most this share of the time is spent on it. */
const WALKING_SHARE = 0.02;
/** Without news only the date moves on. */
const UNCHANGED_KEPT_MS = 300_000;
/** Requests come between; the walk may be long where little is on sale. */
const SLICE_MS = 4;

/** The document as of a row, and how long it will do. */
class Edition {
  readonly coverage: Promise<Coverage>;
  readonly #row: number;
  readonly #atMs: number;
  /** Infinite while the walk goes on: there is never a second one beside it. */
  #tookMs = Number.POSITIVE_INFINITY;

  constructor({ state, head }: Replica, nowMs: number) {
    this.#row = head.row;
    this.#atMs = nowMs;
    this.coverage = this.#make(state);
  }

  isCurrent({ head }: Replica, nowMs: number): boolean {
    const changedKeptMs = Math.max(KEPT_MS, this.#tookMs / WALKING_SHARE);
    const keptMs = head.row === this.#row ? UNCHANGED_KEPT_MS : changedKeptMs;
    return nowMs >= this.#atMs && nowMs < this.#atMs + keptMs;
  }

  async #make(state: State): Promise<Coverage> {
    const startedMs = performance.now();
    const coverage = await makeCoverage(state, this.#atMs);
    this.#tookMs = performance.now() - startedMs;
    return coverage;
  }
}

const editions = new WeakMap<Replica, Edition>();

/** The coverage at engine time `nowMs`; a second behind the replica, or a long walk's while. */
export function coverageOf(replica: Replica, nowMs: number): Promise<Coverage> {
  const known = editions.get(replica);
  if (known?.isCurrent(replica, nowMs)) return known.coverage;
  const made = new Edition(replica, nowMs);
  editions.set(replica, made);
  return made.coverage;
}

/** Walks all live properties of mode live, at engine time `nowMs`. */
export async function makeCoverage(state: State, nowMs: number): Promise<Coverage> {
  const cities = new Map<string, City>();
  const nights = new NightRange();
  const todays = new Map<string, number>();
  let sliceEndsMs = performance.now() + SLICE_MS;
  for (const property of state.allProperties()) {
    if (property.mode !== "live" || property.state !== "live") continue;
    count(cities, property);
    const { timezone } = property.tree;
    const today = todays.get(timezone) ?? todayIn(timezone, nowMs);
    todays.set(timezone, today);
    nights.extend(property, today);
    if (performance.now() < sliceEndsMs) continue;
    await Bun.sleep(0);
    sliceEndsMs = performance.now() + SLICE_MS;
  }
  const sorted = [...cities].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, city]) => city);
  const countries = [...new Set(sorted.map(({ country }) => country))].map((country) => {
    return { country, properties: total(sorted.filter((city) => city.country === country)) };
  });
  return {
    notice: AUTHORITY,
    properties: total(sorted),
    cities: sorted,
    countries,
    currencies: [...new Set(sorted.flatMap(({ currencies }) => currencies))].sort(),
    nights: nights.range(),
  };
}

function total(cities: readonly City[]): number {
  return cities.reduce((sum, { properties }) => sum + properties, 0);
}

/** Cities are the same when their names differ in case or accents only, as in search. */
function count(cities: Map<string, City>, { tree }: PropertyEntry): void {
  const { city, country } = tree.address;
  const key = `${country} ${folded(city)}`;
  const entry = cities.get(key) ?? { city, country, properties: 0, currencies: [] };
  entry.properties += 1;
  for (const { rate_plans } of tree.room_types) {
    for (const { currency } of rate_plans) {
      if (!entry.currencies.includes(currency)) entry.currencies.push(currency);
    }
  }
  entry.currencies.sort();
  cities.set(key, entry);
}

/** The first and last night with a room to sell; looks only at nights that would widen it. */
class NightRange {
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** `today` is that of the property. */
  extend(property: PropertyEntry, today: number): void {
    const end = latestCheckOut(today);
    let first = today;
    while (first < end && first < this.#first && !isOnSale(property, first)) first += 1;
    if (first === end) return;
    this.#first = Math.min(first, this.#first);
    let last = end - 1;
    while (last > this.#last && !isOnSale(property, last)) last -= 1;
    this.#last = Math.max(last, this.#last);
  }

  range(): Coverage["nights"] {
    if (this.#first > this.#last) return null;
    return { first: dateOf(this.#first), last: dateOf(this.#last) };
  }
}

/** Whether a unit is left on that night under some plan that is not stop-sell. */
function isOnSale({ tree, rooms }: PropertyEntry, day: number): boolean {
  return tree.room_types.some((roomType) => {
    const room = rooms.get(roomType.id);
    if (!room) return false;
    const taken = room.sold.get(day) + room.held.get(day);
    if (effectiveCapacity(roomType, room, day) <= taken) return false;
    const ofRoom = room.restrictions.get(day)?.stop_sell;
    return roomType.rate_plans.some(({ id }) => {
      return (room.plans.get(id)?.restrictions.get(day)?.stop_sell ?? ofRoom) !== true;
    });
  });
}
