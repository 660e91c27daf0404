/** What follows a booking. */
import { action, type May, type NextAction, permitted } from "../../actions/next-action.ts";

interface BookingStep {
  readonly booking_id: string;
  readonly state: string;
  /** How it was cancelled, if it was. */
  readonly cancellation?: { readonly refund_id: string | null } | null;
}

/** At a booking; `cancel` only while it is `confirmed`, then the refund that cancelling made. */
export function bookingActions(booking: BookingStep, may?: May): NextAction[] {
  const { booking_id, state, cancellation } = booking;
  const refund_id = cancellation?.refund_id ?? null;
  if (state !== "confirmed") return cancellationActions({ booking_id, refund_id }, may);
  const path = bookingPath(booking_id);
  const read = [action("get", "GET", path), action("get_audit", "GET", `${path}/audit`)];
  return permitted([...read, action("cancel", "POST", `${path}/cancel`)], may);
}

/** After a cancellation; `refund_id` is null when nothing is paid back. */
export function cancellationActions(
  done: { readonly booking_id: string; readonly refund_id: string | null },
  may?: May,
): NextAction[] {
  const path = bookingPath(done.booking_id);
  const read = [action("get", "GET", path), action("get_audit", "GET", `${path}/audit`)];
  if (done.refund_id === null) return permitted(read, may);
  const refund = `${path}/refunds/${encodeURIComponent(done.refund_id)}`;
  return permitted([...read, action("get_refund", "GET", refund)], may);
}

function bookingPath(bookingId: string): string {
  return `/v1/bookings/${encodeURIComponent(bookingId)}`;
}
