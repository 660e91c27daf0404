/**
 * Authenticated encryption of stored secrets. Ciphertexts are bound to a context, so that none can
 * be moved.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyVersions } from "./key-versions.ts";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * base64url of nonce, ciphertext and tag (NIST SP 800-38D). `key` is 32 bytes; decryption needs the
 * same `context`.
 */
export function encrypt(key: Uint8Array, plain: Uint8Array, context: readonly string[]): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(JSON.stringify(context)));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

/** Reverses `encrypt`. Throws when text, key or context differ. */
export function decrypt(key: Uint8Array, encrypted: string, context: readonly string[]): Buffer {
  const bytes = Buffer.from(encrypted, "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error("encrypted data is too short");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(JSON.stringify(context)));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([
    decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
    decipher.final(),
  ]);
}

/** Encrypts with the current version; the text begins with its `kid` and a dot. */
export function encryptByVersion(
  versions: KeyVersions,
  plain: Uint8Array,
  context: readonly string[],
): string {
  const { kid, key } = versions.current();
  return `${kid}.${encrypt(key, plain, context)}`;
}

/** Reverses `encryptByVersion`. Throws when the key is unknown or the text was altered. */
export function decryptByVersion(
  versions: KeyVersions,
  encrypted: string,
  context: readonly string[],
): Buffer {
  const dotAt = encrypted.indexOf(".");
  const kid = encrypted.slice(0, Math.max(dotAt, 0));
  const key = versions.find(kid);
  if (key === null) throw new Error(`encrypted under ${kid}, which is not among the keys`);
  return decrypt(key, encrypted.slice(dotAt + 1), context);
}
