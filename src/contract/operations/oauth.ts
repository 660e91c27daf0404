/** OAuth (spec 4.2, 4.3; rules §3, §12). Its errors are not in the envelope. */
import type { Operation, OperationTable, OwnError } from "../../http/contract.ts";
import {
  AboutTokenForm,
  AccessToken,
  Introspection,
  KeySet,
  OauthError,
  OauthOff,
  ResourceMetadata,
  Revoked,
  ServerMetadata,
  TokenForm,
} from "../../oauth/answers.ts";

const TAG = "Authentication";
const OFF: OwnError = { description: "No OAuth issuer is configured.", body: OauthOff };
const FORM = "application/x-www-form-urlencoded";
const CLIENT_ERRORS: Readonly<Record<number, OwnError>> = {
  400: { description: "Malformed, or a scope that is not granted.", body: OauthError },
  401: { description: "The client is unknown or its secret is wrong.", body: OauthError },
  404: OFF,
};

function metadata(id: string, summary: string, description: string): Operation {
  const success = { status: 200, description: "The metadata.", body: ServerMetadata } as const;
  return {
    ...{ id, tag: TAG, summary, description },
    success: { ...success, maxAgeS: 300 },
    errors: [],
    ownErrors: { 404: OFF },
  };
}

function resource(id: string, summary: string): Operation {
  const about = metadata(
    id,
    summary,
    "Which authorization server issues tokens for it (RFC 9728).",
  );
  return { ...about, success: { ...about.success, body: ResourceMetadata } };
}

export const oauthOperations: OperationTable = {
  "POST /oauth/token": {
    id: "create_access_token",
    tag: TAG,
    summary: "Get an access token",
    description:
      "Client credentials: `client_id` is the agent's id, `client_secret` its secret, in the " +
      "body or as HTTP Basic. Tokens live 15 minutes and end with the credential.",
    accepts: { [FORM]: TokenForm },
    success: { status: 200, description: "The token.", body: AccessToken },
    errors: [],
    ownErrors: CLIENT_ERRORS,
  },
  "POST /oauth/revoke": {
    id: "revoke_access_token",
    tag: TAG,
    summary: "End an access token",
    description: "RFC 7009: always 200, whatever was presented.",
    accepts: { [FORM]: AboutTokenForm },
    success: { status: 200, description: "The token is of no use any more.", body: Revoked },
    errors: ["rate_limited", "upstream_unavailable"],
    ownErrors: CLIENT_ERRORS,
  },
  "POST /oauth/introspect": {
    id: "introspect_access_token",
    tag: TAG,
    summary: "Ask about an access token",
    description: "RFC 7662: `{active: false}` alone for whatever is not a usable token.",
    accepts: { [FORM]: AboutTokenForm },
    success: { status: 200, description: "What the token is.", body: Introspection },
    errors: ["rate_limited"],
    ownErrors: CLIENT_ERRORS,
  },
  "GET /oauth/authorize": {
    id: "get_authorize",
    tag: TAG,
    summary: "There is no authorization page",
    description: "Metadata readers insist on the address; it always answers an error.",
    success: { status: 200, description: "Never.", body: Revoked },
    errors: [],
    ownErrors: { 400: CLIENT_ERRORS[400]!, 404: OFF },
  },
  "GET /.well-known/oauth-authorization-server": metadata(
    "get_oauth_metadata",
    "Authorization server metadata",
    "RFC 8414.",
  ),
  "GET /.well-known/openid-configuration": metadata(
    "get_openid_configuration",
    "Authorization server metadata, under another name",
    "The same body, where clients of OpenID Connect look first.",
  ),
  "GET /.well-known/oauth-protected-resource": resource(
    "get_resource_metadata",
    "Protected resource metadata",
  ),
  "GET /.well-known/oauth-protected-resource/mcp": resource(
    "get_mcp_resource_metadata",
    "Protected resource metadata of MCP",
  ),
  "GET /.well-known/jwks.json": {
    id: "get_jwks",
    tag: TAG,
    summary: "Public keys",
    description: "The keys of access tokens and of signed cards.",
    success: { status: 200, description: "The keys.", body: KeySet, maxAgeS: 300 },
    errors: [],
  },
};
