/**
 * `/coverage.json`: where and when something can be booked, of all tenants or of one. It tells what
 * any traveler may know (places, counts, currencies, dates) and nothing more of a tenant: no names,
 * no stock. A tenant that does not exist covers what an empty one does.
 */
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { latestCheckOut } from "../../engine/core/horizon.ts";
import { normalizeText } from "../../engine/core/normalize-text.ts";
import { effectiveCapacity } from "../../engine/core/room-state.ts";
import type { PropertyEntry, State } from "../../engine/core/state.ts";
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
  /** Whose properties are counted: of `tenant_id`, of every tenant when it is null. */
  readonly supply_of: { readonly tenant_id: string | null; readonly mode: "live" };
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

/** What one walk found. */
export interface Coverages {
  readonly ofAll: Coverage;
  /** By tenant, of those that have something on sale. */
  readonly ofTenants: ReadonlyMap<string, Coverage>;
}

/** The documents as of a row, and how long they will do. */
class Edition {
  readonly coverages: Promise<Coverages>;
  readonly #row: number;
  readonly #atMs: number;
  /** Infinite while the walk goes on: there is never a second one beside it. */
  #tookMs = Number.POSITIVE_INFINITY;

  constructor({ state, head }: Replica, nowMs: number) {
    this.#row = head.row;
    this.#atMs = nowMs;
    this.coverages = this.#make(state);
  }

  isCurrent({ head }: Replica, nowMs: number): boolean {
    const changedKeptMs = Math.max(KEPT_MS, this.#tookMs / WALKING_SHARE);
    const keptMs = head.row === this.#row ? UNCHANGED_KEPT_MS : changedKeptMs;
    return nowMs >= this.#atMs && nowMs < this.#atMs + keptMs;
  }

  async #make(state: State): Promise<Coverages> {
    const startedMs = performance.now();
    const coverages = await makeCoverages(state, this.#atMs);
    this.#tookMs = performance.now() - startedMs;
    return coverages;
  }
}

const editions = new WeakMap<Replica, Edition>();

/**
 * What can be booked at engine time `nowMs`, of the tenant or, without one, of all; a second behind
 * the replica, or a long walk's while.
 */
export async function coverageOf(
  replica: Replica,
  nowMs: number,
  tenantId?: string,
): Promise<Coverage> {
  let edition = editions.get(replica);
  if (!edition?.isCurrent(replica, nowMs)) {
    edition = new Edition(replica, nowMs);
    editions.set(replica, edition);
  }
  const { ofAll, ofTenants } = await edition.coverages;
  if (tenantId === undefined) return ofAll;
  return ofTenants.get(tenantId) ?? new Tally().coverage(tenantId);
}

/** Walks all live properties of mode live, at engine time `nowMs`. */
export async function makeCoverages(state: State, nowMs: number): Promise<Coverages> {
  const all = new Tally();
  const byTenant = new Map<string, Tally>();
  const todays = new Map<string, number>();
  let sliceEndsMs = performance.now() + SLICE_MS;
  for (const property of state.allProperties()) {
    if (property.mode !== "live" || property.state !== "live") continue;
    const { tenant_id, tree } = property;
    const today = todays.get(tree.timezone) ?? todayIn(tree.timezone, nowMs);
    todays.set(tree.timezone, today);
    const own = byTenant.get(tenant_id) ?? new Tally();
    byTenant.set(tenant_id, own);
    for (const tally of [all, own]) tally.count(property, today);
    if (performance.now() < sliceEndsMs) continue;
    await Bun.sleep(0);
    sliceEndsMs = performance.now() + SLICE_MS;
  }
  const ofTenants = [...byTenant].map(([id, tally]) => [id, tally.coverage(id)] as const);
  return { ofAll: all.coverage(null), ofTenants: new Map(ofTenants) };
}

/** Counts properties into one document. */
class Tally {
  readonly #cities = new Map<string, City>();
  readonly #nights = new NightRange();

  /** `today` is that of the property. */
  count(property: PropertyEntry, today: number): void {
    const { address, room_types } = property.tree;
    // Cities are the same when their names differ in case or accents only, as in search.
    const key = `${address.country} ${normalizeText(address.city)}`;
    const { city, country } = address;
    const entry = this.#cities.get(key) ?? { city, country, properties: 0, currencies: [] };
    this.#cities.set(key, entry);
    entry.properties += 1;
    for (const { currency } of room_types.flatMap(({ rate_plans }) => rate_plans)) {
      if (!entry.currencies.includes(currency)) entry.currencies.push(currency);
    }
    entry.currencies.sort();
    this.#nights.extend(property, today);
  }

  /** The document; `tenantId` says whose properties were counted, null that all were. */
  coverage(tenantId: string | null): Coverage {
    const cities = [...this.#cities].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, city]) => city);
    const countries = [...new Set(cities.map(({ country }) => country))].map((country) => {
      return { country, properties: total(cities.filter((city) => city.country === country)) };
    });
    return {
      notice: AUTHORITY,
      supply_of: { tenant_id: tenantId, mode: "live" },
      properties: total(cities),
      cities,
      countries,
      currencies: [...new Set(cities.flatMap(({ currencies }) => currencies))].sort(),
      nights: this.#nights.range(),
    };
  }
}

function total(cities: readonly City[]): number {
  return cities.reduce((sum, { properties }) => sum + properties, 0);
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
