/**
 * Access tokens: JWTs by RFC 9068 that this service mints and accepts. Claims are fixed at minting;
 * revocation is checked against the control plane on every use.
 */
import { compactVerify, SignJWT } from "jose";
import { ACCESS_TOKEN_TTL_S } from "../control/signing-keys.ts";
import { decodeToken, hasForbiddenHeader, type TokenParts } from "./delegation-token.ts";
import type { KeyRing } from "./key-ring.ts";

const ALGORITHM = "RS256";
const TYPE = "at+jwt";
/** Allowed clock difference between processes. */
const SKEW_S = 5;
/** About 10 MB; the oldest go first. */
const KNOWN_MAX = 10_000;

/** Audiences other than the service as a whole. */
export type Resource = "mcp";

/** Audience and rights of a token. */
export interface Grant {
  readonly agentId: string;
  readonly credentialId: string;
  readonly tenantId: string;
  readonly mode: string;
  readonly scopes: readonly string[];
  /** From `audienceOf`. */
  readonly audience: string;
}

/** Claims of a verified token; instants in seconds. */
export interface AccessClaims {
  readonly iss: string;
  readonly sub: string;
  readonly client_id: string;
  readonly aud: string;
  readonly exp: number;
  readonly iat: number;
  readonly nbf?: number;
  readonly jti: string;
  readonly scope: string;
  readonly credential_id: string;
  readonly tenant_id: string;
  readonly mode: string;
}

/** A verified token; the same object for the same token while it is cached. */
export interface AccessToken {
  readonly kid: string;
  readonly claims: AccessClaims;
  readonly scopes: ReadonlySet<string>;
}

export type TokenFault = "malformed_credential" | "token_invalid" | "token_expired";

const TEXT_CLAIMS = [
  ...["sub", "client_id", "aud", "jti", "scope", "credential_id", "tenant_id", "mode"],
];

/** Mints and verifies access tokens. */
export class AccessTokens {
  readonly #ring: KeyRing;
  readonly #issuer: string;
  /** The default audience: the service as a whole. */
  readonly #base: string;
  readonly #mcp: string;
  /** By SHA-256 of the token; a cached token costs one look-up. */
  readonly #known = new Map<string, AccessToken>();

  /** `baseUrl` and `issuer` have no trailing slash. */
  constructor(ring: KeyRing, issuer: string, baseUrl: string) {
    this.#ring = ring;
    this.#issuer = issuer;
    this.#base = baseUrl;
    this.#mcp = `${baseUrl}/mcp`;
  }

  /**
   * The audience for a resource that a client names (RFC 8707 §2), with or without a trailing
   * slash; null when unknown.
   */
  audienceOf(resource: string | undefined): string | null {
    const name = resource?.replace(/\/$/, "") ?? this.#base;
    return name === this.#base || name === this.#mcp ? name : null;
  }

  /** The audience of tokens for MCP. */
  get mcpAudience(): string {
    return this.#mcp;
  }

  /** True when the token's audience is the resource (RFC 8707). */
  isMeantFor({ claims: { aud } }: AccessToken, resource: Resource | undefined): boolean {
    return aud === (resource === "mcp" ? this.#mcp : this.#base);
  }

  /** Mints a token that lives 900 s. */
  async mint(grant: Grant, nowMs: number): Promise<string> {
    const { kid, key } = await this.#ring.signer("access_token", nowMs);
    const iat = Math.floor(nowMs / 1000);
    const { agentId, credentialId, tenantId, mode, scopes, audience } = grant;
    const claims: AccessClaims = {
      iss: this.#issuer,
      sub: agentId,
      client_id: agentId,
      aud: audience,
      exp: iat + ACCESS_TOKEN_TTL_S,
      iat,
      jti: crypto.randomUUID(),
      scope: scopes.join(" "),
      credential_id: credentialId,
      tenant_id: tenantId,
      mode,
    };
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .sign(key);
  }

  /**
   * Verifies signature, key and expiry; the caller checks audience and credential. About 1 µs for a
   * cached token, 70 µs for a new one.
   */
  async verify(text: string, nowMs: number): Promise<AccessToken | TokenFault> {
    const digest = new Bun.CryptoHasher("sha256").update(text).digest("base64url");
    const known = this.#known.get(digest);
    const token = known ?? (await this.#verifyNew(text, nowMs));
    if (typeof token === "string") return token;
    const fault = this.#untimely(token, nowMs);
    if (fault === null && known === undefined) this.#remember(digest, token);
    if (fault !== null && known !== undefined) this.#known.delete(digest);
    return fault ?? token;
  }

  async #verifyNew(text: string, nowMs: number): Promise<AccessToken | TokenFault> {
    const parts = decodeToken(text);
    if (parts === null) return "malformed_credential";
    const { kid } = parts.header;
    if (!isOwnHeader(parts.header) || typeof kid !== "string") return "token_invalid";
    const key = await this.#ring.verifier("access_token", kid, nowMs);
    if (key === null) return "token_invalid";
    try {
      await compactVerify(text, key, { algorithms: [ALGORITHM] });
    } catch {
      // Any error means the signature is not verified.
      return "token_invalid";
    }
    const claims = readClaims(parts.payload);
    if (claims?.iss !== this.#issuer) return "token_invalid";
    return { kid, claims, scopes: new Set(claims.scope.split(" ")) };
  }

  #untimely({ kid, claims }: AccessToken, nowMs: number): TokenFault | null {
    const nowS = nowMs / 1000;
    if (endOf(claims) <= nowMs) return "token_expired";
    if (Math.max(claims.iat, claims.nbf ?? 0) - SKEW_S > nowS) return "token_invalid";
    return this.#ring.isPublished(kid, nowMs) ? null : "token_invalid";
  }

  #remember(digest: string, token: AccessToken): void {
    if (this.#known.size >= KNOWN_MAX) {
      const oldest = this.#known.keys().next().value;
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(digest, token);
  }
}

/** Epoch milliseconds of expiry. */
export function endOf({ exp }: AccessClaims): number {
  return (exp + SKEW_S) * 1000;
}

/** RFC 9068 §4, RFC 8725 §3: one algorithm, one type, and no key but ours. */
function isOwnHeader(header: TokenParts["header"]): boolean {
  if (header.alg !== ALGORITHM || hasForbiddenHeader(header)) return false;
  const { typ } = header;
  return typeof typ === "string" && typ.toLowerCase().replace(/^application\//, "") === TYPE;
}

function readClaims(payload: TokenParts["payload"]): AccessClaims | null {
  const { exp, iat, nbf } = payload;
  const areInstants = [exp, iat, nbf ?? 0].every((value) => Number.isFinite(value));
  const areTexts = TEXT_CLAIMS.every((name) => typeof payload[name] === "string");
  return areInstants && areTexts ? (payload as unknown as AccessClaims) : null;
}
