/**
 * Which work an event makes due outside the engine. It is only a nudge, given right after the
 * commit: whoever does the work also finds it by state in the projections, so a lost nudge costs
 * time and nothing else.
 */
import type { Event } from "./events.ts";

/** `payment`: take the money of a payment. `refund`: give it back. `id` is the record's. */
export interface DueWork {
  readonly kind: "payment" | "refund";
  readonly id: string;
}

/** The work that an event makes due, or null. */
export function dueOf(event: Event): DueWork | null {
  switch (event.type) {
    case "payment.pending":
      return { kind: "payment", id: event.data.payment_id };
    case "refund.requested":
      return { kind: "refund", id: event.data.refund_id };
    default:
      return null;
  }
}
