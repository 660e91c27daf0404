/**
 * A second verifier of delegation tokens, written from the contract alone and with other means than
 * the service's own: where the two differ, one of them is wrong.
 */
import { isUtf8 } from "node:buffer";
import { KeyObject, verify } from "node:crypto";
import type { CryptoKey } from "jose";
import { ELSEWHERE, ES_ONLY, type Forger, ISS, type Json, NEIGHBOUR } from "./forger.ts";

/** Whole groups of four, or a rest whose last character has no bits to spare (RFC 4648 §3.5). */
const BASE64URL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;
const SKEW_S = 60;
const TTL_MAX_S = 600;

/** What a token that is consent may call itself. */
const TYPES = ["jwt", "delegation+jwt", "application/jwt", "application/delegation+jwt"];

type Alg = "ES256" | "RS256";

function decoded(part: string): Json | null {
  const bytes = Buffer.from(part, "base64url");
  if (!isUtf8(bytes)) return null;
  try {
    const value = JSON.parse(bytes.toString("utf8"));
    // Half a surrogate pair survives only as an escape, which serialization brings back.
    if (/\\ud[89a-f]/.test(JSON.stringify(value).replaceAll("\\\\", ""))) return null;
    return Object.prototype.toString.call(value) === "[object Object]" ? value : null;
  } catch {
    return null;
  }
}

function badClaim({ iss, sub, aud, exp, nbf, iat }: Json): string | null {
  const isName = (value: unknown) => typeof value === "string" && value.length > 0;
  const isTime = (value: unknown) => Number.isFinite(value);
  if (!isName(iss)) return "iss";
  if (!isName(sub)) return "sub";
  const isList = Array.isArray(aud) && aud.length > 0 && aud.every(isName);
  if (!isName(aud) && !isList) return "aud";
  if (!isTime(exp)) return "exp";
  if (nbf !== undefined && !isTime(nbf)) return "nbf";
  return iat !== undefined && !isTime(iat) ? "iat" : null;
}

function badBound({ azp, client_id, hold_id, max_amount }: Json): string | null {
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  if (azp !== undefined && !isText(azp)) return "azp";
  if (client_id !== undefined && !isText(client_id)) return "client_id";
  if (hold_id !== undefined && (typeof hold_id !== "string" || !hold_id)) return "hold_id";
  return max_amount === undefined || Number.isSafeInteger(max_amount) ? null : "max_amount";
}

function badTime(claims: Json, nowS: number): string | null {
  const { exp, nbf, iat } = claims as Record<string, number | undefined>;
  if (nbf !== undefined && nbf - nowS > SKEW_S) return "nbf";
  if (iat !== undefined && iat - nowS > SKEW_S) return "iat";
  return exp! - (iat ?? nbf ?? nowS + SKEW_S) > TTL_MAX_S ? "max_ttl_s" : null;
}

export class Oracle {
  readonly #keys: Readonly<Record<string, Readonly<Record<string, CryptoKey>>>>;
  readonly #audience: string;
  readonly #agentId: string;
  readonly #nowS: () => number;

  constructor(forger: Forger, nowS: () => number) {
    const own = { "es ES256": forger.es.publicKey, "rs RS256": forger.rs.publicKey };
    const neighbour = { "neighbour ES256": forger.neighbour.publicKey };
    this.#keys = { [ISS]: own, [ES_ONLY]: own, [ELSEWHERE]: own, [NEIGHBOUR]: neighbour };
    this.#audience = forger.audience;
    this.#agentId = forger.agentId;
    this.#nowS = nowS;
  }

  /** `ok`, `ok, expired`, or what `Forgery.expected` says. */
  judge(token: string): string {
    const parts = token.split(".");
    if (token.length > 8192 || parts.length !== 3) return "bad_signature";
    if (!parts.every((part) => BASE64URL.test(part))) return "bad_signature";
    const [header, claims] = parts.slice(0, 2).map(decoded);
    if (!header || !claims) return "bad_signature";
    if (String(header.cty ?? "").toUpperCase() === "JWT") return "bad_signature";
    const { alg } = header;
    const isAllowed = alg === "ES256" || (alg === "RS256" && claims.iss !== ES_ONLY);
    if (!isAllowed) return "unsupported_algorithm";
    const missing = badClaim(claims);
    if (missing) return `missing_claim ${missing}`;
    const iss = claims.iss as string;
    const keys = Object.hasOwn(this.#keys, iss) ? this.#keys[iss] : undefined;
    if (!keys) return "issuer_unknown";
    return this.#judgeSigned(parts as [string, string, string], header, alg, claims, keys);
  }

  #judgeSigned(
    parts: readonly [string, string, string],
    header: Json,
    alg: Alg,
    claims: Json,
    keys: Readonly<Record<string, CryptoKey>>,
  ): string {
    if (["crit", "jwk", "jku", "x5u", "x5c"].some((name) => name in header)) return "bad_signature";
    if (!this.#isSigned(parts, header.kid, alg, keys)) return "bad_signature";
    const isConsent = typeof header.typ === "string" && TYPES.includes(header.typ.toLowerCase());
    if ("typ" in header && !isConsent) return "audience_mismatch typ";
    const audiences = [claims.aud].flat();
    if (claims.iss === ELSEWHERE || !audiences.includes(this.#audience)) {
      return "audience_mismatch aud";
    }
    const bound = badBound(claims);
    if (bound) return `audience_mismatch ${bound}`;
    const nowS = this.#nowS();
    const time = badTime(claims, nowS);
    if (time) return `expired ${time}`;
    for (const name of ["azp", "client_id"]) {
      if (name in claims && claims[name] !== this.#agentId) return `audience_mismatch ${name}`;
    }
    return Number(claims.exp) <= nowS - SKEW_S ? "ok, expired" : "ok";
  }

  #isSigned(
    [header, payload, signature]: readonly [string, string, string],
    kid: unknown,
    alg: Alg,
    keys: Readonly<Record<string, CryptoKey>>,
  ): boolean {
    const name = Object.keys(keys).find((each) =>
      kid === undefined ? each.endsWith(` ${alg}`) : each === `${kid} ${alg}`,
    );
    if (name === undefined || (kid !== undefined && typeof kid !== "string")) return false;
    const key = { key: KeyObject.from(keys[name]!), dsaEncoding: "ieee-p1363" } as const;
    return verify(
      "sha256",
      Buffer.from(`${header}.${payload}`),
      key,
      Buffer.from(signature, "base64url"),
    );
  }
}
