/**
 * The order of search results (rules §4): price against the middle of what was found, stars, and
 * whether cancelling is still free. Every part is smooth: a little more in price is a little less
 * in score, whoever else is in the list, and a price that cannot be compared counts as middling.
 */
import { convert, type FxTable } from "./money.ts";

/** What ranking needs to know of a result. */
export interface Rankable {
  /** Of the stay, with taxes and fees, minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly stars: number | null;
  readonly isFree: boolean;
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

const WEIGHTS = { price: 0.6, stars: 0.25, flexibility: 0.15 } as const;
const MIDDLING = 0.5;

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
  const known = prices.filter((price) => price !== null).sort((a, b) => a - b);
  const middle = Math.max(1, known[Math.floor(known.length / 2)] ?? 1);
  const scored = found.map((candidate, i) => {
    const price = prices[i] ?? null;
    const { stars, isFree } = candidate;
    const raw =
      WEIGHTS.price * cheapness(price, middle) +
      WEIGHTS.stars * ((stars ?? 0) / 5) +
      WEIGHTS.flexibility * (isFree ? 1 : 0);
    const rank_score = Math.round(Math.min(1, Math.max(0, raw)) * 10_000) / 10_000;
    const place =
      price === null ? null : { position: 1 + cheaperThan(price, known), of: known.length };
    return { candidate, price: price ?? Number.POSITIVE_INFINITY, rank_score, place };
  });
  scored.sort(
    (a, b) =>
      b.rank_score - a.rank_score ||
      (a.price === b.price ? 0 : a.price - b.price) ||
      (a.candidate.id < b.candidate.id ? -1 : 1),
  );
  return scored.map(({ candidate, rank_score, place }) => ({ candidate, rank_score, place }));
}

/** 1 for nothing, a half for the middle of the list, towards 0 for what is many times as dear. */
function cheapness(price: number | null, middle: number): number {
  return price === null ? MIDDLING : 1 / (1 + (price / middle) ** 2);
}

/** How many of the sorted amounts are less. */
function cheaperThan(amount: number, sorted: readonly number[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < amount) low = middle + 1;
    else high = middle;
  }
  return low;
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
