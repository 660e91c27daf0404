/** The traveler's consent as the service takes it: a JWT signed with the issuer's key. */
import { base64url, bytesOfBase64 } from "./base64.ts";

/** A private key as JSON (RFC 7517). */
export interface PrivateJwk {
  readonly kty: string;
  readonly kid?: string | undefined;
  readonly [parameter: string]: unknown;
}

/** A key as `crypto.subtle` has it, as a JSON Web Key, or as PEM (PKCS #8). */
export type PrivateKey = CryptoKey | PrivateJwk | string;

export interface DelegationOptions {
  readonly privateKey: PrivateKey;
  /** Which of the issuer's keys it is; that of a JSON Web Key unless given. */
  readonly keyId?: string | undefined;
  /** ES256 for keys on P-256, RS256 for RSA; read off the key, and of PEM ES256 unless given. */
  readonly algorithm?: "ES256" | "RS256" | undefined;
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

function algorithmOf(key: PrivateKey): Algorithm {
  if (typeof key === "string") return "ES256";
  const isRsa = "kty" in key ? key.kty === "RSA" : key.algorithm.name.startsWith("RSA");
  return isRsa ? "RS256" : "ES256";
}

async function imported(key: PrivateKey, algorithm: Algorithm): Promise<CryptoKey> {
  const { subtle } = crypto;
  if (typeof key === "string") {
    const text = key.replace(/-----[A-Z ]+-----|\s/g, "");
    return subtle.importKey("pkcs8", bytesOfBase64(text), ALGORITHMS[algorithm], false, ["sign"]);
  }
  if (!("kty" in key)) return key as CryptoKey;
  // What else stands in a key, like `use`, is not for importing it.
  const known = Object.fromEntries(Object.entries(key).filter(([name]) => PARTS.has(name)));
  return subtle.importKey("jwk", known, ALGORITHMS[algorithm], false, ["sign"]);
}

/** A token for `X-Delegated-User`, with an id of its own. */
export async function mintDelegation(options: DelegationOptions): Promise<string> {
  const { privateKey, issuer, subject, audience, ttlS = TTL_S, holdId, maxAmountMinor } = options;
  const alg = options.algorithm ?? algorithmOf(privateKey);
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
