/**
 * Personal data of a booking, opened for its reader. Sealed fields are bound to the booking
 * command's key, which the booking remembers; after an erasure the data key is gone and there is
 * nothing to open.
 */
import type { SealedFields } from "../../engine/core/commands.ts";
import type { Booking } from "../../engine/core/records.ts";
import { openFields, sealMoreFields } from "../personal-data.ts";
import type { Deps } from "./deps.ts";

/** The sealed fields of a booking by name, or null after an erasure. */
export function personalData(
  deps: Deps,
  booking: Booking,
): Readonly<Record<string, string>> | null {
  const wrapped = deps.replica.records.wrappedKey(booking.booking_id);
  if (wrapped === null) return null;
  const binding = { tenant_id: booking.tenant_id, command: booking.key };
  return openFields(deps.keys.master, binding, booking.sealed, wrapped);
}

/** A cancellation's note sealed like the rest of the booking; null when that is erased. */
export function sealNote(deps: Deps, booking: Booking, note: string): SealedFields | null {
  const wrapped = deps.replica.records.wrappedKey(booking.booking_id);
  if (wrapped === null) return null;
  const binding = { tenant_id: booking.tenant_id, command: booking.key };
  return sealMoreFields(deps.keys.master, binding, { note }, wrapped);
}

/** The note of a cancelled booking, or null. */
export function noteOf(deps: Deps, booking: Booking): string | null {
  const sealed = booking.cancellation?.sealed;
  const wrapped = deps.replica.records.wrappedKey(booking.booking_id);
  if (!sealed || wrapped === null) return null;
  const binding = { tenant_id: booking.tenant_id, command: booking.key };
  return openFields(deps.keys.master, binding, sealed, wrapped).note ?? null;
}

/** `traveler` of a booking's answers. */
export function travelerOf(deps: Deps, bookingId: string, iss: string) {
  const booking = deps.replica.records.booking(bookingId);
  const sub = booking ? (personalData(deps, booking)?.traveler_sub ?? null) : null;
  return { iss, sub };
}
