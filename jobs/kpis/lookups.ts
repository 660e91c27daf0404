/** Immutable facts about the subjects of events. */
import { GenerationalCache } from "../../engine/core/generational-cache.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { EventLookups } from "../../engine/core/public-events.ts";
import { recorded } from "../../engine/core/record-damage.ts";
import { type Booking, quoteAt } from "../../engine/core/records.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { treeOf } from "../../engine/log/tree-versions.ts";

type Quoted = Parameters<typeof treeOf>[1];
/** The members of a booking that figures need. */
export type Booked = Pick<Booking, "quote" | "created_at">;

/** Cache size; most records end soon after their creation. */
const KEPT = 4_000;

/** @throws RecordDamaged when an event's record is damaged. */
export class KpiLookups {
  readonly #replica: Replica;
  readonly #records: EventLookups;
  readonly #quotes = new GenerationalCache<string, FrozenQuote>(KEPT);
  readonly #bookings = new GenerationalCache<string, Booked & { readonly row: number }>(KEPT);
  readonly #holdIds = new GenerationalCache<string, string>(KEPT);

  /** For rows that the replica has folded. */
  constructor(replica: Replica) {
    this.#replica = replica;
    this.#records = replica.eventLookups;
  }

  keepHold(holdId: string, quote: FrozenQuote): void {
    this.#quotes.set(holdId, quote);
  }

  /** `row` made it so. */
  keepBooking(bookingId: string, booked: Booked, row: number): void {
    this.#bookings.set(bookingId, { ...booked, row });
  }

  keepPayment(paymentId: string, holdId: string): void {
    this.#holdIds.set(paymentId, holdId);
  }

  quoteOfHold(holdId: string): FrozenQuote {
    const kept = this.#quotes.get(holdId);
    return kept ?? recorded(this.#records.hold(holdId), "hold", holdId).quote;
  }

  /** A booking as of a row: rows after damage are folded again, after what was kept. */
  booking(bookingId: string, row: number): Booked {
    const kept = this.#bookings.get(bookingId);
    if (kept && kept.row <= row) return kept;
    const booking = recorded(this.#records.booking(bookingId), "booking", bookingId);
    return { quote: quoteAt(booking, row), created_at: booking.created_at };
  }

  quoteOfPayment(paymentId: string): FrozenQuote {
    const kept = this.#holdIds.get(paymentId);
    const holdId = kept ?? recorded(this.#records.payment(paymentId), "payment", paymentId).hold_id;
    return this.quoteOfHold(holdId);
  }

  tree(of: Quoted): PropertyTree {
    const tree = treeOf(this.#replica, of);
    if (!tree) throw new Error(`version ${of.supply_version} of ${of.property_id} is not folded`);
    return tree;
  }

  /** The zone in which the stay was sold. */
  zone(of: Quoted): string {
    const property = this.#replica.state.property(of, of.property_id);
    return property?.versions[of.supply_version - 1]?.timezone ?? "UTC";
  }
}
