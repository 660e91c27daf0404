/** Room revenue of a booking per night (USALI: rooms, without taxes and fees). */
import { priceInputOf, roomNights } from "../../engine/core/price/price.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";

/**
 * Revenue of each night in minor units: its share of the room amount, without included taxes and
 * fees. The nights add up to the total exactly. `tree` is the property version of the quote.
 */
export function nightlyRevenue(tree: PropertyTree, quote: FrozenQuote): readonly number[] {
  const { base, nights } = roomNights(priceInputOf(tree, quote));
  const total = nights.reduce((sum, amount) => sum + amount, 0);
  if (base === total) return nights;
  let gross = 0;
  let counted = 0;
  return nights.map((amount) => {
    gross += amount;
    // Net amount up to this night minus that of earlier nights, so rounding errors cancel out.
    const net = total === 0 ? 0 : share(gross, base, total);
    const night = net - counted;
    counted = net;
    return night;
  });
}

/** `part × whole / of`, rounded down; exact for products beyond safe integers. */
function share(part: number, whole: number, of: number): number {
  return Number((BigInt(part) * BigInt(whole)) / BigInt(of));
}
