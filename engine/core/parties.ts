/**
 * Who acts and who travels, as commands bring it, events carry it and records keep it. Nothing
 * here is personal data in clear.
 */

/** Who asked: a credential of the tenant, or the system itself. */
export interface Actor {
  readonly kind: "agent" | "operator" | "service" | "partner" | "system";
  readonly id: string;
}

/** The person a booking is for, so far as the engine may know. */
export interface Traveler {
  /** HMAC of (iss, sub): compares travelers without storing who they are. */
  readonly hash: string;
  readonly iss: string;
}

/** An encrypted personal-data record: AES-256-GCM ciphertext by field, base64url. */
export type EncryptedFields = Readonly<Record<string, string>>;

/** What a guest is found by: HMACs of the name and the e-mail address, as they are compared. */
export interface GuestHashes {
  readonly email: string;
  readonly name: string;
}
