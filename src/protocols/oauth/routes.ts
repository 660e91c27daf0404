/** The OAuth endpoints: token, revocation and introspection. */
import { Type } from "@sinclair/typebox";
import { endOf } from "../../access/auth/access-token.ts";
import { ADMIN_SCOPES } from "../../access/control/agents.ts";
import { coversScope, type Principal } from "../../access/control/principal.ts";
import { revokeToken } from "../../access/control/revoked-tokens.ts";
import { ACCESS_TOKEN_TTL_S } from "../../access/control/signing-keys.ts";
import type { PublicCall } from "../../http/call.ts";
import type { OwnError } from "../../http/contract.ts";
import { announce, storeWrite } from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import {
  badRequest,
  type ClientCall,
  forClients,
  NOT_CONFIGURED,
  type OauthAnswer,
} from "./endpoint.ts";
import { introspect } from "./introspection.ts";
import { encodingsOf } from "./parameters.ts";
import {
  AboutTokenForm,
  AccessToken,
  Introspection,
  OauthError,
  OauthOff,
  Revoked,
  TokenForm,
} from "./responses.ts";

const text = Type.Optional(Type.String());
const CREDENTIALS = { client_id: text, client_secret: text };
const TOKEN = encodingsOf(
  {
    grant_type: Type.Literal("client_credentials", { description: "client_credentials" }),
    scope: text,
    ...CREDENTIALS,
  },
  { resource: text },
);
const AboutToken = { token: Type.String(), token_type_hint: text, ...CREDENTIALS };
const ABOUT_A_TOKEN = encodingsOf(AboutToken, {}, "AboutToken");

async function token(request: ClientCall): Promise<OauthAnswer> {
  const { call, accessTokens, client, parameters } = request;
  const scopes = scopesFor(client, parameters.scope);
  if (scopes === null) {
    return badRequest("invalid_scope", "scope holds one that is unknown or not granted");
  }
  const audience = accessTokens.audienceOf(parameters.resource);
  if (audience === null) {
    return badRequest("invalid_scope", "resource is not one of this service's");
  }
  const { agent_id: agentId, credential_id: credentialId, tenant_id: tenantId, mode } = client;
  const grant = { agentId, credentialId, tenantId, mode, scopes, audience };
  const access_token = await accessTokens.mint(grant, call.context.now());
  const expires_in = ACCESS_TOKEN_TTL_S;
  const body = { access_token, token_type: "Bearer", expires_in, scope: scopes.join(" ") };
  return { ok: true, body };
}

/** The requested scopes, or all; null when the client lacks one. */
function scopesFor({ scopes }: Principal, requested: string | undefined): string[] | null {
  if (requested === undefined) return [...scopes];
  const wanted = [...new Set(requested.split(" ").filter((scope) => scope !== ""))];
  const isKnown = (scope: string) => scopes.has(scope) || ADMIN_SCOPES.some((one) => one === scope);
  return wanted.every((scope) => isKnown(scope) && coversScope(scopes, scope)) ? wanted : null;
}

/**
 * RFC 7009: always 200 unless the store is busy. Ends only the client's own access tokens;
 * administrators revoke its secrets.
 */
async function revoke(request: ClientCall): Promise<OauthAnswer> {
  const { call, accessTokens, client, parameters } = request;
  const { now } = call.context;
  const token = await accessTokens.verify(parameters.token ?? "", now());
  if (typeof token !== "string" && token.claims.client_id === client.agent_id) {
    const { jti } = token.claims;
    const written = storeWrite(call, (store, ending) => {
      ending({ kind: "access_token", id: jti });
      revokeToken(store, jti, endOf(token.claims), now());
    });
    if (!written.ok) return written;
    await announce(call);
  }
  return { ok: true, body: {} };
}

/** Metadata readers require an authorization endpoint; this one answers that there is none. */
function authorize({ context }: PublicCall): OauthAnswer {
  if (context.accessTokens === null) return NOT_CONFIGURED;
  const problem = "only the client_credentials grant is supported: POST /oauth/token";
  return badRequest("invalid_client", problem);
}

const OFF: OwnError = { description: "No OAuth issuer is configured.", body: OauthOff };
const CLIENT_ERRORS: Readonly<Record<400 | 401 | 404 | 429, OwnError>> = {
  400: { description: "Malformed, or a scope that is not granted.", body: OauthError },
  401: { description: "The client is unknown or its secret is wrong.", body: OauthError },
  404: OFF,
  429: { description: "Too many requests; the body says when to come again.", body: OauthError },
};
const FORM = "application/x-www-form-urlencoded";

const OAUTH = { tag: "Authentication", access: "public", renderer: "oauth" } as const;
/** The handler reads the body, a form or JSON. */
const FOR_CLIENTS = {
  ...OAUTH,
  method: "POST",
  reads: "stream",
  ownErrors: CLIENT_ERRORS,
} as const;

export const oauthRoutes = [
  route({
    ...FOR_CLIENTS,
    id: "create_access_token",
    path: "/oauth/token",
    summary: "Get an access token",
    description:
      "Client credentials: `client_id` is the agent's id, `client_secret` its secret, in the " +
      "body or as HTTP Basic. Tokens live 15 minutes and end with the credential.",
    addressLimit: { name: "token" },
    body: TOKEN.json,
    accepts: { [FORM]: TokenForm },
    success: { status: 200, description: "The token.", body: AccessToken },
    errors: [],
    handle: forClients(TOKEN, token),
  }),
  route({
    ...FOR_CLIENTS,
    id: "revoke_access_token",
    path: "/oauth/revoke",
    summary: "End an access token",
    description: "RFC 7009: always 200, whatever was presented.",
    addressLimit: { name: "revoke" },
    body: ABOUT_A_TOKEN.json,
    accepts: { [FORM]: AboutTokenForm },
    success: { status: 200, description: "The token is of no use any more.", body: Revoked },
    errors: ["rate_limited", "upstream_unavailable"],
    handle: forClients(ABOUT_A_TOKEN, revoke),
  }),
  route({
    ...FOR_CLIENTS,
    id: "introspect_access_token",
    path: "/oauth/introspect",
    summary: "Ask about an access token or an agent secret",
    description:
      "RFC 7662: `{active: false}` alone for what is neither a usable token nor a usable secret.",
    // Resource servers introspect every token they receive.
    addressLimit: { name: "introspect", perMinute: 600 },
    body: ABOUT_A_TOKEN.json,
    accepts: { [FORM]: AboutTokenForm },
    success: { status: 200, description: "What the token or secret allows.", body: Introspection },
    errors: ["rate_limited"],
    handle: forClients(ABOUT_A_TOKEN, introspect),
  }),
  route({
    ...OAUTH,
    id: "get_authorize",
    method: "GET",
    path: "/oauth/authorize",
    summary: "There is no authorization page",
    description: "Metadata readers insist on the address; it always answers an error.",
    success: { status: 200, description: "Never.", body: Revoked },
    errors: [],
    ownErrors: { 400: CLIENT_ERRORS[400], 404: OFF },
    handle: authorize,
  }),
];
