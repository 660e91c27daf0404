/**
 * Verification keys of delegation issuers, imported once and cached. A static key set lives as long
 * as its issuer. A remote one is fresh for 5 minutes, is refetched for an unknown `kid` (at most
 * every 30 s, so that forged tokens cannot flood the issuer), and outlives an unreachable issuer by
 * up to an hour. Operators enter JWKS URLs, so every fetch is guarded (`guarded-fetch.ts`).
 */
import { type CryptoKey, compactVerify, importJWK, type JSONWebKeySet, type JWK } from "jose";
import { GenerationalCache } from "../../../engine/core/generational-cache.ts";
import type { GuardTerms } from "../../../jobs/net/address-guard.ts";
import { type FetchTerms, guardedFetch } from "../../../jobs/net/guarded-fetch.ts";
import type { DelegationAlg, Issuer } from "./issuers.ts";

const FRESH_MS = 5 * 60_000;
const STALE_MS = 60 * 60_000;
const UNKNOWN_KID_COOLDOWN_MS = 30_000;
const FAILURE_COOLDOWN_MS = 10_000;
/** Cached tokens per key; a token is sent with each call of a booking. */
const TOKENS_KNOWN = 1_000;
/** RFC 7518 §3.3. */
const RSA_BITS_MIN = 2048;
/** RFC 7518 §6.2.2, §6.3.2, §6.4. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const;

interface VerificationKey {
  readonly kid: string | null;
  readonly alg: DelegationAlg;
  readonly key: CryptoKey;
}

interface KeySet {
  keys: readonly VerificationKey[];
  /** Epoch milliseconds, or -Infinity. */
  loadedAt: number;
  failedAt: number;
  refetchedAt: number;
  /** The pending load, shared by all callers. */
  loading: Promise<void> | null;
}

export interface KeyWanted {
  readonly alg: DelegationAlg;
  /** Null: the set must hold exactly one key of the algorithm. */
  readonly kid: string | null;
}

/**
 * The algorithm a JWK can verify, or null: wrong type or use, another algorithm, or a key published
 * with its private half.
 */
function algorithmOf(jwk: JWK): DelegationAlg | null {
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))) return null;
  const alg =
    jwk.kty === "RSA" ? "RS256" : jwk.kty === "EC" && jwk.crv === "P-256" ? "ES256" : null;
  if (alg === null || (jwk.alg ?? alg) !== alg || (jwk.use ?? "sig") !== "sig") return null;
  if (jwk.key_ops === undefined) return alg;
  return Array.isArray(jwk.key_ops) && jwk.key_ops.includes("verify") ? alg : null;
}

function isStrong({ algorithm }: CryptoKey): boolean {
  if (!("modulusLength" in algorithm)) return true;
  return Number(algorithm.modulusLength) >= RSA_BITS_MIN;
}

async function importKey(jwk: JWK): Promise<VerificationKey | null> {
  try {
    const alg = algorithmOf(jwk);
    if (alg === null) return null;
    const { kty = "", crv = "", x = "", y = "", n = "", e = "" } = jwk;
    const key = await importJWK(alg === "RS256" ? { kty, n, e } : { kty, crv, x, y }, alg);
    if (key instanceof Uint8Array || !isStrong(key)) return null;
    return { kid: jwk.kid ?? null, alg, key };
  } catch {
    // A malformed key must not invalidate the others.
    return null;
  }
}

function pick(set: KeySet, wanted: KeyWanted): CryptoKey | null {
  const fitting = set.keys.filter(
    (key) => key.alg === wanted.alg && (wanted.kid === null || key.kid === wanted.kid),
  );
  return fitting.length === 1 ? (fitting[0]?.key ?? null) : null;
}

export class IssuerKeys {
  readonly #terms: GuardTerms;
  readonly #sets = new WeakMap<Issuer, KeySet>();
  /** Digests of verified tokens per key; dropped with the key. */
  readonly #signed = new WeakMap<CryptoKey, GenerationalCache<string, true>>();

  /** `terms`: the addresses that may be fetched. */
  constructor(terms: GuardTerms) {
    this.#terms = terms;
  }

  /**
   * The key to verify a token with: null when none or several match, `"unavailable"` when the set
   * cannot be fetched and no copy is younger than an hour.
   */
  async find(
    issuer: Issuer,
    wanted: KeyWanted,
    nowMs: number,
  ): Promise<CryptoKey | null | "unavailable"> {
    const set = this.#setOf(issuer);
    const age = nowMs - set.loadedAt;
    const fresh = age < FRESH_MS || (issuer.jwks !== null && age < Infinity);
    if (!fresh && nowMs - set.failedAt >= FAILURE_COOLDOWN_MS) await this.#load(issuer, set, nowMs);
    if (issuer.jwks === null && nowMs - set.loadedAt >= STALE_MS) return "unavailable";
    const key = pick(set, wanted);
    if (key !== null || !fresh || issuer.jwks !== null || wanted.kid === null) return key;
    const allowed = nowMs - set.refetchedAt >= UNKNOWN_KID_COOLDOWN_MS;
    if (!allowed && set.loading === null) return null;
    if (allowed) set.refetchedAt = nowMs;
    await this.#load(issuer, set, nowMs);
    return pick(set, wanted);
  }

  /**
   * Whether a compact JWS is signed by a key of `find`. A good signature is cached: 2 µs for a
   * known token, 80 µs for a new one. Claims are not checked.
   */
  async isSignedBy(token: string, key: CryptoKey, alg: DelegationAlg): Promise<boolean> {
    const signed = this.#signed.get(key) ?? new GenerationalCache(TOKENS_KNOWN);
    this.#signed.set(key, signed);
    const digest = new Bun.CryptoHasher("sha256").update(`${alg} ${token}`).digest("base64url");
    if (signed.get(digest)) return true;
    try {
      await compactVerify(token, key, { algorithms: [alg] });
    } catch {
      // Any error means the signature is not verified.
      return false;
    }
    signed.set(digest, true);
    return true;
  }

  #setOf(issuer: Issuer): KeySet {
    const known = this.#sets.get(issuer);
    if (known !== undefined) return known;
    const never = -Infinity;
    const set = { keys: [], loadedAt: never, failedAt: never, refetchedAt: never, loading: null };
    this.#sets.set(issuer, set);
    return set;
  }

  /** Never rejects: on failure the last keys stay. */
  #load(issuer: Issuer, set: KeySet, nowMs: number): Promise<void> {
    set.loading ??= this.#loadOnce(issuer, set, nowMs).finally(() => {
      set.loading = null;
    });
    return set.loading;
  }

  async #loadOnce(issuer: Issuer, set: KeySet, nowMs: number): Promise<void> {
    const jwks = issuer.jwks ?? (await fetchJwks(issuer.jwks_url ?? "", this.#terms));
    if (jwks === null) {
      set.failedAt = nowMs;
      return;
    }
    const keys = await Promise.all(jwks.keys.map(importKey));
    set.keys = keys.filter((key) => key !== null);
    set.loadedAt = nowMs;
  }
}

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
 * The key set, or null for anything but a 200 with at most 64 KiB and 100 keys within 3 s from an
 * allowed host.
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
