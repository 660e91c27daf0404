/**
 * The work outside the engine that an event makes due. Only a signal after the commit: the worker
 * also finds due work by state in the projections, so a lost signal costs time and nothing else.
 */
import type { Event } from "../events/event.ts";

/** `payment`: charge it. `refund`: send it. `id` is the record's. */
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
