/** What follows a booking. */
import { action, type May, type NextAction, permitted } from "../../actions/next-action.ts";

/** At a booking; `cancel` only while it is `confirmed`. */
export function bookingActions(
  booking: { readonly booking_id: string; readonly state: string },
  may?: May,
): NextAction[] {
  const path = bookingPath(booking.booking_id);
  const read = [action("get", "GET", path), action("get_audit", "GET", `${path}/audit`)];
  const cancel = booking.state === "confirmed" ? [action("cancel", "POST", `${path}/cancel`)] : [];
  return permitted([...read, ...cancel], may);
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
