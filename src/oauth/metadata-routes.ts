/**
 * What OAuth clients read before they ask for a token: RFC 8414 and 9728 metadata and the key set.
 * Every field that a real client insists on is there; `issuer` is the same text everywhere.
 */
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../control/agents.ts";
import type { PublicCall, PublicRoute } from "../http/call.ts";
import { bare, published } from "../http/respond.ts";

const CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"] as const;

function notConfigured(): Response {
  const headers = { "cache-control": "no-store" };
  return bare({ error: "oauth_metadata_not_configured" }, headers, 404);
}

/** RFC 8414. Clients that speak OpenID Connect first get the same body. */
function authorizationServer(call: PublicCall): Response {
  const { oauthIssuer: issuer, baseUrl, docsUrl } = call.deps.config;
  if (issuer === null) return notConfigured();
  return published(call, {
    issuer,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    scopes_supported: [...DEFAULT_SCOPES, ...ADMIN_SCOPES],
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    service_documentation: docsUrl,
    protected_resources: [baseUrl, `${baseUrl}/mcp`],
  });
}

/**
 * RFC 9728. `path` is empty for the service as a whole. MCP clients ask for every scope that is
 * listed and would be refused for one that they lack; with none listed they get all that they have.
 */
function protectedResource(path: "" | "/mcp"): (call: PublicCall) => Response {
  return (call) => {
    const { oauthIssuer, baseUrl, docsUrl } = call.deps.config;
    if (oauthIssuer === null) return notConfigured();
    return published(call, {
      resource: `${baseUrl}${path}`,
      authorization_servers: [oauthIssuer],
      bearer_methods_supported: ["header"],
      scopes_supported: path === "" ? DEFAULT_SCOPES : [],
      resource_name: path === "" ? "Innkeep" : "Innkeep MCP",
      resource_documentation: docsUrl,
    });
  };
}

/** RFC 7517: the keys of access tokens and of signed cards, those of the near past too. */
function keySet(call: PublicCall): Response {
  const { config, keyRing, now } = call.deps;
  return published(call, { keys: config.oauthIssuer === null ? [] : keyRing.publicKeys(now()) });
}

const PUBLIC_GET = { method: "GET", access: "public" } as const;
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

export const oauthMetadataRoutes: readonly PublicRoute[] = [
  {
    ...PUBLIC_GET,
    path: "/.well-known/oauth-authorization-server",
    handle: authorizationServer,
  },
  { ...PUBLIC_GET, path: "/.well-known/openid-configuration", handle: authorizationServer },
  { ...PUBLIC_GET, path: RESOURCE_PATH, handle: protectedResource("") },
  { ...PUBLIC_GET, path: `${RESOURCE_PATH}/mcp`, handle: protectedResource("/mcp") },
  { ...PUBLIC_GET, path: "/.well-known/jwks.json", handle: keySet },
];
