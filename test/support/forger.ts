/**
 * Issuers of delegation tokens with their keys, and the means to sign, misspell and forge their
 * tokens. Every token is made from one good one, so that it is wrong in the one point under test.
 */
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { addIssuer } from "../../src/access/control/issuers.ts";
import type { ControlStore } from "../../src/access/control/store.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** The issuer that good tokens are from. */
export const ISS = "https://issuer.example";
export const SUSPENDED = "https://suspended.example";
export const REVOKED = "https://revoked.example";
export const ES_ONLY = "https://es-only.example";
/** Its audiences are other platforms. */
export const ELSEWHERE = "https://elsewhere.example";
/** Has another key than the others. */
export const NEIGHBOUR = "https://neighbour.example";
/** Registered with another tenant. */
export const FOREIGN = "https://other-tenant.example";

/** base64url of text or bytes, or of a value's JSON. */
export function b64(value: unknown): string {
  const isRaw = typeof value === "string" || value instanceof Uint8Array;
  return Buffer.from(isRaw ? value : JSON.stringify(value)).toString("base64url");
}

function newPair(alg: "ES256" | "RS256"): Promise<KeyPair> {
  return generateKeyPair(alg, { extractable: true });
}

export class Forger {
  readonly audience: string;
  /** Who presents the tokens. */
  readonly agentId: string;
  readonly #nowS: () => number;
  /** Keys of the issuers; nobody knows those of the strangers. */
  readonly es: KeyPair;
  readonly rs: KeyPair;
  readonly neighbour: KeyPair;
  readonly stranger: KeyPair;
  readonly strangerRs: KeyPair;
  readonly esPublic: JWK;
  readonly rsPublic: JWK;
  readonly neighbourPublic: JWK;

  private constructor(
    audience: string,
    agentId: string,
    nowS: () => number,
    pairs: readonly KeyPair[],
    jwks: readonly JWK[],
  ) {
    this.audience = audience;
    this.agentId = agentId;
    this.#nowS = nowS;
    [this.es, this.rs, this.neighbour, this.stranger, this.strangerRs] = pairs as [
      KeyPair,
      KeyPair,
      KeyPair,
      KeyPair,
      KeyPair,
    ];
    [this.esPublic, this.rsPublic, this.neighbourPublic] = jwks as [JWK, JWK, JWK];
  }

  /**
   * Makes all keys. `audience` is the platform's and the name that it signs its own tokens by,
   * `agentId` who presents the tokens, `nowS` the verifier's clock.
   */
  static async open(audience: string, agentId: string, nowS: () => number): Promise<Forger> {
    const algs = ["ES256", "RS256", "ES256", "ES256", "RS256"] as const;
    const pairs = await Promise.all(algs.map(newPair));
    const kids = ["es", "rs", "neighbour"];
    const jwks = await Promise.all(
      kids.map(async (kid, i) => ({
        ...(await exportJWK(pairs[i]!.publicKey)),
        ...{ kid, alg: algs[i]!, use: "sig" },
      })),
    );
    return new Forger(audience, agentId, nowS, pairs, jwks);
  }

  /** Registers the issuers above with a tenant, and one with another tenant. */
  register(store: ControlStore, tenantId: string, otherTenantId: string): void {
    const encryption = { ...this.rsPublic, kid: "enc", use: "enc", alg: "RSA-OAEP-256" };
    const jwks = { keys: [this.esPublic, this.rsPublic, encryption] };
    const terms = { allowed_audiences: [this.audience], jwks };
    const add = (iss: string, more: object = {}, tenant = tenantId) =>
      addIssuer(store, { tenant_id: tenant, mode: "live" }, { iss, name: iss, ...terms, ...more });
    add(ISS);
    add(SUSPENDED, { status: "suspended" });
    add(REVOKED, { status: "revoked" });
    add(ES_ONLY, { allowed_algs: ["ES256"] });
    add(ELSEWHERE, { allowed_audiences: ["https://elsewhere.example"] });
    // As it could be registered before that was refused.
    add(this.audience);
    add(NEIGHBOUR, { jwks: { keys: [this.neighbourPublic] } });
    add(FOREIGN, {}, otherTenantId);
  }

  /** Claims that nothing is wrong with. */
  goodClaims(): Json {
    const iat = this.#nowS();
    const aud = this.audience;
    return { iss: ISS, sub: "traveler-1", aud, exp: iat + 300, iat, jti: "j1" };
  }

  /** Seconds from now as an instant of a claim. */
  at(seconds: number): number {
    return this.#nowS() + seconds;
  }

  /** The good token with other claims or headers (undefined leaves one out), signed by `pair`. */
  sign(claims: Json = {}, header: Json = {}, pair?: KeyPair): Promise<string> {
    const alg = header.alg === "RS256" ? "RS256" : "ES256";
    const known = alg === "RS256" ? this.rs : this.es;
    const kid = alg === "RS256" ? "rs" : "es";
    return new SignJWT({ ...this.goodClaims(), ...claims })
      .setProtectedHeader({ alg, kid, ...header } as { alg: string })
      .sign((pair ?? known).privateKey, { crit: { "urn:x": true } });
  }

  /** Signs two parts as they are, whatever they say. */
  async signParts(header: string, payload: string, pair = this.es): Promise<string> {
    const text = `${header}.${payload}`;
    const { name } = pair.privateKey.algorithm;
    const algorithm = name === "ECDSA" ? { name, hash: "SHA-256" } : { name };
    const bytes = await crypto.subtle.sign(algorithm, pair.privateKey, Buffer.from(text));
    return `${text}.${b64(new Uint8Array(bytes))}`;
  }

  /** A token that nobody has signed. */
  unsigned(header: unknown, payload: unknown = this.goodClaims(), signature = "AAAA"): string {
    return `${b64(header)}.${b64(payload)}.${signature}`;
  }

  /** A good token with some of its three parts replaced. */
  async withParts(change: (parts: [string, string, string]) => readonly string[]): Promise<string> {
    const parts = (await this.sign()).split(".") as [string, string, string];
    return change(parts).join(".");
  }
}
