/**
 * Receipts are signed over exactly what `POST /v1/receipts/verify` receives, so that any holder of
 * the key can check them locally: the canonical form is the RFC 8785 JSON of {issued_at, issuer,
 * kind, subject}, `signature` its HMAC-SHA256 in base64url and `payload_hash` its SHA-256.
 * `issued_at` is signed as the exact string. `signatures` holds an ES256 signature of the same
 * bytes, which the published key verifies.
 */
import {
  createHash,
  createHmac,
  createPublicKey,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { canonicalJson } from "../core/canonical.ts";
import type { Receipt, ReceiptSignature } from "../core/outcomes.ts";
import { keyPairOf, type PublicKey } from "./receipt-key-pair.ts";

export interface ReceiptKeys {
  /** The `kid` that signs; the others verify older receipts. */
  readonly active: string;
  /** By `kid`, at least 32 random bytes each. */
  readonly keys: Readonly<Record<string, Uint8Array>>;
}

/** Anything in the form of a receipt's content. */
export type Statement = Pick<ReceiptCandidate, "kind" | "issuer" | "issued_at" | "subject">;

export type ReceiptContent = Pick<Receipt, "kind" | "issuer" | "issued_at" | "subject">;

/** What a caller presents: only the content and the signature are required. */
export interface ReceiptCandidate {
  readonly kind: string;
  readonly issuer: string;
  readonly issued_at: string;
  readonly subject: Readonly<Record<string, string | number>>;
  readonly signature: string;
  readonly payload_hash?: string;
  readonly algorithm?: string;
  readonly kid?: string;
  readonly signatures?: readonly { alg: string; kid: string; signature: string }[];
}

/** Fixed length, as in JWS (RFC 7518 §3.4). */
const ENCODING = "ieee-p1363";

function canonicalForm(content: Statement): string {
  const { issued_at, issuer, kind, subject } = content;
  return canonicalJson({ issued_at, issuer, kind, subject });
}

function payloadHash(canonical: string): string {
  return `sha256:${createHash("sha256").update(canonical).digest("hex")}`;
}

function signatureOf(key: Uint8Array, canonical: string): string {
  return createHmac("sha256", key).update(canonical).digest("base64url");
}

function publicSignatureOf(key: Uint8Array, canonical: string): ReceiptSignature {
  const { privateKey, publicKey } = keyPairOf(key);
  const bytes = sign("sha256", Buffer.from(canonical), { key: privateKey, dsaEncoding: ENCODING });
  return { alg: "ES256", kid: publicKey.kid, signature: bytes.toString("base64url") };
}

/** Whether it is an ES256 signature by the pair of that receipt key, in canonical base64url. */
function isPublicSignature(
  { alg, kid, signature }: { alg: string; kid: string; signature: string },
  key: Uint8Array,
  canonical: string,
): boolean {
  const { publicKey } = keyPairOf(key);
  if (alg !== "ES256" || kid !== publicKey.kid) return false;
  const bytes = Buffer.from(signature, "base64url");
  if (bytes.toString("base64url") !== signature) return false;
  const { kty, crv, x, y } = publicKey;
  const verifying = createPublicKey({ format: "jwk", key: { kty, crv, x, y } });
  return verify("sha256", Buffer.from(canonical), { key: verifying, dsaEncoding: ENCODING }, bytes);
}

/** The public keys of all receipt keys, the active one first. */
export function publicReceiptKeys({ active, keys }: ReceiptKeys): readonly PublicKey[] {
  const byAge = Object.keys(keys).sort((a, b) => Number(b === active) - Number(a === active));
  return byAge.map((kid) => keyPairOf(keys[kid]!).publicKey);
}

/** Whether a stored receipt's `payload_hash` is that of its content; needs no key. */
export function hasOwnHash(receipt: Receipt): boolean {
  return payloadHash(canonicalForm(receipt)) === receipt.payload_hash;
}

/** Compares the texts, not their bytes: base64url has several spellings of the same bytes. */
function matches(presented: string, expected: string): boolean {
  const a = Buffer.from(presented);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Signs with the active key. Throws when that key is missing or the content is not I-JSON. */
export function signReceipt(keys: ReceiptKeys, content: ReceiptContent): Receipt {
  const key = keys.keys[keys.active];
  if (key === undefined) throw new Error(`no receipt key ${keys.active}`);
  const canonical = canonicalForm(content);
  return {
    kind: content.kind,
    issuer: content.issuer,
    issued_at: content.issued_at,
    subject: content.subject,
    payload_hash: payloadHash(canonical),
    algorithm: "HS256",
    kid: keys.active,
    signature: signatureOf(key, canonical),
    signatures: [publicSignatureOf(key, canonical)],
  };
}

/**
 * Signs a statement that is not a receipt in the same form, for readers with only the published
 * keys. Its `kind` distinguishes it from receipts.
 */
export function signStatement(keys: ReceiptKeys, content: Statement) {
  const key = keys.keys[keys.active];
  if (key === undefined) throw new Error(`no receipt key ${keys.active}`);
  const canonical = canonicalForm(content);
  const signatures = [publicSignatureOf(key, canonical)];
  return { ...content, payload_hash: payloadHash(canonical), signatures };
}

/**
 * Checks a presented receipt with the key that it names, else with every key; `kid` is the one that
 * fits. `payload_hash`, `algorithm` and `signatures` are optional but must agree.
 */
export function verifyReceipt(
  keys: ReceiptKeys,
  candidate: ReceiptCandidate,
): { valid: boolean; kid: string | null } {
  const invalid = { valid: false, kid: null };
  let canonical: string;
  try {
    canonical = canonicalForm(candidate);
  } catch {
    // Not I-JSON (a lone surrogate, a number beyond double range): such content is never signed.
    return invalid;
  }
  if (candidate.algorithm !== undefined && candidate.algorithm !== "HS256") return invalid;
  const hash = candidate.payload_hash;
  if (hash !== undefined && hash !== payloadHash(canonical)) return invalid;
  for (const [kid, key] of Object.entries(keys.keys)) {
    if (candidate.kid !== undefined && candidate.kid !== kid) continue;
    if (!matches(candidate.signature, signatureOf(key, canonical))) continue;
    const { signatures = [] } = candidate;
    const agree = signatures.every((each) => isPublicSignature(each, key, canonical));
    return agree ? { valid: true, kid } : invalid;
  }
  return invalid;
}
