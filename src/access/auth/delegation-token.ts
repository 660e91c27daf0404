/** Strict parsing of a compact JWS, before any cryptography (RFC 7515 §5.2). */
import { parseJson } from "../../lib/json.ts";

const BYTES_MAX = 8 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type JsonObject = Readonly<Record<string, unknown>>;

export interface TokenParts {
  readonly token: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
}

/** Headers that supply a key or demand extensions. */
const FORBIDDEN_HEADERS = ["crit", "jwk", "jku", "x5u", "x5c"] as const;

/** True for canonical base64url: no padding, no unused bits. */
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
 * Header and payload of a compact JWS, unverified. Null when over 8 KiB, not three base64url parts
 * with two JSON objects, or nested (`cty: JWT`). The signature may be empty: the algorithm check
 * rejects unsecured tokens.
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

/** True for headers that no token may have here (RFC 8725 §3.10). */
export function hasForbiddenHeader(header: JsonObject): boolean {
  return FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name));
}
