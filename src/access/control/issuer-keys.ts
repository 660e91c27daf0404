/**
 * Verification keys of delegation issuers, imported once and cached. A static key set lives as long
 * as its issuer record. A remote one is fresh for 5 minutes, is fetched once more for an unknown
 * `kid` (at most every 30 s, so that forged tokens cannot make us hammer the issuer), and outlives
 * an unreachable issuer by up to an hour. A JWKS URL is entered by the tenant's operator, so every
 * fetch is guarded (`guarded-fetch.ts`).
 */
import { type CryptoKey, compactVerify, importJWK, type JWK } from "jose";
import { GenerationalCache } from "../../../engine/core/generational-cache.ts";
import type { GuardTerms } from "../../../jobs/net/address-guard.ts";
import type { DelegationAlg, Issuer } from "./issuers.ts";
import { fetchJwks } from "./jwks-fetch.ts";

const FRESH_MS = 5 * 60_000;
const STALE_MS = 60 * 60_000;
const UNKNOWN_KID_COOLDOWN_MS = 30_000;
const FAILURE_COOLDOWN_MS = 10_000;
/** Tokens of one key: a traveler's is sent with each call of a booking. */
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
  /** Instants in epoch milliseconds; -Infinity for never. */
  loadedAt: number;
  failedAt: number;
  refetchedAt: number;
  /** The load under way, shared by everyone who needs it. */
  loading: Promise<void> | null;
}

export interface KeyWanted {
  readonly alg: DelegationAlg;
  /** Null when the token names none: then the set must hold exactly one key of the algorithm. */
  readonly kid: string | null;
}

/**
 * What a JWK can verify, or null: other types, other uses, keys bound to other algorithms, and keys
 * that were published with their private half, with which anyone can sign.
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
    // One malformed key must not take the others with it.
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
  /** Digests of tokens that a key has signed; they go with it, also when it is fetched anew. */
  readonly #signed = new WeakMap<CryptoKey, GenerationalCache<string, true>>();

  /** `terms` say which addresses key sets may be fetched from. */
  constructor(terms: GuardTerms) {
    this.#terms = terms;
  }

  /**
   * The key that should verify a token of the issuer: null when its set has none (or several) that
   * fit, `"unavailable"` when the set cannot be had and no copy younger than an hour exists.
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
   * Whether a compact JWS is signed by a key that `find` gave, with its algorithm. That a signature
   * is good stays true, so it is looked at once: 2 µs for a token that was seen before, 80 µs for a
   * new one. What a token says, and until when, is not asked here.
   */
  async isSignedBy(token: string, key: CryptoKey, alg: DelegationAlg): Promise<boolean> {
    const signed = this.#signed.get(key) ?? new GenerationalCache(TOKENS_KNOWN);
    this.#signed.set(key, signed);
    const digest = new Bun.CryptoHasher("sha256").update(`${alg} ${token}`).digest("base64url");
    if (signed.get(digest)) return true;
    try {
      await compactVerify(token, key, { algorithms: [alg] });
    } catch {
      // Whatever was thrown, the signature is not shown to be good.
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

  /** Never rejects: a failure is noted and the keys of the last success stay. */
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
