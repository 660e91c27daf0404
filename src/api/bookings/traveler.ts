/**
 * Personal data of a booking, opened for its reader. Sealed fields are bound to the booking
 * command's key, which the booking remembers; after an erasure the data key is gone and there is
 * nothing to open.
 */
import type { SealedFields } from "../../../engine/core/parties.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { Deps } from "../../http/deps.ts";
import { openFields, sealMoreFields } from "../../privacy/personal-data.ts";

/** What opens and seals a booking's fields; null after an erasure. */
function keyOf(deps: Deps, booking: Booking) {
  const wrapped = deps.replica.records.wrappedKey(booking.booking_id);
  const binding = { tenant_id: booking.tenant_id, command: booking.key };
  return wrapped === null ? null : { wrapped, binding };
}

function opened(
  deps: Deps,
  booking: Booking,
  sealed: SealedFields,
): Readonly<Record<string, string>> | null {
  const key = keyOf(deps, booking);
  return key && openFields(deps.keys.master, key.binding, sealed, key.wrapped);
}

/** The sealed fields of a booking by name, or null after an erasure. */
export function personalData(
  deps: Deps,
  booking: Booking,
): Readonly<Record<string, string>> | null {
  return opened(deps, booking, booking.sealed);
}

/** A cancellation's note sealed like the rest of the booking; null when that is erased. */
export function sealNote(deps: Deps, booking: Booking, note: string): SealedFields | null {
  const key = keyOf(deps, booking);
  return key && sealMoreFields(deps.keys.master, key.binding, { note }, key.wrapped);
}

/** The note of a cancelled booking, or null. */
export function noteOf(deps: Deps, booking: Booking): string | null {
  const sealed = booking.cancellation?.sealed;
  return sealed ? (opened(deps, booking, sealed)?.note ?? null) : null;
}

/** `traveler` of a booking's answers. */
export function travelerOf(deps: Deps, bookingId: string, iss: string) {
  const booking = deps.replica.records.booking(bookingId);
  const sub = booking ? (personalData(deps, booking)?.traveler_sub ?? null) : null;
  return { iss, sub };
}
