/** What follows a booking. */
import {
  action,
  type May,
  type NextAction,
  type Offer,
  offered,
} from "../../actions/next-action.ts";

interface BookingStep {
  readonly booking_id: string;
  readonly state: string;
  /** How it was cancelled, if it was. */
  readonly cancellation?: { readonly refund_id: string | null } | null;
  /** What came of it where the guest never came. */
  readonly no_show?: { readonly refund_id: string | null };
}

/** At a booking; `cancel` only while it is `confirmed`, else the refund that its end has made. */
export function bookingActions(booking: BookingStep, may?: May): NextAction[] {
  const { booking_id, state, cancellation, no_show } = booking;
  const refund_id = (cancellation ?? no_show)?.refund_id ?? null;
  if (state !== "confirmed") return settledActions({ booking_id, refund_id }, may);
  const path = bookingPath(booking_id);
  const cancel: Offer = ["cancel", action("cancel", "POST", `${path}/cancel`)];
  return offered([...readsAt(path), cancel], may);
}

/** At a booking whose end is settled; `refund_id` is null when nothing is paid back. */
export function settledActions(
  done: { readonly booking_id: string; readonly refund_id: string | null },
  may?: May,
): NextAction[] {
  const path = bookingPath(done.booking_id);
  if (done.refund_id === null) return offered(readsAt(path), may);
  const refund = `${path}/refunds/${encodeURIComponent(done.refund_id)}`;
  return offered([...readsAt(path), ["get_refund", action("get_refund", "GET", refund)]], may);
}

function readsAt(path: string): Offer[] {
  return [
    ["get_booking", action("get", "GET", path)],
    ["get_audit", action("get_audit", "GET", `${path}/audit`)],
  ];
}

function bookingPath(bookingId: string): string {
  return `/v1/bookings/${encodeURIComponent(bookingId)}`;
}
