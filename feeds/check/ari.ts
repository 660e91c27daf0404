/** Checks `ari.xml`: described properties, then every stay once, with amounts of one currency. */
import { dayOf } from "../../engine/core/calendar.ts";
import { childrenOf, type Element, emptyIn, textIn, textOf } from "../reading/element.ts";
import {
  type Bundle,
  currenciesIn,
  type Itinerary,
  itineraryOf,
  minorOf,
  type Price,
  totalOf,
} from "../reading/itinerary.ts";
import type { Findings } from "./findings.ts";

const DAY_MS = 86_400_000;
const NIGHTS_MAX = 30;
const PEOPLE_MAX = 20;
/** With a UTC offset, as partners require. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;

export interface AriFacts {
  readonly properties: number;
  readonly itineraries: number;
  readonly unavailable: number;
  readonly bundles: number;
  readonly currencies: readonly string[];
  readonly first_check_in: string | null;
  readonly last_check_in: string | null;
  readonly nights_max: number;
}

/** The facts of one property: bounded by its days, not by its prices. */
interface Seen {
  readonly rooms: Set<string>;
  readonly packages: Set<string>;
  isDescribed: boolean;
  currency: string | null;
  /** By check-in day, a bit per number of nights. */
  readonly stays: Map<number, number>;
  nightsMax: number;
}

