/**
 * Assertions that several decisions share: true in every state that the fold makes. A failed one
 * fails its command before a wrong event can be written.
 */

import { assert } from "../assert.ts";
import type { StayQuery } from "../availability/availability.ts";
import { checkInDayOf, nightCountOf } from "../price/quote-codec.ts";
import type { Hold, Payment } from "../records.ts";
import { pageStart } from "../state/nights.ts";
import { effectiveCapacity } from "../state/room-state.ts";
import type { Offer, State } from "../state/state.ts";
import { isOfRealm } from "../visibility.ts";

/** Before a hold: every cell of the stay has a free unit. */
export function assertFits({ room, roomType }: Offer, { checkInDay, nights }: StayQuery): void {
  assert(nights > 0, "a stay has a night");
  const units = room.units();
  for (let day = checkInDay; day < checkInDay + nights; day += 1) {
    const taken = units.sold.get(day) + units.held.get(day);
    assert(taken < effectiveCapacity(roomType, units, day), "a unit is free on every night");
  }
}

/** Before a hold changes: it is in memory and counted on every night that is kept. */
export function assertOpen(hold: Hold, state: State): void {
  assert(state.holds.get(hold.hold_id) === hold, "an open hold is in memory");
  const { quote } = hold;
  const room = state.property(hold, quote.property_id)?.rooms.get(quote.room_type_id);
  assert(room !== undefined, "the room type of an open hold exists");
  const firstDay = checkInDayOf(quote);
  const end = firstDay + nightCountOf(quote);
  for (let day = Math.max(firstDay, pageStart(state.keptDay)); day < end; day += 1) {
    assert(room.held.get(day) > 0, "an open hold is counted on every night");
  }
}

/** A `confirming` hold waits for this payment, of its property and over the amount due. */
export function assertWaitsFor(hold: Hold, payment: Payment): void {
  assert(hold.state === "confirming", "a hold that waits for its payment is confirming");
  assert(hold.payment_id === payment.payment_id, "a hold waits for its last payment");
  assert(payment.hold_id === hold.hold_id, "a payment is for the hold that waits for it");
  assert(payment.amount === hold.quote.due_now, "a payment is over what is due now");
  const isOneProperty = isOfRealm(payment, hold) && payment.property_id === hold.quote.property_id;
  assert(isOneProperty, "a hold and its payment are of one property");
}

/** A refund is at most what remains of the capture. `amount` in minor units. */
export function assertRefundable(payment: Payment, amount: number): void {
  assert(amount > 0, "a refund gives something back");
  assert(amount <= payment.amount - payment.refunded, "no more is refunded than was captured");
}
