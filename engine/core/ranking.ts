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

export interface Ranked<C extends Rankable> {
  readonly candidate: C;
  /** 0 to 1, four decimals. */
  readonly rank_score: number;
  /** Null where the price cannot be compared. */
  readonly place: Place | null;
}

/** Where a price stands: 1 is the cheapest of `of`, equal prices stand alike. */
export interface Place {
  readonly position: number;
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
 * The amounts in one currency, null where there is no rate: that of all of them when it is the
 * same, else the base of the table, else the one that most of them have.
 */
export function comparedTo(found: readonly Rankable[], fx: FxTable | null): (number | null)[] {
  const counts = new Map<string, number>();
  for (const { currency } of found) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const [[commonest] = [""]] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const common = counts.size > 1 && fx ? fx.base : commonest;
  return found.map(({ amount, currency }) => {
    return currency === common ? amount : (convert(amount, currency, common, fx)?.amount ?? null);
  });
}

/** Best first; ties by price, then by property id. `prices` as `comparedTo` gives them. */
export function ranked<C extends Rankable>(
  found: readonly C[],
  prices: readonly (number | null)[],
): Ranked<C>[] {
  const known = Float64Array.from(prices.filter((price) => price !== null)).sort();
  const middling = middleOf(known) ?? 1;
  const steps = Int32Array.from(found, (each, i) => stepOf(each, prices[i] ?? middling));
  const middle = middleOf(steps.toSorted()) ?? 0;
  const compare = (a: number, b: number) =>
    compared(prices[a] ?? Infinity, prices[b] ?? Infinity) ||
    (found[a]!.id < found[b]!.id ? -1 : 1);
  return inOrder(steps, compare).map((i) => {
    const price = prices[i] ?? null;
    const score = Math.min(STEPS, Math.max(0, STEPS / 2 + middle - steps[i]!)) / STEPS;
    const place =
      price === null ? null : { position: 1 + cheaperThan(price, known), of: known.length };
    return { candidate: found[i]!, rank_score: score, place };
  });
}

/**
 * Places in ascending order of their steps, equal ones as `compare` says. Numbers alone are sorted,
 * without a call for each pair.
 */
function inOrder(steps: Int32Array, compare: (a: number, b: number) => number): number[] {
  const keys = Float64Array.from(steps, (step, i) => step * PLACES_MAX + i).sort();
  const order = Array.from(keys, (key) => key - Math.floor(key / PLACES_MAX) * PLACES_MAX);
  for (let from = 0, to = 1; from < order.length; from = to, to += 1) {
    while (to < order.length && steps[order[to]!] === steps[order[from]!]) to += 1;
    if (to - from === 1) continue;
    order
      .slice(from, to)
      .sort(compare)
      .forEach((place, i) => {
        order[from + i] = place;
      });
  }
  return order;
}

/** What a result comes to, on the scale of the score: whoever has fewer steps is before. */
function stepOf({ stars, isFree, distance_m }: Rankable, price: number): number {
  const stayedFor = Math.max(1, price) * PER_STAR ** (stars ?? 0) * (isFree ? WHEN_FREE : 1);
  const comesTo = stayedFor * (1 + (distance_m ?? 0) / METRES_TO_DOUBLE);
  return Math.round((Math.log10(comesTo) / DECADES) * STEPS);
}

function middleOf(sorted: Float64Array | Int32Array): number | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}

/** Infinite ones are equal. */
function compared(a: number, b: number): number {
  return a === b ? 0 : a - b;
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
export function distanceText(metres: number): string {
  const text = metres < 1_000 ? `${metres} m` : `${(metres / 1_000).toFixed(1)} km`;
  return `${text} from the point`;
}

/** `2nd cheapest of 14`: where a result stands by its price. */
export function placeText(place: Place | null, currency: string): string {
  if (place === null) return `No exchange rate to compare its price in ${currency}`;
  const { position, of } = place;
  if (of === 1) return "No other price to compare with";
  return position === 1 ? `Cheapest of ${of}` : `${ordinal(position)} cheapest of ${of}`;
}

function ordinal(n: number): string {
  const isTeen = Math.floor(n / 10) % 10 === 1;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}
