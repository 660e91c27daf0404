/** The guest of a booking, decrypted for whoever writes or tells of them. */
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { RecordReaderOn } from "../../../engine/log/record-store.ts";
import type { KeyVersions } from "./key-versions.ts";
import { decryptFields } from "./personal-data.ts";

/** The members of a guest that mails need. */
export interface GuestContact {
  readonly full_name: string;
  readonly email: string;
}

/**
 * The guest of a booking as it was given, with the primary one; null after an erasure.
 *
 * @throws RecordDamaged when the data key does not open what it should.
 */
export function guestOf(
  masters: KeyVersions,
  records: Pick<RecordReaderOn, "wrappedKey">,
  { booking_id, tenant_id, key, encrypted }: Booking,
): { readonly primary: GuestContact } | null {
  const wrappedKey = records.wrappedKey(booking_id);
  const { guest } = encrypted;
  if (wrappedKey === null || guest === undefined) return null;
  try {
    const binding = { tenant_id, command: key };
    return JSON.parse(decryptFields(masters, binding, { guest }, wrappedKey).guest!);
  } catch {
    // The cause could only say what this does: the data key, or the master key, is another one.
    throw new RecordDamaged("subject_key", booking_id, "does not open");
  }
}

/** The guest of the booking of that id; null also when there is none. Throws as `guestOf`. */
export function guestById(
  masters: KeyVersions,
  records: Pick<RecordReaderOn, "booking" | "wrappedKey">,
  bookingId: string,
): { readonly primary: GuestContact } | null {
  const booking = records.booking(bookingId);
  return booking && guestOf(masters, records, booking);
}
