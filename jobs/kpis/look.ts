/** What events are about, beside what they say: facts that never change once written. */
import type { EventLookups } from "../../engine/core/public-events.ts";
import type { FrozenQuote } from "../../engine/core/quote.ts";
import { recorded } from "../../engine/core/record-damage.ts";
import type { Booking, Refund } from "../../engine/core/records.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { treeOf } from "../../engine/shell/tree-versions.ts";

type Quoted = Parameters<typeof treeOf>[1];

/** @throws RecordDamaged when a record that an event names is missing. */
export class Look {
  readonly #replica: Replica;
  readonly #records: EventLookups;

  /** Of rows that the replica has folded already. */
  constructor(replica: Replica) {
    this.#replica = replica;
    this.#records = replica.eventLookups;
  }

  quoteOfHold(holdId: string): FrozenQuote {
    return recorded(this.#records.hold(holdId), "hold", holdId).quote;
  }

  booking(bookingId: string): Booking {
    return recorded(this.#records.booking(bookingId), "booking", bookingId);
  }

  refund(refundId: string): Refund {
    return recorded(this.#records.refund(refundId), "refund", refundId);
  }

  quoteOfPayment(paymentId: string): FrozenQuote {
    const payment = recorded(this.#records.payment(paymentId), "payment", paymentId);
    return this.quoteOfHold(payment.hold_id);
  }

  tree(of: Quoted): PropertyTree {
    const tree = treeOf(this.#replica, of);
    if (!tree) throw new Error(`version ${of.supply_version} of ${of.property_id} is not folded`);
    return tree;
  }

  /** The zone that the stay was sold by. */
  zone(of: Quoted): string {
    const property = this.#replica.state.property(of, of.property_id);
    return property?.versions[of.supply_version - 1]?.timezone ?? "UTC";
  }
}
