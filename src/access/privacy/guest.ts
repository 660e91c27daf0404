/**
 * The guest of a booking: decrypted, and as keyed hashes to find bookings without decrypting them.
 * The hashes are stored beside the booking's wrapped data key and erased with it. Their key does
 * not rotate, because they are compared with stored ones.
 */
import type { GuestHashes } from "../../../engine/core/parties.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { RecordReaderOn } from "../../../engine/log/record-reader.ts";
import type { KeyVersions } from "./key-versions.ts";
import { decryptFields, hmacHex } from "./personal-data.ts";

/** The members of a guest that mails need. */
export interface GuestContact {
  readonly full_name: string;
  readonly email: string;
  readonly language?: string;
}

/**
 * The guest of a booking as given, with the primary one; null after an erasure.
 *
 * @throws RecordDamaged when the data key does not decrypt it.
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
    // No `cause`: the only possible one is another data or master key.
    throw new RecordDamaged("subject_key", booking_id, "does not open");
  }
}

/** The guest of a booking id; null also when unknown. Throws as `guestOf`. */
export function guestById(
  masters: KeyVersions,
  records: Pick<RecordReaderOn, "booking" | "wrappedKey">,
  bookingId: string,
): { readonly primary: GuestContact } | null {
  const booking = records.booking(bookingId);
  return booking && guestOf(masters, records, booking);
}

const HASH_BYTES = 16;

/** Ignores case, width and spacing. */
function compared(text: string): string {
  // Upper then lower: one letter can be two in the other case.
  const folded = text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  return folded.trim().replace(/\s+/gu, " ");
}

/** The hash of a guest's name or e-mail address. */
export function guestHash(
  hmacKey: Uint8Array,
  tenantId: string,
  kind: keyof GuestHashes,
  text: string,
): string {
  return hmacHex(hmacKey, JSON.stringify([`guest ${kind}`, tenantId, compared(text)]), HASH_BYTES);
}

/** Both hashes of a guest. */
export function guestHashes(
  hmacKey: Uint8Array,
  tenantId: string,
  guest: { readonly full_name: string; readonly email: string },
): GuestHashes {
  return {
    email: guestHash(hmacKey, tenantId, "email", guest.email),
    name: guestHash(hmacKey, tenantId, "name", guest.full_name),
  };
}
