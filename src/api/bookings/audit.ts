/** A booking's events as a chain (rules §8): verifiable with what the client sees. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { canonicalJson } from "../../../engine/core/canonical.ts";
import type { Event, Row } from "../../../engine/core/events.ts";
import type { Booking } from "../../../engine/core/records.ts";

/** Whether an event of one of the booking's rows is about it; a row can carry others' expiries. */
function concerns(event: Event, booking: Booking): boolean {
  const { data } = event as { data: { booking_id?: unknown; hold_id?: unknown } };
  return data.booking_id === booking.booking_id || data.hold_id === booking.hold_id;
}

/** What clients see of an event; the quote of a hold is in the words of the wire. */
function dataOf(event: Event) {
  if (event.type !== "hold.created") return event.data;
  const { hold_id, quote, expires_at } = event.data;
  const { quote_id, tenant_id, mode, agent_id, property_id: hotel_id, ...terms } = quote;
  const shown = { quote_id, tenant_id, mode, agent_id, hotel_id, ...terms };
  return { hold_id, quote: shown, expires_at };
}

/** The booking's events, each with its hash over the one before (rules §8). */
export function auditEvents(rows: readonly Row[], booking: Booking) {
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
          data: dataOf(event),
          prev_hash,
        };
        const hash = `sha256:${Bun.SHA256.hash(canonicalJson(body), "hex")}`;
        prev_hash = hash;
        return { ...body, hash };
      }),
  );
}
