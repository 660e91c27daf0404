/**
 * `POST /oauth/introspect` (RFC 7662): the current rights of an access token, a refresh token or an
 * agent secret, or only `{active: false}`.
 */
import type { AccessTokens } from "../../access/auth/access-token.ts";
import { authorizedBy, refusalOf } from "../../access/auth/bearer.ts";
import { type OauthGrant, REFRESH_IDLE_MS } from "../../access/control/oauth-grants.ts";
import { coversScope, type Principal } from "../../access/control/principal.ts";
import { looksLikeSecret } from "../../access/privacy/credential-secret.ts";
import type { Context } from "../../http/context.ts";
import type { ClientCall, OauthAnswer } from "./endpoint.ts";

const INACTIVE = { ok: true, body: { active: false } } as const;

/** RFC 7662. A token or secret of another tenant or mode than the client's is inactive. */
export async function introspect(request: ClientCall): Promise<OauthAnswer> {
  const { call, accessTokens, client, parameters } = request;
  const { token = "" } = parameters;
  const nowMs = call.context.now();
  const found = looksLikeSecret(token)
    ? secretClaims(call.context, token, nowMs)
    : (refreshClaims(call.context, token, nowMs) ??
      (await tokenClaims(call.context, accessTokens, token, nowMs)));
  if (found === null) return INACTIVE;
  const { principal, claims } = found;
  if (principal.tenant_id !== client.tenant_id || principal.mode !== client.mode) return INACTIVE;
  const scope = [...principal.scopes].join(" ");
  return { ok: true, body: { active: true, scope, token_type: "Bearer", ...claims } };
}

interface Introspected {
  readonly principal: Principal;
  /** Claims beside the scope. */
  readonly claims: object;
}

async function tokenClaims(
  { control }: Context,
  accessTokens: AccessTokens,
  text: string,
  nowMs: number,
): Promise<Introspected | null> {
  const token = await accessTokens.verify(text, nowMs);
  if (typeof token === "string") return null;
  const authorized = authorizedBy(control, token, nowMs);
  if (!authorized.ok) return null;
  const { client_id, exp, iat, sub, aud, iss, jti } = token.claims;
  const { principal } = authorized;
  return { principal, claims: { client_id, exp, iat, sub, aud, iss, jti } };
}

/** A token that another has replaced is inactive, though its client may send it once more. */
function refreshClaims({ oauth, control, config }: Context, token: string, nowMs: number) {
  const reading = oauth.grants.byRefreshToken(token, nowMs);
  if (reading?.is !== "current") return null;
  const { grant } = reading;
  const entry = control.credentialById(grant.credential_id);
  if (entry === undefined || refusalOf(entry, nowMs) !== null) return null;
  const { principal } = entry.authenticated;
  const scopes = grant.scopes.filter((scope) => coversScope(principal.scopes, scope));
  const claims = { token_type: "refresh_token", ...timesOf(grant), iss: config.oauthIssuer };
  const { client_id, agent_id: sub, audience: aud } = grant;
  const narrowed = { ...principal, scopes: new Set(scopes) };
  return { principal: narrowed, claims: { ...claims, client_id, sub, aud } };
}

function timesOf({ rotated_at }: OauthGrant) {
  const iatMs = rotated_at ?? 0;
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return { iat: seconds(iatMs), exp: seconds(iatMs + REFRESH_IDLE_MS) };
}

/** An agent secret has no audience: it works wherever the service takes a bearer. */
function secretClaims({ control, config }: Context, secret: string, nowMs: number) {
  const entry = control.credential(secret);
  if (entry === undefined || refusalOf(entry, nowMs) !== null) return null;
  const { principal } = entry.authenticated;
  const { agent_id } = principal;
  const ends = Number.isFinite(entry.valid_until);
  const exp = ends ? { exp: Math.floor(entry.valid_until / 1000) } : {};
  return {
    principal,
    claims: { client_id: agent_id, sub: agent_id, iss: config.oauthIssuer, ...exp },
  };
}
