/** One bounded fetch of an issuer's JSON Web Key Set (RFC 7517). */
import type { JSONWebKeySet } from "jose";

const TIMEOUT_MS = 3000;
const BYTES_MAX = 64 * 1024;
const KEYS_MAX = 100;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function assertFetchable(url: URL, allowHttp: boolean): void {
  if (url.protocol === "https:") return;
  if (allowHttp && url.protocol === "http:" && LOOPBACK.test(url.hostname)) return;
  throw new Error("a JWKS URL must be https");
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BYTES_MAX) throw new Error(`the key set is larger than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== "object" || value === null || !("keys" in value)) return false;
  const { keys } = value;
  if (!Array.isArray(keys) || keys.length > KEYS_MAX) return false;
  return keys.every((key) => typeof key === "object" && key !== null && !Array.isArray(key));
}

/**
 * Fetches a key set: https (or http on loopback when `allowHttp`), no redirects, 3 s, 64 KiB, at
 * most 100 keys. Throws on anything else than a 200 with a key set.
 */
export async function fetchJwks(address: string, allowHttp: boolean): Promise<JSONWebKeySet> {
  const url = new URL(address);
  assertFetchable(url, allowHttp);
  const response = await fetch(url, {
    headers: { accept: "application/jwk-set+json, application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`the key set answered ${response.status}`);
  const value: unknown = JSON.parse(await readBounded(response));
  if (!isKeySet(value)) throw new Error("the answer is not a key set");
  return value;
}
