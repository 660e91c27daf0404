/**
 * Reads in advance the records that a fold will read, so that damage fails the decision. A fold
 * must not throw for a record: memory would be ahead of the journal, and every start that meets the
 * same command would fail again.
 */
import type { Event } from "./events/event.ts";
import { recorded } from "./record-damage.ts";
import type { RecordReader } from "./records.ts";

/** Reads all records that folding `events` needs; throws `RecordDamaged` for a damaged one. */
export function readAhead(events: readonly Event[], records: RecordReader): void {
  /** Payments that an earlier event of the row provides: the fold has these in memory. */
  const inMemory = new Set<string>();
  const payment = (id: string) => {
    if (!inMemory.has(id)) recorded(records.payment(id), "payment", id);
  };
  const booking = (id: string | null) => {
    if (id !== null) recorded(records.booking(id), "booking", id);
  };
  for (const { type, data } of events) {
    switch (type) {
      case "payment.captured":
        inMemory.add(data.payment_id);
        break;
      case "booking.cancelled":
      case "booking.checked_in":
      case "booking.no_show":
      case "booking.completed":
        booking(data.booking_id);
        break;
      case "refund.requested":
        payment(data.payment_id);
        booking(data.booking_id);
        break;
      case "refund.succeeded":
      case "refund.failed": {
        const { refund_id } = data;
        const refund = recorded(records.refund(refund_id), "refund", refund_id);
        payment(refund.payment_id);
        booking(refund.booking_id);
        break;
      }
    }
  }
}