export class AriCheck {
  readonly #findings: Findings;
  readonly #properties = new Map<string, Seen>();
  readonly #currencies = new Set<string>();
  #timestampDay = Number.NaN;
  #itineraries = 0;
  #unavailable = 0;
  #bundles = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  root({ timestamp = "", id = "" }: Readonly<Record<string, string>>, nowMs: number): void {
    const atMs = INSTANT.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
    if (Number.isNaN(atMs)) this.#findings.fault("timestamp", `Transaction ${timestamp}`);
    else if (nowMs - atMs > DAY_MS) this.#findings.warning("old", `Transaction ${timestamp}`);
    this.#timestampDay = Math.floor(atMs / DAY_MS);
    if (!/^[\w-]{1,128}$/.test(id)) this.#findings.fault("invalid", `Transaction id ${id}`);
  }

  element(name: string, element: Element): void {
    if (name === "PropertyDataSet") this.#described(element);
    else if (name === "Result") this.#result(element);
    else this.#findings.fault("unknown_element", name);
  }

  end(): AriFacts {
    const seen = [...this.#properties];
    if (seen.length === 0) this.#findings.fault("empty", "Transaction");
    for (const [id, { isDescribed, stays, nightsMax }] of seen) {
      // A message with prices only is valid; beside described properties it is a mistake.
      if (!isDescribed && seen.some(([, each]) => each.isDescribed)) {
        this.#findings.fault("unknown_property", id);
      }
      const missing = missingIn(stays, nightsMax);
      if (missing > 0) this.#findings.warning("gap", `${id}: ${missing} itineraries`);
    }
    const date = (day: number) => {
      return Number.isFinite(day) ? new Date(day * DAY_MS).toISOString().slice(0, 10) : null;
    };
    return {
      properties: seen.length,
      itineraries: this.#itineraries,
      unavailable: this.#unavailable,
      bundles: this.#bundles,
      currencies: [...this.#currencies].sort(),
      first_check_in: date(this.#first),
      last_check_in: date(this.#last),
      nights_max: Math.max(0, ...seen.map(([, { nightsMax }]) => nightsMax)),
    };
  }

  /** Ids of all described or priced properties. */
  ids(): Iterable<string> {
    return this.#properties.keys();
  }

  #seen(property: string): Seen {
    const known = this.#properties.get(property);
    if (known) return known;
    const sets = { rooms: new Set<string>(), packages: new Set<string>() };
    const seen = { ...sets, isDescribed: false, currency: null, stays: new Map(), nightsMax: 0 };
    this.#properties.set(property, seen);
    return seen;
  }

  #described(element: Element): void {
    const id = textIn(element, "Property");
    const place = `PropertyDataSet ${id}`;
    if (id === "") this.#findings.fault("missing", `${place}: Property`);
    for (const name of emptyIn(element)) this.#findings.fault("empty_element", `${place}: ${name}`);
    const seen = this.#seen(id);
    if (seen.isDescribed) this.#findings.fault("repeated_id", place);
    seen.isDescribed = true;
    for (const room of childrenOf(element, "RoomData")) {
      this.#known(seen.rooms, textIn(room, "RoomID"), place);
      const capacity = Number(textIn(room, "Capacity"));
      if (!(Number.isInteger(capacity) && capacity >= 1 && capacity <= PEOPLE_MAX)) {
        this.#findings.fault("invalid", `${place}: Capacity ${textIn(room, "Capacity")}`);
      }
    }
    for (const each of childrenOf(element, "PackageData")) {
      this.#known(seen.packages, textIn(each, "PackageID"), place);
    }
  }

  #known(ids: Set<string>, id: string, place: string): void {
    if (id === "") this.#findings.fault("missing", `${place}: an id`);
    else if (ids.has(id)) this.#findings.fault("repeated_id", `${place}: ${id}`);
    ids.add(id);
  }

  #result(element: Element): void {
    const stay = itineraryOf(element);
    const place = `${stay.property} ${stay.checkIn} ${stay.nights} nights`;
    this.#itineraries += 1;
    this.#bundles += stay.bundles.length;
    if (!stay.isAvailable) this.#unavailable += 1;
    if (stay.property === "") this.#findings.fault("missing", `${place}: Property`);
    const seen = this.#seen(stay.property);
    this.#once(seen, stay, place);
    this.#currenciesOf(seen, element, place);
    if (stay.isAvailable) this.#priced(stay, element, place);
    else if (stay.bundles.length > 0) {
      this.#findings.fault("invalid", `${place}: unavailable, but has bundles`);
    }
    const sold = new Set<string>();
    for (const bundle of stay.bundles) {
      this.#sold(seen, bundle, place);
      sold.add(`${bundle.room} ${bundle.package} ${bundle.occupancy}`);
    }
    if (sold.size < stay.bundles.length) this.#findings.fault("repeated_bundle", place);
  }

  #once(seen: Seen, { checkIn, nights }: Itinerary, place: string): void {
    const day = dayOf(checkIn);
    const count = /^\d{1,2}$/.test(nights) ? Number(nights) : 0;
    if (Number.isNaN(day) || count < 1 || count > NIGHTS_MAX) {
      this.#findings.fault("invalid", `${place}: Checkin and Nights`);
      return;
    }
    // West of Greenwich it may still be the day before.
    if (day < this.#timestampDay - 1) this.#findings.warning("past", place);
    const bits = seen.stays.get(day) ?? 0;
    if ((bits & (1 << count)) !== 0) this.#findings.fault("repeated_itinerary", place);
    seen.stays.set(day, bits | (1 << count));
    seen.nightsMax = Math.max(seen.nightsMax, count);
    this.#first = Math.min(this.#first, day);
    this.#last = Math.max(this.#last, day);
  }

  #currenciesOf(seen: Seen, element: Element, place: string): void {
    const named = [element, ...childrenOf(element, "RoomBundle")].flatMap(currenciesIn);
    for (const currency of new Set(named)) {
      if (!/^[A-Z]{3}$/.test(currency)) {
        this.#findings.fault("amount", `${place}: currency ${currency}`);
        continue;
      }
      seen.currency ??= currency;
      this.#currencies.add(currency);
      if (seen.currency === currency) continue;
      this.#findings.fault("currency", `${place}: ${currency}, not ${seen.currency}`);
    }
  }

  #priced(stay: Itinerary, element: Element, place: string): void {
    const { price, bundles } = stay;
    if (price === null) {
      if (bundles.length === 0) this.#findings.fault("missing", `${place}: a price`);
      return;
    }
    this.#amounts(price, place);
    const occupancy = childrenOf(element, "Occupancy").map(textOf)[0];
    if (occupancy !== undefined && !isPeople(occupancy, 2)) {
      this.#findings.fault("invalid", `${place}: Occupancy ${occupancy}`);
    }
    const sharing = bundles.filter((each) => isPeople(each.occupancy, 2));
    const total = totalOf(price);
    if (bundles.length === 0 || total === null) return;
    if (!sharing.some((each) => each.price !== null && isEqual(each.price, price))) {
      this.#findings.fault("base_price", place);
    } else if (sharing.some((each) => isCheaper(each.price, price, total))) {
      this.#findings.fault("cheaper_bundle", place);
    }
  }

  #sold(seen: Seen, bundle: Bundle, place: string): void {
    const { room, package: packageId, occupancy, price } = bundle;
    const named = `${place}: room ${room}, package ${packageId}`;
    if (room === "" || packageId === "") this.#findings.fault("missing", `${named}: an id`);
    if (seen.isDescribed && !(seen.rooms.has(room) && seen.packages.has(packageId))) {
      this.#findings.fault("unknown_room", named);
    }
    if (!isPeople(occupancy, 1)) this.#findings.fault("invalid", `${named}: Occupancy`);
    if (price === null) this.#findings.fault("missing", `${named}: Baserate`);
    else this.#amounts(price, named);
  }

  #amounts({ base, tax, fees, currency }: Price, place: string): void {
    for (const amount of [base, tax, fees]) {
      if (minorOf(amount, currency) !== null) continue;
      this.#findings.fault("amount", `${place}: ${amount} ${currency}`);
    }
  }
}

function isPeople(text: string, least: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= PEOPLE_MAX;
}

function isEqual(one: Price, other: Price): boolean {
  const { currency } = other;
  if (one.currency !== currency) return false;
  return (["base", "tax", "fees"] as const).every((name) => {
    return minorOf(one[name], currency) === minorOf(other[name], currency);
  });
}

/** Cheaper both without taxes and in total, however a partner compares. */
function isCheaper(one: Price | null, other: Price, otherTotal: number): boolean {
  if (one === null) return false;
  const total = totalOf(one);
  const base = minorOf(one.base, one.currency);
  const otherBase = minorOf(other.base, other.currency);
  if (total === null || base === null || otherBase === null) return false;
  return total < otherTotal && base < otherBase;
}

function missingIn(stays: ReadonlyMap<number, number>, nightsMax: number): number {
  if (stays.size === 0) return 0;
  let [first, last, found] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const [day, bits] of stays) {
    first = Math.min(first, day);
    last = Math.max(last, day);
    for (let rest = bits; rest !== 0; rest &= rest - 1) found += 1;
  }
  return (last - first + 1) * nightsMax - found;
}
