/**
 * What a guest is found by without anybody reading who it is: keyed hashes of the name and of the
 * e-mail address, each as it is compared. They are stored beside the booking's wrapped data key and
 * go with it.
 *
 * The key is the one that does not rotate: what it makes is compared with what is stored for ever.
 */
import type { GuestHashes } from "../../../engine/core/parties.ts";
import { hmacHex } from "./personal-data.ts";

const HASH_BYTES = 16;

/** Letters of either case and width, and any spacing, are the same: as people write a name. */
function compared(text: string): string {
  // Up and down again: one letter can be two in the other case.
  const folded = text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  return folded.trim().replace(/\s+/gu, " ");
}

/** The hash of a name or an e-mail address of a tenant's guests. */
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
