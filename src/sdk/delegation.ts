/** The traveler's consent as the service takes it: a JWT signed with the issuer's key. */
import { base64url, bytesOfBase64 } from "./base64.ts";

/** A private key as JSON (RFC 7517). */
export interface PrivateJwk {
  readonly kty: string;
  readonly kid?: string | undefined;
  readonly [parameter: string]: unknown;
}

/**
 * A key on P-256, which signs as ES256, or of RSA, as RS256: as `crypto.subtle` has it, as a JSON
 * Web Key, or as PEM (PKCS #8).
 */
export type PrivateKey = CryptoKey | PrivateJwk | string;

export interface DelegationOptions {
  readonly privateKey: PrivateKey;
  /** Which of the issuer's keys it is; that of a JSON Web Key unless given. */
  readonly keyId?: string | undefined;
  /** Registered with the service. */
  readonly issuer: string;
  /** The traveler, by your own id. */
  readonly subject: string;
  /** The service. */
  readonly audience: string;
  /** Life in seconds; 300 unless given. */
  readonly ttlS?: number | undefined;
  /** Consent to this hold alone. */
  readonly holdId?: string | undefined;
  /** Consent up to this amount, minor units of the quote's currency. */
  readonly maxAmountMinor?: number | undefined;
}

const TTL_S = 300;
const ALGORITHMS = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
} as const;
/** Of a key of either kind (RFC 7518 §6.2, §6.3). */
const PARTS = new Set(["kty", "crv", "x", "y", "d", "n", "e", "p", "q", "dp", "dq", "qi"]);
type Algorithm = keyof typeof ALGORITHMS;

/** rsaEncryption (RFC 8017, appendix A.1) where it stands in PKCS #8, in base64. */
const RSA_IN_PEM = "ADANBgkqhkiG9w0BAQEF";
const KINDS = "a key on P-256 or of RSA: a CryptoKey, a private JSON Web Key, or PEM of PKCS #8";

/** The base64 in a PEM of PKCS #8; what has other labels is built otherwise. */
function insideOf(pem: string): string {
  const [, text] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(pem) ?? [];
  if (text === undefined) throw new TypeError(`privateKey must be ${KINDS}`);
  return text.replace(/\s/g, "");
}

function algorithmOf(key: PrivateKey): Algorithm {
  if (typeof key === "string") return insideOf(key).includes(RSA_IN_PEM) ? "RS256" : "ES256";
  const { kty, crv, d, algorithm } = key as Partial<PrivateJwk & CryptoKey>;
  const isPrivate = algorithm !== undefined || typeof d === "string";
  if (isPrivate && (kty === "RSA" || algorithm?.name === "RSASSA-PKCS1-v1_5")) return "RS256";
  if (isPrivate && (crv === "P-256" || algorithm?.name === "ECDSA")) return "ES256";
  throw new TypeError(`privateKey must be ${KINDS}`);
}

async function imported(key: PrivateKey, algorithm: Algorithm): Promise<CryptoKey> {
  const { subtle } = crypto;
  if (typeof key === "string") {
    const bytes = bytesOfBase64(insideOf(key));
    return subtle.importKey("pkcs8", bytes, ALGORITHMS[algorithm], false, ["sign"]);
  }
  if (!("kty" in key)) return key as CryptoKey;
  // What else stands in a key, like `use`, is not for importing it.
  const known = Object.fromEntries(Object.entries(key).filter(([name]) => PARTS.has(name)));
  return subtle.importKey("jwk", known, ALGORITHMS[algorithm], false, ["sign"]);
}

/** A token for `X-Delegated-User`, with an id of its own. Throws a `TypeError` of another key. */
export async function mintDelegation(options: DelegationOptions): Promise<string> {
  const { privateKey, issuer, subject, audience, ttlS = TTL_S, holdId, maxAmountMinor } = options;
  const alg = algorithmOf(privateKey);
  const inJwk = typeof privateKey === "object" && "kid" in privateKey ? privateKey.kid : undefined;
  const kid = options.keyId ?? inJwk;
  const iat = Math.floor(Date.now() / 1000);
  const header = { alg, typ: "JWT", ...(kid === undefined ? {} : { kid }) };
  const claims = {
    ...{ iss: issuer, sub: subject, aud: audience, iat, exp: iat + ttlS },
    jti: crypto.randomUUID(),
    ...(holdId === undefined ? {} : { hold_id: holdId }),
    ...(maxAmountMinor === undefined ? {} : { max_amount: maxAmountMinor }),
  };
  const encoder = new TextEncoder();
  const parts = [header, claims].map((each) => base64url(encoder.encode(JSON.stringify(each))));
  const signed = encoder.encode(parts.join("."));
  const key = await imported(privateKey, alg);
  const signature = await crypto.subtle.sign(ALGORITHMS[alg], key, signed);
  return [...parts, base64url(new Uint8Array(signature))].join(".");
}
