/** Events with guest data for readers with `bookings:read`. */
import type { PublicEvent, UnlistedEvent } from "../../../engine/core/public-events.ts";
import { coversScope, type Principal } from "../../access/control/principal.ts";
import { guestById } from "../../access/privacy/guest.ts";
import type { Context } from "../../http/context.ts";

/** The events of a list, each with the number of the previous one; `afterSeq` for the first. */
export function shownTo(
  { scopes }: Pick<Principal, "scopes">,
  context: Context,
  events: readonly UnlistedEvent["event"][],
  afterSeq: number,
): PublicEvent[] {
  const seesGuests = coversScope(scopes, "bookings:read");
  let prev_seq = afterSeq;
  return events.map(({ id, type, timestamp, api_version, tenant_id, mode, seq, ...event }) => {
    const { subject, person_id } = event;
    const isGuests = seesGuests && subject.type === "booking";
    const data = isGuests ? withGuest(context, subject.id, event.data) : event.data;
    const head = { id, type, timestamp, api_version, tenant_id, mode, seq, prev_seq };
    prev_seq = seq;
    return { ...head, ...(person_id !== undefined && { person_id }), subject, data };
  });
}

function withGuest(
  { keys, replica }: Context,
  bookingId: string,
  withOmitted: PublicEvent["data"],
) {
  const { omitted: _omitted, ...data } = withOmitted;
  return { ...data, guest: guestById(keys.encryption, replica.records, bookingId) };
}
