/** A booking for its guest, without what is the agent's or the property's own. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { offerOf } from "../../../engine/core/price/price.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { treeOf } from "../../../engine/log/tree-versions.ts";
import { offeredKey } from "../../actions/call-parts.ts";
import { action, type NextAction, offered, post } from "../../actions/next-action.ts";
import type { Call } from "../../http/call.ts";
import { cancellationCost } from "../bookings/actions.ts";
import { bookingDetail, withRemaining } from "../bookings/views.ts";
import { unfoldedIfKnown } from "../quotes/shown.ts";

export const BOOKING_PATH = "/v1/guest/booking";

/** `data` of a guest's booking. */
export function guestBooking({ context }: Pick<Call, "context">, booking: Booking) {
  const { quote } = booking;
  const { currency } = quote;
  const tree = treeOf(context.replica, quote);
  const named = tree && offerOf(tree, quote);
  const detail = bookingDetail(context, booking);
  const { booking_id, confirmation_code, state, version, created_at, stay, guests } = detail;
  const { payment, guest, special_requests } = detail;
  const back = ({ fee, refund }: { readonly fee: number; readonly refund: number }) => ({
    fee: { amount: fee, currency },
    refund: { amount: refund, currency },
  });
  const { cancellation, no_show } = booking;
  return {
    ...{ booking_id, confirmation_code, mode: booking.mode, state, version, created_at },
    hotel: tree && hotelOut(tree),
    room: named?.roomType.name ?? null,
    rate_plan: named?.plan.name ?? null,
    ...{ stay, guests },
    ...unfoldedIfKnown(context, quote),
    payment: payment && { state: payment.state, amount: payment.amount, currency },
    refunds: detail.refunds.map(({ refund_id, amount, state, created_at }) => {
      return { refund_id, amount, currency, state, created_at };
    }),
    ...{ guest, special_requests },
    cancellation: cancellation && {
      cancelled_at: instantIso(cancellation.cancelled_at),
      ...back(cancellation),
    },
    no_show: no_show ? { no_show_at: instantIso(no_show.at), ...back(no_show) } : null,
  };
}

/** A hotel for its guest. */
export function hotelOut(tree: PropertyTree) {
  const { name, phone, email, geo, timezone, checkin_time, checkout_time } = tree;
  const { line1, line2, postal_code, city, country } = tree.address;
  const lines = [line1, line2, [postal_code, city].filter(Boolean).join(" "), country];
  return {
    name,
    address: lines.filter((line): line is string => Boolean(line)),
    ...{ phone, email, timezone, checkin_time, checkout_time },
    geo: geo && { latitude: geo.lat, longitude: geo.lng },
  };
}

/** At a guest's booking: its reads, and the cancellation with its cost while it is possible. */
export function guestActions({ context, principal, may }: Call, booking: Booking): NextAction[] {
  const atMs = context.timeIn(principal);
  const { booking_id, state, version } = booking;
  const cost = cancellationCost(withRemaining(context, booking), atMs);
  const body = {
    expected_refund: cost.refund.amount,
    idempotency_key: offeredKey("guest-cancel", booking_id, version),
  };
  const read = (path: string) => action("get", "GET", BOOKING_PATH + path);
  return offered(
    [
      ["get_guest_booking", read("")],
      ["get_guest_receipts", read("/receipts")],
      ...(state === "confirmed"
        ? ([
            ["get_guest_cancellation_quote", read("/cancellation-quote")],
            ["cancel_guest_booking", post("cancel", `${BOOKING_PATH}/cancel`, body, { cost })],
          ] as const)
        : []),
    ],
    may,
  );
}
