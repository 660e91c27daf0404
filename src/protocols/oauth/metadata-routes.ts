/**
 * OAuth metadata (RFC 8414, RFC 9728) and the key set, with every field that real clients require;
 * `issuer` is the same text everywhere.
 */
import { publicReceiptKeys } from "../../../engine/writer/receipts.ts";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import { CLIENT_AUTH_METHODS } from "../../access/control/oauth-clients.ts";
import type { Document, OauthRefusal } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { OwnError } from "../../http/contract.ts";
import { route } from "../../http/route.ts";
import {
  KeySet,
  McpResourceMetadata,
  OauthOff,
  ResourceMetadata,
  ServerMetadata,
} from "./responses.ts";

/** Of agents and confidential clients. */
const WITH_SECRET = ["client_secret_basic", "client_secret_post"] as const;

const NOT_CONFIGURED: OauthRefusal = {
  ok: false,
  status: 404,
  error: "oauth_metadata_not_configured",
};

/** RFC 8414. Clients that try OpenID Connect first get the same body. */
function authorizationServer({ context }: PublicCall): Document | OauthRefusal {
  const { oauthIssuer: issuer, baseUrl, docsUrl } = context.config;
  if (issuer === null) return NOT_CONFIGURED;
  const content = {
    issuer,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    scopes_supported: [...DEFAULT_SCOPES, ...ADMIN_SCOPES],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    registration_endpoint: `${baseUrl}/oauth/register`,
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: WITH_SECRET,
    service_documentation: docsUrl,
    protected_resources: [baseUrl, `${baseUrl}/mcp`],
  };
  return { ok: true, content };
}

/**
 * RFC 9728. `path` is empty for the service as a whole. No scope list: MCP clients request every
 * listed scope and would be refused for one that they lack; without a list they get all they have.
 */
function protectedResource(path: "" | "/mcp") {
  return ({ context }: PublicCall): Document | OauthRefusal => {
    const { oauthIssuer, baseUrl, docsUrl } = context.config;
    if (oauthIssuer === null) return NOT_CONFIGURED;
    const content = {
      resource: `${baseUrl}${path}`,
      authorization_servers: [oauthIssuer],
      bearer_methods_supported: ["header"],
      ...(path === "" && { scopes_supported: DEFAULT_SCOPES }),
      resource_name: path === "" ? "Innkeep" : "Innkeep MCP",
      resource_documentation: docsUrl,
    };
    return { ok: true, content };
  };
}

/**
 * RFC 7517: keys of access tokens and signed cards, recent ones included, and of all receipts ever
 * signed, which need no OAuth.
 */
function keySet({ context }: PublicCall): Document {
  const { config, keyRing, keys, now } = context;
  const ofTokens = config.oauthIssuer === null ? [] : keyRing.publicKeys(now());
  return { ok: true, content: { keys: [...ofTokens, ...publicReceiptKeys(keys.receipts)] } };
}

const OFF: OwnError = { description: "No OAuth issuer is configured.", body: OauthOff };
const GET = {
  tag: "Authentication",
  method: "GET",
  access: "public",
  renderer: "document",
  errors: [],
} as const;
const METADATA = {
  ...GET,
  success: { status: 200, description: "The metadata.", body: ServerMetadata },
  ownErrors: { 404: OFF },
} as const;
const RESOURCE = {
  ...METADATA,
  description: "Which authorization server issues tokens for it (RFC 9728).",
  success: { ...METADATA.success, body: ResourceMetadata },
} as const;
const MCP_SUCCESS = { ...METADATA.success, body: McpResourceMetadata };
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

export const oauthMetadataRoutes = [
  route({
    ...METADATA,
    id: "get_oauth_metadata",
    path: "/.well-known/oauth-authorization-server",
    summary: "Authorization server metadata",
    description: "RFC 8414.",
    handle: authorizationServer,
  }),
  route({
    ...METADATA,
    id: "get_openid_configuration",
    path: "/.well-known/openid-configuration",
    summary: "Authorization server metadata, under another name",
    description: "The same body, where clients of OpenID Connect look first.",
    handle: authorizationServer,
  }),
  route({
    ...RESOURCE,
    id: "get_resource_metadata",
    path: RESOURCE_PATH,
    summary: "Protected resource metadata",
    handle: protectedResource(""),
  }),
  route({
    ...RESOURCE,
    id: "get_mcp_resource_metadata",
    path: `${RESOURCE_PATH}/mcp`,
    summary: "Protected resource metadata of MCP",
    success: MCP_SUCCESS,
    handle: protectedResource("/mcp"),
  }),
  route({
    ...GET,
    id: "get_jwks",
    path: "/.well-known/jwks.json",
    summary: "Public keys",
    description: "The keys of access tokens, of signed cards and of receipts.",
    success: { status: 200, description: "The keys.", body: KeySet },
    handle: keySet,
  }),
];
