/**
 * WebAuthn without attestation: what a browser sends for a new passkey, and for a sign-in by one
 * (Web Authentication Level 3 §7.1 and §7.2). No statement about the authenticator is asked for, so
 * there is nothing of X.509 to check, and a new key is taken as the browser exports it.
 */
import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";

/** Whose passkeys these are: the host of the service, and the origin of its pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Members as base64url. */
export interface SentRegistration {
  readonly id: string;
  readonly client_data: string;
  readonly authenticator_data: string;
  /** SubjectPublicKeyInfo. */
  readonly public_key: string;
}

export interface SentAssertion {
  readonly id: string;
  readonly client_data: string;
  readonly authenticator_data: string;
  readonly signature: string;
}

export interface NewKey {
  readonly passkey_id: string;
  readonly public_key: string;
  readonly counter: number;
}

const HASH_BYTES = 32;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;
/** Bytes of the hash, the flags and the counter. */
const HEAD_BYTES = 37;
const AAGUID_BYTES = 16;
const ID_BYTES_MAX = 1023;
/** The least that is called safe today. */
const RSA_BITS_MIN = 2048;

/** The relying party of a service at this address. */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

/** The challenge that was answered; null when the answer was made for something else. */
export function challengeIn(
  clientData: string,
  type: "webauthn.create" | "webauthn.get",
  { origin }: RelyingParty,
): string | null {
  try {
    const said = JSON.parse(Buffer.from(clientData, "base64url").toString("utf8"));
    const isOurs = said.type === type && said.origin === origin && said.crossOrigin !== true;
    return isOurs && typeof said.challenge === "string"
      ? Buffer.from(said.challenge, "base64url").toString("utf8")
      : null;
  } catch {
    return null;
  }
}

interface AuthenticatorData {
  readonly bytes: Buffer;
  readonly flags: number;
  readonly counter: number;
}

/** Null unless it is of this relying party and of a verified user who was there. */
function readData(text: string, { id }: RelyingParty): AuthenticatorData | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < HEAD_BYTES) return null;
  const isOurs = timingSafeEqual(bytes.subarray(0, HASH_BYTES), sha256(Buffer.from(id)));
  const flags = bytes[HASH_BYTES]!;
  const wanted = USER_PRESENT | USER_VERIFIED;
  if (!isOurs || (flags & wanted) !== wanted) return null;
  return { bytes, flags, counter: bytes.readUInt32BE(HASH_BYTES + 1) };
}

/** The new key; null when it is not of a verified user, or of a kind that is not taken. */
export function registeredKey(sent: SentRegistration, party: RelyingParty): NewKey | null {
  const data = readData(sent.authenticator_data, party);
  if (data === null || (data.flags & HAS_KEY) === 0) return null;
  const idAt = HEAD_BYTES + AAGUID_BYTES;
  if (data.bytes.length < idAt + 2) return null;
  const length = data.bytes.readUInt16BE(idAt);
  const id = data.bytes.subarray(idAt + 2, idAt + 2 + length);
  const isWhole = length > 0 && length <= ID_BYTES_MAX && id.length === length;
  if (!isWhole || id.toString("base64url") !== sent.id) return null;
  if (keyOf(sent.public_key) === null) return null;
  return { passkey_id: sent.id, public_key: sent.public_key, counter: data.counter };
}

/**
 * The counter of an assertion by the key; null when it is none. A counter that does not grow is
 * that of a copy, unless the authenticator has none.
 */
export function assertedCounter(
  sent: SentAssertion,
  { public_key, counter }: Omit<NewKey, "passkey_id">,
  party: RelyingParty,
): number | null {
  const data = readData(sent.authenticator_data, party);
  const key = keyOf(public_key);
  if (data === null || key === null) return null;
  const hasNoCounter = data.counter === 0 && counter === 0;
  if (!hasNoCounter && data.counter <= counter) return null;
  const signed = Buffer.concat([data.bytes, sha256(Buffer.from(sent.client_data, "base64url"))]);
  const signature = Buffer.from(sent.signature, "base64url");
  return verify("sha256", signed, key, signature) ? data.counter : null;
}

/** An ES256 or RS256 key; null for any other. */
function keyOf(text: string): KeyObject | null {
  try {
    const bytes = Buffer.from(text, "base64url");
    const key = createPublicKey({ key: bytes, format: "der", type: "spki" });
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    const isEs256 = key.asymmetricKeyType === "ec" && namedCurve === "prime256v1";
    const isRs256 = key.asymmetricKeyType === "rsa" && modulusLength >= RSA_BITS_MIN;
    return isEs256 || isRs256 ? key : null;
  } catch {
    return null;
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
