/**
 * Personal data of a booking, decrypted for its reader. Encrypted fields are bound to the booking
 * command's key, which the booking stores; after an erasure the data key is deleted and nothing can
 * be decrypted.
 */

import type { Authorization } from "../../../engine/core/authorization.ts";
import type { CommandMeta } from "../../../engine/core/commands.ts";
import type { EncryptedFields } from "../../../engine/core/parties.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Booking } from "../../../engine/core/records.ts";
import {
  decryptFields,
  encryptFields,
  encryptMoreFields,
} from "../../access/privacy/personal-data.ts";
import type { Refusal } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";

/** What has the data key of a booking: itself, or its payment. */
type KeyOwner = Pick<Booking, "booking_id" | "tenant_id" | "key">;

interface BookingKey {
  readonly wrapped: string;
  readonly binding: { readonly tenant_id: string; readonly command: string };
}

/**
 * The result of `work` with the key of a booking's fields; null after an erasure.
 *
 * @throws RecordDamaged when the key cannot be decrypted.
 */
function withKey<T>(context: Context, booking: KeyOwner, work: (key: BookingKey) => T): T | null {
  const { booking_id, tenant_id, key: command } = booking;
  const wrapped = context.replica.records.wrappedKey(booking_id);
  if (wrapped === null) return null;
  try {
    return work({ wrapped, binding: { tenant_id, command } });
  } catch {
    // The record is intact, so the data key or the master key differs.
    throw new RecordDamaged("subject_key", booking_id, "does not open");
  }
}

function decrypted(
  context: Context,
  booking: KeyOwner,
  encrypted: EncryptedFields,
): Readonly<Record<string, string>> | null {
  return withKey(context, booking, ({ binding, wrapped }) =>
    decryptFields(context.keys.encryption, binding, encrypted, wrapped),
  );
}

type Field = "guest" | "special_requests" | "traveler_sub";

/** The given personal fields of a booking; null after an erasure. */
export function personalData<F extends Field>(
  context: Context,
  booking: Booking,
  fields: readonly F[],
): { readonly [Name in F]?: string } | null {
  const given = fields.filter((name) => Object.hasOwn(booking.encrypted, name));
  const encrypted = Object.fromEntries(given.map((name) => [name, booking.encrypted[name]!]));
  return decrypted(context, booking, encrypted) as { readonly [Name in F]?: string } | null;
}

/** More fields of a booking under its data key, with that key; null after an erasure. */
export function encryptMore(
  context: Context,
  booking: KeyOwner,
  fields: Readonly<Record<string, string>>,
): { readonly encrypted: EncryptedFields; readonly wrapped_key: string } | null {
  return withKey(context, booking, ({ binding, wrapped: wrapped_key }) => ({
    encrypted: encryptMoreFields(context.keys.encryption, binding, fields, wrapped_key),
    wrapped_key,
  }));
}

/**
 * A note as a member of a command, encrypted under the data key of the booking or payment that
 * `look` finds; nothing without a note, access or key. The engine checks access.
 */
export function encryptedNote(
  context: Context,
  note: string | undefined,
  look: () => KeyOwner | Refusal,
): { readonly encrypted?: EncryptedFields } {
  if (note === undefined) return {};
  const owner = look();
  const more = "code" in owner ? null : encryptMore(context, owner, { note });
  return more ? { encrypted: more.encrypted } : {};
}

/** A note that `encryptedNote` has encrypted; null after an erasure. */
export function noteIn(
  context: Context,
  booking: KeyOwner,
  encrypted: EncryptedFields,
): string | null {
  return decrypted(context, booking, encrypted)?.note ?? null;
}

/** An operator's note under a data key of its own, for a command with this meta. */
export function sealedNote({ context }: Call, { tenant_id, key }: CommandMeta, note?: string) {
  if (note === undefined) return {};
  const binding = { tenant_id, command: key ?? "" };
  return { note: encryptFields(context.keys.encryption, binding, { note }) };
}

/** A note that `sealedNote` has encrypted, of the record with this id; null for none. */
export function sealedNoteIn(
  context: Context,
  of: Pick<Authorization, "tenant_id" | "note"> & { readonly id: string },
): string | null {
  const { id: booking_id, tenant_id, note } = of;
  return note && noteIn(context, { booking_id, tenant_id, key: note.key }, note.encrypted);
}

/** The note of a cancelled booking, or null. */
export function noteOf(context: Context, booking: Booking): string | null {
  const encrypted = booking.cancellation?.encrypted;
  return encrypted ? noteIn(context, booking, encrypted) : null;
}

/**
 * `traveler` of a booking's answers. Without `sub` while a lagging copy has no such booking: null
 * would say that the guest was erased.
 */
export function travelerOf(context: Context, bookingId: string, iss: string) {
  const booking = context.replica.records.booking(bookingId);
  if (!booking) return { iss };
  return { iss, sub: personalData(context, booking, ["traveler_sub"])?.traveler_sub ?? null };
}
