/**
 * Authenticates a bearer secret or an access token against the in-memory credential table, in a few
 * microseconds and without I/O. The secret is hashed and never kept.
 */

import type { CredentialEntry } from "../control/entries.ts";
import { type AccessRefusal, type Principal, sharedScopes } from "../control/principal.ts";
import type { ControlView } from "../control/view.ts";
import { looksLikeSecret } from "../privacy/credential-secret.ts";
import type { AccessToken, AccessTokens, Resource } from "./access-token.ts";

export type Authentication = { readonly ok: true; readonly principal: Principal } | AccessRefusal;

export interface Authority {
  readonly control: ControlView;
  /** Null when OAuth is not configured. */
  readonly accessTokens: AccessTokens | null;
}

export interface Presented {
  readonly authorization: string | null;
  /** Default: the service as a whole. */
  readonly resource?: Resource | undefined;
  readonly nowMs: number;
}

const SCHEME = /^bearer +/i;

function unauthenticated(reason: string): AccessRefusal {
  return { ok: false, code: "unauthenticated", detail: { reason } };
}

/**
 * Authenticates an `Authorization` header. Unknown, revoked and expired credentials and tokens, and
 * those of revoked agents, are `unauthenticated`; a suspended agent is `forbidden {reason:
 * "agent_suspended"}`. A promise for access tokens only.
 */
export function authenticate(
  authority: Authority,
  { authorization, resource, nowMs }: Presented,
): Authentication | Promise<Authentication> {
  if (authorization === null) return unauthenticated("missing_credential");
  const text = authorization.replace(SCHEME, "");
  if (text.length === authorization.length) return unauthenticated("bearer_scheme_required");
  const { control, accessTokens } = authority;
  if (text.includes(".") && accessTokens !== null) {
    return byToken(control, accessTokens, { text, resource, nowMs });
  }
  const entry = control.credential(text);
  // The form matters only for unknown secrets: it selects the reason.
  if (!entry && !looksLikeSecret(text)) return unauthenticated("malformed_credential");
  return refusalOf(entry, nowMs) ?? entry!.authenticated;
}

/** Expiry is final, even if the clock is set back. */
const expired = new WeakSet<CredentialEntry>();

/** Why a credential is not usable now, else null. */
export function refusalOf(entry: CredentialEntry | undefined, nowMs: number): AccessRefusal | null {
  if (entry === undefined) return unauthenticated("unknown_credential");
  const isInUse = entry.state === "active" || entry.state === "retiring";
  const hasAgent = entry.agent_state === "active" || entry.agent_state === "suspended";
  if (!isInUse || !hasAgent) return unauthenticated("credential_revoked");
  if (nowMs >= entry.valid_until || expired.has(entry)) {
    expired.add(entry);
    return unauthenticated("credential_expired");
  }
  if (entry.agent_state === "suspended") {
    return { ok: false, code: "forbidden", detail: { reason: "agent_suspended" } };
  }
  return null;
}

async function byToken(
  control: ControlView,
  accessTokens: AccessTokens,
  { text, resource, nowMs }: Omit<Presented, "authorization"> & { readonly text: string },
): Promise<Authentication> {
  const token = await accessTokens.verify(text, nowMs);
  if (typeof token === "string") return unauthenticated(token);
  if (!accessTokens.isMeantFor(token, resource)) return unauthenticated("wrong_audience");
  return authorizedBy(control, token, nowMs);
}

/** Built once per token and table, so that a repeated call allocates nothing. */
const narrowed = new WeakMap<
  AccessToken,
  { readonly entry: CredentialEntry; readonly authenticated: CredentialEntry["authenticated"] }
>();

/**
 * The principal of a verified token: its credential's, with the scopes that both token and agent
 * have. Refuses revoked tokens and unusable credentials.
 */
export function authorizedBy(
  control: ControlView,
  token: AccessToken,
  nowMs: number,
): Authentication {
  const { claims } = token;
  if (control.isTokenRevoked(claims, nowMs)) return unauthenticated("token_revoked");
  const entry = control.credentialById(claims.credential_id);
  const refused = refusalOf(entry, nowMs);
  if (refused !== null) return refused;
  const known = narrowed.get(token);
  if (known !== undefined && known.entry === entry) return known.authenticated;
  const { principal } = entry!.authenticated;
  const scopes = sharedScopes(token.scopes, principal.scopes);
  const authenticated = { ok: true, principal: { ...principal, scopes } } as const;
  narrowed.set(token, { entry: entry!, authenticated });
  return authenticated;
}
