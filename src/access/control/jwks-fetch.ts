/** One bounded and guarded fetch of an issuer's JSON Web Key Set (RFC 7517). */
import type { JSONWebKeySet } from "jose";
import { type FetchTerms, guardedFetch } from "../../../jobs/net/guarded-fetch.ts";

const TIMEOUT_MS = 3000;
const BYTES_MAX = 64 * 1024;
const KEYS_MAX = 100;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== "object" || value === null || !("keys" in value)) return false;
  const { keys } = value;
  if (!Array.isArray(keys) || keys.length > KEYS_MAX) return false;
  return keys.every((key) => typeof key === "object" && key !== null && !Array.isArray(key));
}

/**
 * The key set at an address, or null for anything else than a 200 with at most 64 KiB and 100 keys
 * within 3 s from a host that may be called.
 */
export async function fetchJwks(
  address: string,
  terms: Pick<FetchTerms, "allowPrivate" | "resolve">,
): Promise<JSONWebKeySet | null> {
  const fetched = await guardedFetch(address, {
    ...terms,
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    headers: { accept: "application/jwk-set+json, application/json" },
  });
  if (!fetched.ok || fetched.status !== 200) return null;
  const value = parse(fetched.text);
  return isKeySet(value) ? value : null;
}
