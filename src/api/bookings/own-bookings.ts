/** The caller's own bookings: `GET /v1/bookings` without a code or a hold. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Booking, BookingState } from "../../../engine/core/records.ts";
import { action, type Offer, offered, post } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { exampleStayBody } from "../stays.ts";
import { bookingIdsOf, bookingOf } from "../visible.ts";

const BOOKINGS_MAX = 10_000;
/** Reads among the next actions; every item has its `href`. */
const READS_OFFERED = 5;

/** All bookings, newest first, without personal data; refused if too many for one answer. */
export async function ownBookings(call: Call): Promise<Success | Refusal> {
  const { query, principal, may } = call;
  const state = query.get("state") as BookingState | undefined;
  const [from, to] = ["created_from", "created_to"].map((name) => query.get(name));
  const created = [from, to].some((end) => end !== undefined) && {
    created_at: [
      from === undefined ? 0 : Date.parse(from),
      to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
    ] as const,
  };
  const asked = { agent_id: principal.agent_id, ...(state && { state }), ...created };
  const ids = bookingIdsOf(call, asked, BOOKINGS_MAX + 1);
  if (ids.length > BOOKINGS_MAX) {
    const expected = `instants that match at most ${BOOKINGS_MAX} bookings`;
    return invalid([{ path: "?created_from", message: "matches too many bookings", expected }]);
  }
  const items = [];
  for await (const id of nextTurnEach(ids)) {
    const booking = bookingOf(call, id);
    if (!("code" in booking)) items.push(bookingOut(booking));
  }
  const reads = items
    .slice(0, READS_OFFERED)
    .map(({ href }): Offer => ["get_booking", action("get", "GET", href)]);
  const search: Offer = ["search", post("search", "/v1/search", exampleStayBody(call))];
  return { ok: true, data: { items }, actions: offered(reads.length > 0 ? reads : [search], may) };
}

function bookingOut(booking: Booking) {
  const { booking_id, confirmation_code, state, hold_id, property_id, quote, version } = booking;
  const { quote_id, room_type_id, rate_plan_id, stay, guests } = quote;
  return {
    ...{ booking_id, confirmation_code, state, hold_id, quote_id, property_id },
    ...{ room_type_id, rate_plan_id, stay, guests },
    total: { amount: quote.total, currency: quote.currency },
    ...{ created_at: instantIso(booking.created_at), version },
    href: `/v1/bookings/${booking_id}`,
  };
}
