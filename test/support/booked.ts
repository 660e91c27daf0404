/** A booking for tests that care about what becomes of it. */
import type { PropertyTree } from "../../engine/core/supply.ts";
import {
  beginBooking,
  createProperty,
  frozenQuote,
  paymentResult,
  placeHold,
  promoteProperty,
} from "./builders.ts";
import { given } from "./given.ts";

/** Of 8,001 prepaid: free until 48 h before check-in, then 4,001, all of it from check-in on. */
export function bookedAt(tree: PropertyTree, over: Parameters<typeof frozenQuote>[1] = {}) {
  const world = given(createProperty(tree), promoteProperty(tree));
  const quote = frozenQuote(tree, { due_now: 8_001, ...over });
  const placed = world.when(placeHold(quote));
  const hold = { hold_id: placed.text("hold_id"), quote_id: quote.quote_id };
  const begun = world.when(beginBooking(hold));
  const paymentId = quote.due_now === 0 ? "" : begun.text("payment_id");
  const done = paymentId ? world.when(paymentResult(paymentId, "captured")) : begun;
  return { world, quote, paymentId, bookingId: done.text("booking_id") };
}
