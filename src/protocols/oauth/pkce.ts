/** Proof keys for code exchange (RFC 7636); only S256, as OAuth 2.1 and MCP ask. */
import { timingSafeEqual } from "node:crypto";

/** SHA-256 in base64url: 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a client may send it as `code_challenge`. */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether the verifier is the one of the challenge, in constant time. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(Bun.SHA256.hash(verifier, "base64url") as string);
  const known = Buffer.from(challenge);
  return made.length === known.length && timingSafeEqual(made, known);
}
