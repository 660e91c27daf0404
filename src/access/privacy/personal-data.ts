/**
 * Personal data leaves the api only encrypted: each record gets a fresh data key, each field a
 * random nonce, and each ciphertext is bound to its tenant, command and field. The data key is
 * stored wrapped by the master key; deleting it erases the guest and leaves the ledger whole.
 *
 * Values that are only compared (bodies, travelers, idempotency keys) are HMACs: unlike bare hashes
 * they confirm no guess to a reader of the journal.
 */
import { randomBytes } from "node:crypto";
import type { EncryptedFields } from "../../../engine/core/parties.ts";
import { decrypt, decryptByVersion, encrypt, encryptByVersion } from "./encryption.ts";
import type { KeyVersions } from "./key-versions.ts";

/** The owner of an encrypted record. */
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

/** Encrypts every field under a fresh data key, and wraps that with the current master key. */
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

/** Encrypts more fields under the data key of an earlier record, so that one erasure covers all. */
export function encryptMoreFields(
  masters: KeyVersions,
  binding: EncryptionBinding,
  fields: Readonly<Record<string, string>>,
  wrappedKey: string,
): EncryptedFields {
  return encryptEach(decryptByVersion(masters, wrappedKey, keyContext(binding)), binding, fields);
}

/**
 * Reverses `encryptFields`. Throws when anything was changed, or belongs to another tenant,
 * command, field or master key.
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

/** By key: a hasher that has read its key. Copying it costs a third less than a new one. */
const keyedHashers = new WeakMap<Uint8Array, Bun.CryptoHasher>();

/**
 * The first `bytes` bytes of HMAC-SHA256 over UTF-8 text, in hex. The bytes of `key` must not
 * change.
 */
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

/** Scope of an idempotency key: keys of different agents never collide. */
export interface KeyScope {
  readonly mode: string;
  readonly agent_id: string;
  readonly method: string;
  /** Concrete path without query. */
  readonly path: string;
}

/** The text of a key's scope, for `commandId`. */
export function scopeOf({ mode, agent_id, method, path }: KeyScope): string {
  return `${mode} ${agent_id} ${method} ${path}`;
}

/** Command id: 32 hex characters of (tenant, scope, idempotency key). */
export function commandId(hmacKey: Uint8Array, tenant: string, scope: string, key: string): string {
  return hmacHex(hmacKey, JSON.stringify(["command", tenant, scope, key]), 16);
}

/** Body hash: 32 hex characters of the canonical body (RFC 8785). */
export function bodyHash(hmacKey: Uint8Array, canonical: string): string {
  return hmacHex(hmacKey, `body\n${canonical}`, 16);
}

/** Traveler hash: 32 hex characters of (iss, sub). */
export function travelerHash(hmacKey: Uint8Array, iss: string, sub: string): string {
  return hmacHex(hmacKey, JSON.stringify(["traveler", iss, sub]), 16);
}
