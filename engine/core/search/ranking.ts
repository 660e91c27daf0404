/**
 * The order of search results. Other qualities count as a share of the price: a star, or
 * free cancellation, is worth 15 %, and each further kilometre costs a tenth. Results are ordered
 * by this adjusted price, so the order of two results does not depend on the others.
 *
 * The score is a function of the adjusted price: one half in the middle of the results, a quarter
 * less at ten times the price. A price without an exchange rate counts as the middle one.
 */
import { convert, type FxTable } from "../price/money.ts";
import type { Sort } from "./query.ts";

/** The members of a result that ranking needs. */
export interface Rankable {
  /** Of the stay, with taxes and fees, minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly stars: number | null;
  readonly isFree: boolean;
  /** From the requested point, if any. */
  readonly distance_m: number | null;
  readonly id: string;
}

/** The ranking; results are referred to by index. */
export interface Ranking {
  /** Indexes in the requested order. */
  readonly order: Uint32Array;
  /** 0 to 1, four decimals; limited at both ends, while the order continues. */
  readonly scores: Float64Array;
  /** Rank of the price: 1 is the cheapest, equal ones share a rank; 0 without an exchange rate. */
  readonly positions: Int32Array;
  /** Number of comparable prices. */
  readonly of: number;
}

/** Factors of the price. */
const PER_STAR = 1 / 1.15;
const WHEN_FREE = 1 / 1.15;
const METRES_TO_DOUBLE = 10_000;

/** More than the number of results; combined with a step it is still exact. */
const PLACES_MAX = 2 ** 32;

/** Steps of the score: it has four decimals. */
const STEPS = 10_000;
/** Powers of ten between the prices of the best and the worst score. */
const DECADES = 4;

/**
 * The amounts in one currency, NaN without a rate: the common currency if there is one, else the
 * base of the table, else the most frequent one.
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
 * By rank: best first, ties by price, then by property id. By price or distance: lowest first,
 * missing values last, ties by rank. `prices` come from `comparedTo`.
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

/** Sorts by ascending key; stable. */
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
 * Indexes in ascending order of their steps, ties by `compare`. Sorts numbers only, without a call
 * per pair.
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

/** By price, those without a comparable one last, then by id. */
function compared(a: number, b: number, found: readonly Rankable[], prices: Float64Array): number {
  const first = priceOrLast(prices[a]!);
  const second = priceOrLast(prices[b]!);
  if (first !== second) return first < second ? -1 : 1;
  return found[a]!.id < found[b]!.id ? -1 : 1;
}

function priceOrLast(price: number): number {
  return Number.isNaN(price) ? Infinity : price;
}

/** The adjusted price on the scale of the score: fewer steps are better. */
function stepOf({ stars, isFree, distance_m }: Rankable, price: number): number {
  const stayedFor = Math.max(1, price) * PER_STAR ** (stars ?? 0) * (isFree ? WHEN_FREE : 1);
  const comesTo = stayedFor * (1 + (distance_m ?? 0) / METRES_TO_DOUBLE);
  return Math.round((Math.log10(comesTo) / DECADES) * STEPS);
}

function middleOf(sorted: ArrayLike<number>): number | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}

/** The number of lower amounts in a sorted list. */
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

/** The rank of a result's price in words: `2nd cheapest of 14`. Common parts are built once. */
export class PlaceWords {
  readonly #of: number;
  /** The text after the number, by the ending of its ordinal. */
  readonly #after: readonly string[];

  constructor(of: number) {
    this.#of = of;
    this.#after = ["th", "st", "nd", "rd"].map((ending) => `${ending} cheapest of ${of}`);
  }

  /** Position 0: the price cannot be compared. */
  at(position: number, currency: string): string {
    if (position === 0) return `No exchange rate to compare its price in ${currency}`;
    if (this.#of === 1) return "No other price to compare with";
    return position === 1 ? `Cheapest of ${this.#of}` : position + this.#after[endingOf(position)]!;
  }
}

/** The index of its ending in `th`, `st`, `nd` and `rd`. */
function endingOf(n: number): number {
  const isTeen = Math.floor(n / 10) % 10 === 1;
  const last = n % 10;
  return isTeen || last > 3 ? 0 : last;
}
