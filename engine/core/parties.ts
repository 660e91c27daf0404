/** Callers and travelers in commands, events and records. Personal data is never in clear. */

/** The caller: a credential of the tenant, the guest of a booking (its id), or the system. */
export interface Actor {
  readonly kind: "agent" | "operator" | "service" | "partner" | "guest" | "system";
  readonly id: string;
  /** The person who acted for an operator, if the operator has people. */
  readonly person_id?: string;
}

/** The traveler, as far as the engine may know. */
export interface Traveler {
  /** HMAC of (iss, sub): compares travelers without storing their identity. */
  readonly hash: string;
  readonly iss: string;
}

/** An encrypted personal-data record: AES-256-GCM ciphertext by field, base64url. */
export type EncryptedFields = Readonly<Record<string, string>>;

/** HMACs of the guest's name and e-mail address, by which the guest is found. */
export interface GuestHashes {
  readonly email: string;
  readonly name: string;
}
