/**
 * `/coverage.json`: places and dates with available rooms, of all tenants or one. It has only
 * public facts (places, counts, currencies, dates): no names, no stock. An unknown tenant looks
 * like an empty one.
 */

import { latestCheckOut } from "../../../engine/core/availability/horizon.ts";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import { normalizeText } from "../../../engine/core/normalize-text.ts";
import { effectiveCapacity } from "../../../engine/core/state/room-state.ts";
import type { PropertyEntry, State } from "../../../engine/core/state/state.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { AUTHORITY } from "../../about/about.ts";

export interface City {
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  properties: number;
  readonly currencies: string[];
}

export interface Coverage {
  readonly notice: string;
  /** The counted tenant; null for all. */
  readonly supply_of: { readonly tenant_id: string | null; readonly mode: "live" };
  readonly properties: number;
  /** Sorted by country, then city. */
  readonly cities: readonly City[];
  readonly countries: readonly { readonly country: string; readonly properties: number }[];
  readonly currencies: readonly string[];
  /** First and last night with a room to sell, `YYYY-MM-DD`; null without any. */
  readonly nights: { readonly first: string; readonly last: string } | null;
}

/** Maximum age of the document while the journal advances. */
const KEPT_MS = 1_000;
/** Maximum share of time spent on walks over all rooms. */
const WALKING_SHARE = 0.02;
/** Maximum age without new rows: only the date changes. */
const UNCHANGED_KEPT_MS = 300_000;
/** Time per turn: a walk can be long when little is on sale. */
const SLICE_MS = 4;

/** Result of a walk. */
export interface Coverages {
  readonly ofAll: Coverage;
  /** By tenant, for tenants with properties on sale. */
  readonly ofTenants: ReadonlyMap<string, Coverage>;
}

/** The documents as of a row, and their validity. */
class Edition {
  readonly coverages: Promise<Coverages>;
  readonly #row: number;
  readonly #atMs: number;
  /** Infinite during a walk, so that only one runs. */
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
 * The coverage at engine time `nowMs`, of the tenant or of all; it may lag the replica by a second,
 * or by the duration of a long walk.
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

  /** The document of a tenant; null for all. */
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

/** The first and last night with a room to sell; checks only nights that widen the range. */
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
    const ofRoom = room.restrictions.get(day)?.values.stop_sell;
    return roomType.rate_plans.some(({ id }) => {
      return (room.plans.get(id)?.restrictions.get(day)?.values.stop_sell ?? ofRoom) !== true;
    });
  });
}
