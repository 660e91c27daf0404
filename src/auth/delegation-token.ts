/** Taking a compact JWS apart, strictly and before any cryptography (RFC 7515 5.2). */

const BYTES_MAX = 8 * 1024;
const BASE64URL = /^[A-Za-z0-9_-]*$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

type JsonObject = Readonly<Record<string, unknown>>;

export interface TokenParts {
  readonly token: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
}

function decodeObject(part: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(UTF8.decode(Buffer.from(part, "base64url")));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/**
 * The header and payload of a compact JWS, unverified. Null when it is over 8 KiB, not three
 * base64url parts of which two are JSON objects, or a nested token (`cty: JWT`). The signature may
 * be empty: an unsecured token is refused for its algorithm.
 */
export function decodeToken(token: string): TokenParts | null {
  if (token.length > BYTES_MAX) return null;
  const parts = token.split(".");
  if (parts.length !== 3) return null;
  if (!parts.every((part) => BASE64URL.test(part) && part.length % 4 !== 1)) return null;
  const header = decodeObject(parts[0] ?? "");
  const payload = decodeObject(parts[1] ?? "");
  if (header === null || payload === null) return null;
  const { cty } = header;
  if (typeof cty === "string" && cty.toLowerCase() === "jwt") return null;
  return { token, header, payload };
}
