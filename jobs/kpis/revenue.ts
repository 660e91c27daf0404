/** The room revenue of a booking, night by night (USALI: rooms, without taxes and fees). */
import { priceInputOf, roomNights } from "../../engine/core/price.ts";
import type { FrozenQuote } from "../../engine/core/quote.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";

/**
 * What each night is worth in minor units: its share of the room amount, without the taxes and fees
 * that the rate includes. The nights add up to the whole exactly. `tree` is the version of the
 * quote.
 */
export function nightlyRevenue(tree: PropertyTree, quote: FrozenQuote): readonly number[] {
  const { base, nights } = roomNights(priceInputOf(tree, quote));
  const total = nights.reduce((sum, amount) => sum + amount, 0);
  if (base === total) return nights;
  let gross = 0;
  let counted = 0;
  return nights.map((amount) => {
    gross += amount;
    // The net amount up to this night less that of the nights before: no remainder is lost.
    const net = total === 0 ? 0 : share(gross, base, total);
    const night = net - counted;
    counted = net;
    return night;
  });
}

/** `part × whole / of`, rounded down; exact where the product is no safe integer. */
function share(part: number, whole: number, of: number): number {
  return Number((BigInt(part) * BigInt(whole)) / BigInt(of));
}
