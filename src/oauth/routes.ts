/** The OAuth endpoints: token, revocation and introspection (spec 4.3, rules §12). */
import { Type } from "@sinclair/typebox";
import { endOf } from "../auth/access-token.ts";
import { authorizedBy } from "../auth/bearer.ts";
import { ADMIN_SCOPES } from "../control/agents.ts";
import { coversScope, type Principal } from "../control/principal.ts";
import { revokeToken } from "../control/revoked-tokens.ts";
import { ACCESS_TOKEN_TTL_S } from "../control/signing-keys.ts";
import type { PublicCall, PublicRoute } from "../http/call.ts";
import { announce, storeWrite } from "../http/control-call.ts";
import { type ClientCall, forClients, granted, notConfigured, refused } from "./endpoint.ts";
import { lanesOf } from "./parameters.ts";

const text = Type.Optional(Type.String());
const CREDENTIALS = { client_id: text, client_secret: text };
const TOKEN = lanesOf(
  {
    grant_type: Type.Literal("client_credentials", { description: "client_credentials" }),
    scope: text,
    ...CREDENTIALS,
  },
  { resource: text },
);
const ABOUT_A_TOKEN = lanesOf({ token: Type.String(), token_type_hint: text, ...CREDENTIALS });

async function token({ call, accessTokens, client, parameters }: ClientCall): Promise<Response> {
  const refuse = (problem: string) =>
    refused(call, { status: 400, error: "invalid_scope", problem });
  const scopes = scopesFor(client, parameters.scope);
  if (scopes === null) return refuse("scope holds one that is unknown or not granted");
  const audience = accessTokens.audienceOf(parameters.resource);
  if (audience === null) return refuse("resource is not one of this service's");
  const { agent_id: agentId, credential_id: credentialId, tenant_id: tenantId, mode } = client;
  const grant = { agentId, credentialId, tenantId, mode, scopes, audience };
  const access_token = await accessTokens.mint(grant, call.deps.now());
  return granted(call, {
    access_token,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_TTL_S,
    scope: scopes.join(" "),
  });
}

/** What was asked for, or all there is; null when the client lacks one of them. */
function scopesFor({ scopes }: Principal, requested: string | undefined): string[] | null {
  if (requested === undefined) return [...scopes];
  const wanted = [...new Set(requested.split(" ").filter((scope) => scope !== ""))];
  const isKnown = (scope: string) => scopes.has(scope) || ADMIN_SCOPES.some((one) => one === scope);
  return wanted.every((scope) => isKnown(scope) && coversScope(scopes, scope)) ? wanted : null;
}

/**
 * RFC 7009: always 200, whatever was presented, unless the store is busy. Ends access tokens of the
 * client itself; its secrets are ended by whoever administers it.
 */
async function revoke({ call, accessTokens, client, parameters }: ClientCall): Promise<Response> {
  const { now } = call.deps;
  const token = await accessTokens.verify(parameters.token ?? "", now());
  if (typeof token !== "string" && token.claims.client_id === client.agent_id) {
    const { jti } = token.claims;
    const written = storeWrite(call, (store) =>
      revokeToken(store, jti, endOf(token.claims), now()),
    );
    if (written instanceof Response) return written;
    await announce(call);
  }
  return granted(call, {});
}

/** RFC 7662: `{active: false}` alone for whatever is not a usable token of the client's tenant. */
async function introspect(request: ClientCall): Promise<Response> {
  const { call, accessTokens, client, parameters } = request;
  const { control, now } = call.deps;
  const inactive = () => granted(call, { active: false });
  const token = await accessTokens.verify(parameters.token ?? "", now());
  if (typeof token === "string") return inactive();
  const authorized = authorizedBy(control, token, now());
  if (!authorized.ok) return inactive();
  const { principal } = authorized;
  if (principal.tenant_id !== client.tenant_id || principal.mode !== client.mode) return inactive();
  const { client_id, exp, iat, sub, aud, iss, jti } = token.claims;
  const scope = [...principal.scopes].join(" ");
  const token_type = "Bearer";
  return granted(call, {
    active: true,
    ...{ scope, client_id, token_type, exp, iat, sub, aud, iss, jti },
  });
}

/** Metadata readers insist on an authorization endpoint; this one says that there is none. */
function authorize(call: PublicCall): Response {
  if (call.deps.accessTokens === null) return notConfigured(call);
  const problem = "only the client_credentials grant is supported: POST /oauth/token";
  return refused(call, { status: 400, error: "invalid_client", problem });
}

const FOR_CLIENTS = { method: "POST", access: "public", reads: "stream" } as const;

export const oauthRoutes: readonly PublicRoute[] = [
  {
    ...FOR_CLIENTS,
    path: "/oauth/token",
    addressLimit: "token",
    body: TOKEN.json.schema,
    handle: forClients(TOKEN, token),
  },
  {
    ...FOR_CLIENTS,
    path: "/oauth/revoke",
    body: ABOUT_A_TOKEN.json.schema,
    handle: forClients(ABOUT_A_TOKEN, revoke),
  },
  {
    ...FOR_CLIENTS,
    path: "/oauth/introspect",
    body: ABOUT_A_TOKEN.json.schema,
    handle: forClients(ABOUT_A_TOKEN, introspect),
  },
  { method: "GET", path: "/oauth/authorize", access: "public", handle: authorize },
];
