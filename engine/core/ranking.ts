/**
 * The order of search results (rules §4). What a traveler weighs a price with counts as a share of
 * it: a star, or that cancelling is still free, makes a result worth taking at 15 % more, and a
 * kilometre further away makes it a tenth dearer. Results are in the order of the price that comes
 * of this, so of two results the same one is before the other, whoever else is found.
 *
 * The score says where that price stands: a half in the middle of what was found, a quarter less
 * at ten times as much. A price that nobody can convert counts as the middle one.
 */
import { convert, type FxTable } from "./money.ts";
import type { Sort } from "./search/query.ts";

/** What ranking needs to know of a result. */
export interface Rankable {
  /** Of the stay, with taxes and fees, minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly stars: number | null;
  readonly isFree: boolean;
  /** From the point that was asked for, if one was. */
  readonly distance_m: number | null;
  readonly id: string;
}

/** How results stand, each by its place among what was found. */
export interface Ranking {
  /** Places, in the order that was asked for. */
  readonly order: Uint32Array;
  /** 0 to 1, four decimals. Beyond either end it stands still; the order goes on. */
  readonly scores: Float64Array;
  /** Where a price stands: 1 is the cheapest, equal ones stand alike; 0 where none compares. */
  readonly positions: Int32Array;
  /** How many prices can be compared. */
  readonly of: number;
}

/** What a price is multiplied by, for each. */
const PER_STAR = 1 / 1.15;
const WHEN_FREE = 1 / 1.15;
const METRES_TO_DOUBLE = 10_000;

/** More than there ever are results; with the steps it stays an exact number. */
const PLACES_MAX = 2 ** 32;

/** Steps of the score: it has four decimals. */
const STEPS = 10_000;
/** From the best to the worst score prices rise to the power of ten of this. */
const DECADES = 4;

/**
 * The amounts in one currency, NaN where there is no rate: that of all of them when it is the same,
 * else the base of the table, else the one that most of them have.
 */
export function comparedTo(found: readonly Rankable[], fx: FxTable | null): Float64Array {
  const common = commonOf(found, fx);
  const prices = new Float64Array(found.length);
  for (let i = 0; i < found.length; i += 1) {
    const { amount, currency } = found[i]!;
    prices[i] =
      currency === common ? amount : (convert(amount, currency, common, fx)?.amount ?? Number.NaN);
  }
  return prices;
}

function commonOf(found: readonly Rankable[], fx: FxTable | null): string {
  const first = found[0]?.currency ?? "";
  if (found.every(({ currency }) => currency === first)) return first;
  if (fx) return fx.base;
  const counts = new Map<string, number>();
  for (const { currency } of found) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]![0];
}

/**
 * By rank: best first, ties by price, then by property id. By price or distance: least first, what
 * has none last, ties by rank. `prices` as `comparedTo` gives them.
 */
export function ranked(
  found: readonly Rankable[],
  prices: Float64Array,
  sort: Sort = "rank",
): Ranking {
  const sorted = prices.filter((price) => !Number.isNaN(price)).sort();
  const middling = middleOf(sorted) ?? 1;
  const steps = new Int32Array(found.length);
  for (let i = 0; i < found.length; i += 1) {
    const price = prices[i]!;
    steps[i] = stepOf(found[i]!, Number.isNaN(price) ? middling : price);
  }
  const order = inOrder(steps, (a, b) => compared(a, b, found, prices));
  const middle = order.length === 0 ? 0 : steps[middleOf(order)!]!;
  const scores = new Float64Array(found.length);
  const positions = new Int32Array(found.length);
  for (let i = 0; i < found.length; i += 1) {
    scores[i] = Math.min(STEPS, Math.max(0, STEPS / 2 + middle - steps[i]!)) / STEPS;
    const price = prices[i]!;
    positions[i] = Number.isNaN(price) ? 0 : 1 + cheaperThan(price, sorted);
  }
  if (sort === "price") sortBy(order, (at) => priceOrLast(prices[at]!));
  if (sort === "distance") sortBy(order, (at) => found[at]!.distance_m ?? Infinity);
  return { order, scores, positions, of: sorted.length };
}

