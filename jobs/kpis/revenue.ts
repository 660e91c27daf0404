/** The room revenue of a booking, night by night (USALI: rooms, without taxes and fees). */
import { price, priceInputOf, priceShares } from "../../engine/core/price.ts";
import type { FrozenQuote } from "../../engine/core/quote.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";

/**
 * What each night is worth in minor units: its share of the room amount, without the taxes and fees
 * that the rate includes. The nights add up to the whole exactly. `tree` is the version of the
 * quote.
 */
export function nightlyRevenue(tree: PropertyTree, quote: FrozenQuote): number[] {
  const input = priceInputOf(tree, quote);
  const { base } = priceShares(input);
  const { nights, room_subtotal } = price(input);
  if (base === room_subtotal) return nights.map(({ subtotal }) => subtotal);
  let gross = 0;
  let told = 0;
  return nights.map(({ subtotal }) => {
    gross += subtotal;
    // Of what there is up to this night, what was not told before: no remainder is lost.
    const net = room_subtotal === 0 ? 0 : share(gross, base, room_subtotal);
    const night = net - told;
    told = net;
    return night;
  });
}

/** `part × whole / of`, rounded down; exact where the product is no safe integer. */
function share(part: number, whole: number, of: number): number {
  return Number((BigInt(part) * BigInt(whole)) / BigInt(of));
}
