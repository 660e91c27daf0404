/** The OAuth endpoints: token, revocation and introspection. */
import { Type } from "@sinclair/typebox";
import { ADMIN_SCOPES } from "../../access/control/agents.ts";
import { coversScope, type Principal } from "../../access/control/principal.ts";
import { ACCESS_TOKEN_TTL_S } from "../../access/control/signing-keys.ts";
import type { OwnError } from "../../http/contract.ts";
import { route } from "../../http/route.ts";
import { byCode, byRefreshToken } from "./code-grants.ts";
import {
  asAgent,
  asRegistered,
  badRequest,
  type ClientCall,
  forClients,
  type OauthAnswer,
  type OauthCall,
  withParameters,
} from "./endpoint.ts";
import { introspect } from "./introspection.ts";
import { encodingsOf } from "./parameters.ts";
import { REGISTRATION, register } from "./registration.ts";
import {
  AboutTokenForm,
  AccessToken,
  Introspection,
  OauthError,
  OauthOff,
  RegisteredClient,
  Revoked,
  TokenForm,
} from "./responses.ts";
import { revoke } from "./revocation.ts";

const text = Type.Optional(Type.String());
const CREDENTIALS = { client_id: text, client_secret: text };
/** The grants of clients that registered themselves; they send forms. */
const GRANTS = { authorization_code: byCode, refresh_token: byRefreshToken } as const;
const GRANT_TYPES = ["client_credentials", ...Object.keys(GRANTS)];
const TOKEN = encodingsOf(
  {
    grant_type: Type.Literal("client_credentials", { description: "client_credentials" }),
    scope: text,
    ...CREDENTIALS,
  },
  {
    grant_type: Type.Union(
      GRANT_TYPES.map((each) => Type.Literal(each)),
      { description: GRANT_TYPES.join(", ") },
    ),
    ...{ resource: text, code: text, redirect_uri: text, code_verifier: text },
    refresh_token: text,
  },
);
const AboutToken = { token: Type.String(), token_type_hint: text, ...CREDENTIALS };
const ABOUT_A_TOKEN = encodingsOf(AboutToken, {}, "AboutToken");

function token(request: OauthCall): OauthAnswer | Promise<OauthAnswer> {
  const { grant_type = "" } = request.parameters;
  const grant = Object.entries(GRANTS).find(([name]) => name === grant_type)?.[1];
  return grant ? asRegistered(request, grant) : asAgent(request, ofAgent);
}

async function ofAgent(request: ClientCall): Promise<OauthAnswer> {
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
      "body or as HTTP Basic. Tokens live 15 minutes and end with the credential. Clients that " +
      "registered themselves send a form with a code, once, or a refresh token, which the answer " +
      "replaces; a code or an old refresh token that comes again ends the connection.",
    addressLimit: { name: "token" },
    body: TOKEN.json,
    accepts: { [FORM]: TokenForm },
    success: { status: 200, description: "The token.", body: AccessToken },
    errors: ["upstream_unavailable"],
    handle: withParameters(TOKEN, token),
  }),
  route({
    ...FOR_CLIENTS,
    id: "revoke_access_token",
    path: "/oauth/revoke",
    summary: "End an access token or a connection",
    description:
      "RFC 7009: always 200, whatever was presented. A refresh token ends the whole connection.",
    addressLimit: { name: "revoke" },
    body: ABOUT_A_TOKEN.json,
    accepts: { [FORM]: AboutTokenForm },
    success: { status: 200, description: "The token is of no use any more.", body: Revoked },
    errors: ["rate_limited", "upstream_unavailable"],
    handle: withParameters(ABOUT_A_TOKEN, revoke),
  }),
  route({
    ...FOR_CLIENTS,
    id: "introspect_access_token",
    path: "/oauth/introspect",
    summary: "Ask about a token or an agent secret",
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
    id: "register_oauth_client",
    method: "POST",
    path: "/oauth/register",
    summary: "Register a client",
    description:
      "RFC 7591, for hosted assistants. A registered client sends a person to `/oauth/authorize`, " +
      "where an operator decides what it may do; PKCE with S256 is required. One that no operator " +
      "let in is forgotten after a week.",
    addressLimit: { name: "register", perMinute: 20 },
    reads: "stream",
    body: REGISTRATION,
    success: { status: 201, description: "The client.", body: RegisteredClient },
    errors: ["rate_limited", "upstream_unavailable"],
    ownErrors: {
      400: { description: "What the client says of itself is not taken.", body: OauthError },
      404: OFF,
      429: CLIENT_ERRORS[429],
    },
    handle: register,
  }),
];