/** Least key first; what has the same key keeps its order. */
function sortBy(order: Uint32Array, keyOf: (place: number) => number): void {
  const kept = order.slice();
  const keys = Float64Array.from(kept, keyOf);
  const places = Array.from(kept.keys());
  places.sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a]! < keys[b]! ? -1 : 1));
  places.forEach((place, i) => {
    order[i] = kept[place]!;
  });
}

/**
 * Places in ascending order of their steps, equal ones as `compare` says. Numbers alone are sorted,
 * without a call for each pair.
 */
function inOrder(steps: Int32Array, compare: (a: number, b: number) => number): Uint32Array {
  const keys = new Float64Array(steps.length);
  for (let i = 0; i < keys.length; i += 1) keys[i] = steps[i]! * PLACES_MAX + i;
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i += 1) {
    order[i] = keys[i]! - Math.floor(keys[i]! / PLACES_MAX) * PLACES_MAX;
  }
  for (let from = 0, to = 1; from < order.length; from = to, to += 1) {
    while (to < order.length && steps[order[to]!] === steps[order[from]!]) to += 1;
    if (to - from > 1) order.subarray(from, to).sort(compare);
  }
  return order;
}

/** By price, what has none that compares last, then by id. */
function compared(a: number, b: number, found: readonly Rankable[], prices: Float64Array): number {
  const first = priceOrLast(prices[a]!);
  const second = priceOrLast(prices[b]!);
  if (first !== second) return first < second ? -1 : 1;
  return found[a]!.id < found[b]!.id ? -1 : 1;
}

function priceOrLast(price: number): number {
  return Number.isNaN(price) ? Infinity : price;
}

/** What a result comes to, on the scale of the score: whoever has fewer steps is before. */
function stepOf({ stars, isFree, distance_m }: Rankable, price: number): number {
  const stayedFor = Math.max(1, price) * PER_STAR ** (stars ?? 0) * (isFree ? WHEN_FREE : 1);
  const comesTo = stayedFor * (1 + (distance_m ?? 0) / METRES_TO_DOUBLE);
  return Math.round((Math.log10(comesTo) / DECADES) * STEPS);
}

function middleOf(sorted: ArrayLike<number>): number | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}

/** How many of the sorted amounts are less. */
function cheaperThan(amount: number, sorted: Float64Array): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < amount) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `1.2 km from the point`, `350 m from the point`. */
export function distanceText(metres: number, from: string): string {
  const text = metres < 1_000 ? `${metres} m` : `${(metres / 1_000).toFixed(1)} km`;
  return `${text} from ${from}`;
}

/**
 * Where a result stands by its price: `2nd cheapest of 14`. What is said alike of many is put
 * together once for all of them.
 */
export class PlaceWords {
  readonly #of: number;
  /** What follows a number, by how its ordinal ends. */
  readonly #after: readonly string[];

  constructor(of: number) {
    this.#of = of;
    this.#after = ["th", "st", "nd", "rd"].map((ending) => `${ending} cheapest of ${of}`);
  }

  /** A position of 0 is that of a price which cannot be compared. */
  at(position: number, currency: string): string {
    if (position === 0) return `No exchange rate to compare its price in ${currency}`;
    if (this.#of === 1) return "No other price to compare with";
    return position === 1 ? `Cheapest of ${this.#of}` : position + this.#after[endingOf(position)]!;
  }
}

/** The place of its ending among `th`, `st`, `nd` and `rd`. */
function endingOf(n: number): number {
  const isTeen = Math.floor(n / 10) % 10 === 1;
  const last = n % 10;
  return isTeen || last > 3 ? 0 : last;
}
