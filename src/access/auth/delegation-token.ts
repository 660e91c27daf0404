/** Taking a compact JWS apart, strictly and before any cryptography (RFC 7515 5.2). */
import { parseJson } from "../../lib/json.ts";

const BYTES_MAX = 8 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type JsonObject = Readonly<Record<string, unknown>>;

export interface TokenParts {
  readonly token: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
}

/** Headers that bring or point to a key of the sender's choice, or demand extensions. */
const FORBIDDEN_HEADERS = ["crit", "jwk", "jku", "x5u", "x5c"] as const;

/** True for the one way to write some bytes in base64url: no padding, no bits left over. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

function decodeObject(part: string): JsonObject | null {
  try {
    const value = parseJson(UTF8.decode(Buffer.from(part, "base64url")));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/**
 * The header and payload of a compact JWS, unverified. Null when it is over 8 KiB, not three
 * base64url parts of which two are JSON objects in well-formed text, or a nested token (`cty:
 * JWT`). The signature may be empty: an unsecured token is refused for its algorithm.
 */
export function decodeToken(token: string): TokenParts | null {
  if (token.length > BYTES_MAX) return null;
  const parts = token.split(".");
  if (parts.length !== 3) return null;
  if (!parts.every(isCanonical)) return null;
  const header = decodeObject(parts[0] ?? "");
  const payload = decodeObject(parts[1] ?? "");
  if (header === null || payload === null) return null;
  const { cty } = header;
  if (typeof cty === "string" && cty.toLowerCase() === "jwt") return null;
  return { token, header, payload };
}

/** True when a header asks for something that no token here may ask for (RFC 8725 §3.10). */
export function hasForbiddenHeader(header: JsonObject): boolean {
  return FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name));
}
