/**
 * The grants of clients that registered themselves: a code, once, and refresh tokens that replace
 * each other. Access tokens are those of the agent that the operator let the client act as.
 */
import { refusalOf } from "../../access/auth/bearer.ts";
import { revokeCredential } from "../../access/control/credentials.ts";
import { CODE_TTL_MS, type OauthGrant } from "../../access/control/oauth-grants.ts";
import { coversScope, type Principal } from "../../access/control/principal.ts";
import { ACCESS_TOKEN_TTL_S } from "../../access/control/signing-keys.ts";
import { chargeCredential } from "../../http/admission.ts";
import type { OauthRefusal, Refusal } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { announce, storeWrite } from "../../http/control-write.ts";
import { badRequest, type OauthAnswer, type RegisteredCall } from "./endpoint.ts";
import { isVerifierOf } from "./pkce.ts";

/** One text for all that a thief could learn from. */
const NO_CODE = badRequest("invalid_grant", "the code is unknown, expired or used");
const NO_TOKEN = badRequest("invalid_grant", "refresh_token is unknown, expired or used");
const ENDED = badRequest("invalid_grant", "an operator ended or suspended the connection");

/** Ends a grant: its code, its refresh tokens and, with the credential, its access tokens. */
export async function endGrant(
  call: PublicCall,
  { grant_id, credential_id }: OauthGrant,
): Promise<Refusal | null> {
  call.context.oauth.grants.end(grant_id);
  const written = storeWrite(call, (store, ending) => {
    ending({ kind: "credential", id: credential_id });
    revokeCredential(store, credential_id);
  });
  if (!written.ok) return written;
  await announce(call);
  return null;
}

/** `authorization_code`. A code that comes again was stolen: all that it gave ends. */
export async function byCode(request: RegisteredCall): Promise<OauthAnswer> {
  const { call, client, parameters } = request;
  const { code, redirect_uri, code_verifier } = parameters;
  if (code === undefined || redirect_uri === undefined || code_verifier === undefined) {
    return badRequest("invalid_request", "code, redirect_uri or code_verifier is missing");
  }
  const { grants, clients } = call.context.oauth;
  const nowMs = call.context.now();
  const grant = grants.byCode(code);
  if (grant === null || grant.client_id !== client.client_id) return NO_CODE;
  if (grant.redeemed_at !== null) return (await endGrant(call, grant)) ?? NO_CODE;
  if (nowMs - grant.created_at >= CODE_TTL_MS) return NO_CODE;
  if (redirect_uri !== grant.redirect_uri) {
    return badRequest("invalid_grant", "redirect_uri is not that of the request");
  }
  if (!isVerifierOf(grant.code_challenge, code_verifier)) {
    return badRequest("invalid_grant", "code_verifier is not that of the request");
  }
  const usable = await usableGrant(request, grant);
  if (!usable.ok) return usable;
  const refreshToken = grants.redeem(grant, nowMs);
  if (refreshToken === null) return (await endGrant(call, grant)) ?? NO_CODE;
  clients.noteUse(client.client_id, nowMs);
  return tokens(request, grant, { ...usable, scopes: grant.scopes, refreshToken });
}

/**
 * `refresh_token`. An old token that comes again was stolen, from the client or from the thief: all
 * ends, unless it is the last one and comes so soon that its answer may have been lost.
 */
export async function byRefreshToken(request: RegisteredCall): Promise<OauthAnswer> {
  const { call, client, parameters } = request;
  const { refresh_token, scope } = parameters;
  if (refresh_token === undefined) {
    return badRequest("invalid_request", "refresh_token is missing");
  }
  const { grants, clients } = call.context.oauth;
  const nowMs = call.context.now();
  const reading = grants.byRefreshToken(refresh_token, nowMs);
  if (reading === null || reading.grant.client_id !== client.client_id) return NO_TOKEN;
  const { grant } = reading;
  if (reading.is === "old") return (await endGrant(call, grant)) ?? NO_TOKEN;
  const wanted = [...new Set(scope?.split(" ").filter((each) => each !== "") ?? grant.scopes)];
  if (!wanted.every((each) => grant.scopes.includes(each))) {
    return badRequest("invalid_scope", "scope holds one that was not granted");
  }
  const usable = await usableGrant(request, grant);
  if (!usable.ok) return usable;
  const refreshToken = grants.rotate(grant, refresh_token, nowMs);
  if (refreshToken === null) return NO_TOKEN;
  clients.noteUse(client.client_id, nowMs);
  return tokens(request, grant, { ...usable, scopes: wanted, refreshToken });
}

type Usable = { readonly ok: true; readonly principal: Principal };

/** The grant's agent as it is now. Each token counts towards its rate. */
async function usableGrant(
  { call, accessTokens, parameters: { resource } }: RegisteredCall,
  grant: OauthGrant,
): Promise<Usable | OauthRefusal | Refusal> {
  if (resource !== undefined && accessTokens.audienceOf(resource) !== grant.audience) {
    return badRequest("invalid_target", "resource is not that of the request");
  }
  const { control, lastUsed, now } = call.context;
  const { credential_id } = grant;
  // Another process may have made the credential a moment ago.
  if (control.credentialById(credential_id) === undefined) control.refresh();
  const entry = control.credentialById(credential_id);
  if (refusalOf(entry, now()) !== null) return ENDED;
  const { principal } = entry!.authenticated;
  lastUsed.note(credential_id, now());
  return (await chargeCredential(call, principal)) ?? { ok: true, principal };
}

interface Given {
  readonly principal: Principal;
  readonly scopes: readonly string[];
  readonly refreshToken: string;
}

async function tokens(
  { call, accessTokens }: RegisteredCall,
  { audience }: OauthGrant,
  { principal, scopes: granted, refreshToken }: Given,
): Promise<OauthAnswer> {
  const { agent_id: agentId, credential_id: credentialId, tenant_id: tenantId, mode } = principal;
  const scopes = granted.filter((scope) => coversScope(principal.scopes, scope));
  const grant = { agentId, credentialId, tenantId, mode, scopes, audience };
  const access_token = await accessTokens.mint(grant, call.context.now());
  const expires_in = ACCESS_TOKEN_TTL_S;
  const about = { token_type: "Bearer", expires_in, scope: scopes.join(" ") };
  return { ok: true, body: { access_token, ...about, refresh_token: refreshToken } };
}
