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

/** The booking's events, each with its hash over the one before (rules §8). */
export function auditEvents(rows: readonly Row[], booking: Booking) {
  let prev_hash: string | null = null;
  return rows.flatMap((row) =>
    row.events
      .filter((event) => concerns(event, booking))
      .map((event) => {
        const { seq, type, data } = event;
        const body = {
          ...{ seq, type },
          at: instantIso(row.stamp),
          actor: row.actor,
          trace_id: row.trace_id,
          data,
          prev_hash,
        };
        const hash = `sha256:${Bun.SHA256.hash(canonicalJson(body), "hex")}`;
        prev_hash = hash;
        return { ...body, hash };
      }),
  );
}
