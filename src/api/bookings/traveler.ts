/**
 * Personal data of a booking, opened for its reader. Sealed fields are bound to the booking
 * command's key, which the booking remembers; after an erasure the data key is gone and there is
 * nothing to open.
 */
import type { SealedFields } from "../../../engine/core/parties.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { Context } from "../../http/context.ts";
import { openFields, sealMoreFields } from "../../privacy/personal-data.ts";

/** What opens and seals a booking's fields; null after an erasure. */
function keyOf(context: Context, booking: Booking) {
  const wrapped = context.replica.records.wrappedKey(booking.booking_id);
  const binding = { tenant_id: booking.tenant_id, command: booking.key };
  return wrapped === null ? null : { wrapped, binding };
}

function opened(
  context: Context,
  booking: Booking,
  sealed: SealedFields,
): Readonly<Record<string, string>> | null {
  const key = keyOf(context, booking);
  return key && openFields(context.keys.master, key.binding, sealed, key.wrapped);
}

/** The sealed fields of a booking by name, or null after an erasure. */
export function personalData(
  context: Context,
  booking: Booking,
): Readonly<Record<string, string>> | null {
  return opened(context, booking, booking.sealed);
}

/** A cancellation's note sealed like the rest of the booking; null when that is erased. */
export function sealNote(context: Context, booking: Booking, note: string): SealedFields | null {
  const key = keyOf(context, booking);
  return key && sealMoreFields(context.keys.master, key.binding, { note }, key.wrapped);
}

/** The note of a cancelled booking, or null. */
export function noteOf(context: Context, booking: Booking): string | null {
  const sealed = booking.cancellation?.sealed;
  return sealed ? (opened(context, booking, sealed)?.note ?? null) : null;
}

/** `traveler` of a booking's answers. */
export function travelerOf(context: Context, bookingId: string, iss: string) {
  const booking = context.replica.records.booking(bookingId);
  const sub = booking ? (personalData(context, booking)?.traveler_sub ?? null) : null;
  return { iss, sub };
}
