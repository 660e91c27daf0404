/**
 * Personal data leaves the api only encrypted: every record gets a fresh data key, every field a
 * random nonce, and each ciphertext is bound to its tenant, command and field, so that none can be
 * moved to another place. The data key travels wrapped by the master key; deleting the wrapped key
 * erases the guest and leaves the ledger whole.
 *
 * What must be compared without being read (bodies, travelers, idempotency keys) is an HMAC: unlike
 * a bare hash it confirms no guess to someone who holds only the journal.
 */
import { randomBytes } from "node:crypto";
import type { EncryptedFields } from "../../../engine/core/parties.ts";
import { decrypt, decryptByVersion, encrypt, encryptByVersion } from "./encryption.ts";
import type { KeyVersions } from "./key-versions.ts";

/** What an encrypted record belongs to. */
export interface EncryptionBinding {
  readonly tenant_id: string;
  /** The command id, or the random bytes of an unkeyed command. */
  readonly command: string;
}

const KEY_BYTES = 32;

function keyContext(binding: EncryptionBinding): readonly string[] {
  return ["data-key", binding.tenant_id];
}

function fieldContext(binding: EncryptionBinding, field: string): readonly string[] {
  return ["field", binding.tenant_id, binding.command, field];
}

function encryptEach(
  dataKey: Uint8Array,
  binding: EncryptionBinding,
  fields: Readonly<Record<string, string>>,
): EncryptedFields {
  const encrypted = Object.entries(fields).map(([field, text]) => {
    return [field, encrypt(dataKey, Buffer.from(text), fieldContext(binding, field))];
  });
  return Object.fromEntries(encrypted);
}

/** Encrypts every field under a fresh data key, and that under the master key of now. */
export function encryptFields(
  masters: KeyVersions,
  binding: EncryptionBinding,
  fields: Readonly<Record<string, string>>,
): { encrypted: EncryptedFields; wrapped_key: string } {
  const dataKey = randomBytes(KEY_BYTES);
  return {
    encrypted: encryptEach(dataKey, binding, fields),
    wrapped_key: encryptByVersion(masters, dataKey, keyContext(binding)),
  };
}

/** Encrypts more fields under the data key of an earlier record, so that one erasure takes all. */
export function encryptMoreFields(
  masters: KeyVersions,
  binding: EncryptionBinding,
  fields: Readonly<Record<string, string>>,
  wrappedKey: string,
): EncryptedFields {
  return encryptEach(decryptByVersion(masters, wrappedKey, keyContext(binding)), binding, fields);
}

/**
 * Decrypts what `encryptFields` made. Throws when anything was changed, or belongs to another
 * tenant, command, field or master key.
 */
export function decryptFields(
  masters: KeyVersions,
  binding: EncryptionBinding,
  encrypted: EncryptedFields,
  wrappedKey: string,
): Record<string, string> {
  const dataKey = decryptByVersion(masters, wrappedKey, keyContext(binding));
  const fields = Object.entries(encrypted).map(([field, text]) => {
    return [field, decrypt(dataKey, text, fieldContext(binding, field)).toString("utf8")];
  });
  return Object.fromEntries(fields);
}

/** By key: one that has taken its key and nothing else. A copy of it is had for two thirds. */
const keyedHashers = new WeakMap<Uint8Array, Bun.CryptoHasher>();

/** The first `bytes` bytes of HMAC-SHA256 over UTF-8 text, in hex. No byte of `key` may change. */
export function hmacHex(key: Uint8Array, text: string, bytes: number): string {
  let keyed = keyedHashers.get(key);
  if (keyed === undefined) {
    keyed = new Bun.CryptoHasher("sha256", key);
    keyedHashers.set(key, keyed);
  }
  return keyed
    .copy()
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
}

/** What a key is for, and whose it is: a key says nothing to other agents of the tenant. */
export interface KeyScope {
  readonly mode: string;
  readonly agent_id: string;
  readonly method: string;
  /** Concrete path without query. */
  readonly path: string;
}

/** The scope of a call's keys as `commandId` takes it. */
export function scopeOf({ mode, agent_id, method, path }: KeyScope): string {
  return `${mode} ${agent_id} ${method} ${path}`;
}

/** Command id: 32 hex characters of (tenant, scope, idempotency key). */
export function commandId(hmacKey: Uint8Array, tenant: string, scope: string, key: string): string {
  return hmacHex(hmacKey, JSON.stringify(["command", tenant, scope, key]), 16);
}

/** Body hash: 32 hex characters of the canonical body (RFC 8785, rules §1). */
export function bodyHash(hmacKey: Uint8Array, canonical: string): string {
  return hmacHex(hmacKey, `body\n${canonical}`, 16);
}

/** Traveler hash: 32 hex characters of (iss, sub). */
export function travelerHash(hmacKey: Uint8Array, iss: string, sub: string): string {
  return hmacHex(hmacKey, JSON.stringify(["traveler", iss, sub]), 16);
}
