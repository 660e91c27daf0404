/** The sort key of a property's offers in several currencies. */
import { convert, type FxTable } from "./money.ts";

type PriceKey = readonly (number | string)[];

/** The price in a common currency; prices without a rate come last, by their own amount. */
export function priceKey(
  offer: { readonly amount: number; readonly currency: string; readonly id: string },
  common: string,
  fx: FxTable | null,
): PriceKey {
  const { amount, currency, id } = offer;
  const converted = convert(amount, currency, common, fx);
  return converted ? [converted.amount, id] : [Infinity, currency, amount, id];
}

/** Compares two keys, member by member. */
export function isLess(a: PriceKey, b: PriceKey): boolean {
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}
