/** A booking's events as a chain: verifiable with what the client sees. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { canonicalJson } from "../../../engine/core/canonical.ts";
import type { Event } from "../../../engine/core/events/event.ts";
import type { FrozenQuote } from "../../../engine/core/price/quote.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { Context } from "../../http/context.ts";
import { unfolded } from "../quotes/shown.ts";

/** Whether an event of a row concerns the booking; a row can contain expiries of other holds. */
function concerns(event: Event, booking: Booking): boolean {
  const { data } = event as { data: { booking_id?: unknown; hold_id?: unknown } };
  return data.booking_id === booking.booking_id || data.hold_id === booking.hold_id;
}

function termsOf(context: Context, quote: FrozenQuote) {
  const { quote_id, property_id: hotel_id, room_type_id, rate_plan_id, stay, guests } = quote;
  return {
    ...{ quote_id, hotel_id, room_type_id, rate_plan_id, stay, guests },
    ...unfolded(context, quote),
    created_at: instantIso(quote.created_at),
    expires_at: instantIso(quote.expires_at),
  };
}

/** An event for clients: RFC 3339 instants, and consent with its issuer. */
function dataOf(context: Context, event: Event, booking: Booking) {
  switch (event.type) {
    case "hold.created":
      return { ...event.data, quote: termsOf(context, event.data.quote) };
    case "payment.pending":
      return { ...event.data, iss: event.secret.traveler.iss };
    case "booking.confirmed":
      return { ...event.data, iss: booking.traveler.iss };
    case "booking.cancelled":
      // The property acts without a traveler's token.
      return event.data.desk ? event.data : { ...event.data, iss: booking.traveler.iss };
    default:
      return event.data;
  }
}

/**
 * The booking's events, each with its chained hash. The traveler's `sub` is
 * in none: it is personal data, and its erasure must not break the chain.
 *
 * @throws Error when the replica does not have the row of the booking's hold yet.
 */
export function auditEvents(context: Context, booking: Booking) {
  const rows = booking.rows.map((row) => context.replica.row(row)).filter((row) => row !== null);
  let prev_hash: string | null = null;
  return rows.flatMap((row) =>
    row.events
      .filter((event) => concerns(event, booking))
      .map((event) => {
        const { seq, type } = event;
        const body = {
          ...{ seq, type },
          at: instantIso(row.stamp),
          actor: row.actor,
          trace_id: row.trace_id,
          data: dataOf(context, event, booking),
          prev_hash,
        };
        const hash = `sha256:${Bun.SHA256.hash(canonicalJson(body), "hex")}`;
        prev_hash = hash;
        return { ...body, hash };
      }),
  );
}
