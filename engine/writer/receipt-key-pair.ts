/**
 * The key pair of a receipt key: with its public half anyone can verify a receipt offline.
 *
 * The pair is derived from the receipt key, so both always belong together, whether the key comes
 * from a file or from the environment. The receipt key never leaves the installation and cannot be
 * computed from the pair.
 */
import { createECDH, createHash, createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import { canonicalJson } from "../core/canonical.ts";

/** A public key on the curve P-256 as it is published (RFC 7517). */
export interface PublicKey {
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: PublicKey;
}

/** The order of P-256 (SEC 2, §2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const COORDINATE_BYTES = 32;
/** Half as long again as a scalar, so that the remainder has no bias (FIPS 186-5, A.2.1). */
const WIDE_BYTES = 48;
const PURPOSE = "innkeep receipt ES256 v1";

const derived = new WeakMap<Uint8Array, KeyPair>();

/** The pair of a receipt key; derived once per key, whose bytes must not change. */
export function keyPairOf(receiptKey: Uint8Array): KeyPair {
  let pair = derived.get(receiptKey);
  if (!pair) {
    pair = derive(receiptKey);
    derived.set(receiptKey, pair);
  }
  return pair;
}

function derive(receiptKey: Uint8Array): KeyPair {
  const wide = Buffer.from(hkdfSync("sha256", receiptKey, "", PURPOSE, WIDE_BYTES));
  const scalar = (BigInt(`0x${wide.toString("hex")}`) % (ORDER - 1n)) + 1n;
  const secret = Buffer.from(scalar.toString(16).padStart(2 * COORDINATE_BYTES, "0"), "hex");
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  // Uncompressed: a marker byte, then both coordinates.
  const point = curve.getPublicKey().subarray(1);
  const key = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(0, COORDINATE_BYTES).toString("base64url"),
    y: point.subarray(COORDINATE_BYTES).toString("base64url"),
  } as const;
  const jwk = { ...key, d: secret.toString("base64url") };
  return {
    privateKey: createPrivateKey({ format: "jwk", key: jwk }),
    publicKey: { kid: thumbprint(key), alg: "ES256", use: "sig", ...key },
  };
}

/** RFC 7638. */
function thumbprint(key: Pick<PublicKey, "kty" | "crv" | "x" | "y">): string {
  return createHash("sha256").update(canonicalJson(key)).digest("base64url");
}
