/** Bodies of the OAuth routes and metadata. */
import { Type } from "@sinclair/typebox";
import { OAUTH_ERRORS } from "../../http/answer.ts";
import { documented } from "../../http/schema/annotations.ts";
import { extensible, freeForm, named, words } from "../../http/schema/answer-parts.ts";

const Text = Type.String();
const Texts = Type.Array(Text);
const Address = Type.String({ format: "uri" });
const SomeAddress = Type.Optional(Address);

export const AccessToken = named("AccessToken", "A bearer for `Authorization`.", {
  access_token: documented(Text, "For `Authorization: Bearer`."),
  token_type: words(["Bearer"]),
  expires_in: Type.Integer({ minimum: 1, description: "Seconds." }),
  scope: Text,
  refresh_token: documented(
    Type.Optional(Text),
    "With a code or a refresh token: for the next one, once.",
  ),
});

export const OauthError = named("OauthError", "RFC 6749 §5.2; not the error envelope.", {
  error: documented(
    words(OAUTH_ERRORS),
    "Error code. With `client_credentials` it is `invalid_client` or `invalid_scope`.",
  ),
  error_description: documented(Text, "Error description."),
});

export const OauthOff = named("OauthNotConfigured", "OAuth is switched off.", {
  error: words(["oauth_not_configured", "oauth_metadata_not_configured"]),
});

export const Introspection = named("Introspection", "RFC 7662; only `active` when it is false.", {
  active: Type.Boolean(),
  scope: Type.Optional(Text),
  client_id: Type.Optional(Text),
  token_type: documented(Type.Optional(Text), "`Bearer`, or `refresh_token` for such a token."),
  exp: documented(Type.Optional(Type.Integer()), "Expiry, in seconds since 1970."),
  iat: documented(Type.Optional(Type.Integer()), "Time of issue, in seconds since 1970."),
  sub: documented(Type.Optional(Text), "The agent."),
  aud: documented(Type.Optional(Text), "Audience of the token."),
  iss: documented(Type.Optional(Text), "Issuer."),
  jti: documented(Type.Optional(Text), "Id of the token."),
});

export const Revoked = freeForm("Empty: RFC 7009 answers alike whatever was presented.");

export const ServerMetadata = extensible("AuthorizationServerMetadata", "RFC 8414.", {
  issuer: documented(Address, "Issuer of the tokens (`iss`)."),
  token_endpoint: documented(Address, "Token endpoint."),
  jwks_uri: documented(Address, "Address of the keys that verify tokens."),
  grant_types_supported: documented(Texts, "Supported grant types."),
  token_endpoint_auth_methods_supported: Texts,
  scopes_supported: documented(Texts, "All scopes."),
  authorization_endpoint: SomeAddress,
  registration_endpoint: documented(SomeAddress, "Where clients register themselves (RFC 7591)."),
  revocation_endpoint: documented(SomeAddress, "Revocation endpoint."),
  introspection_endpoint: documented(SomeAddress, "Introspection endpoint."),
});

const RESOURCE_FIELDS = {
  resource: Address,
  authorization_servers: Type.Array(Address),
  bearer_methods_supported: Texts,
  resource_documentation: SomeAddress,
};

export const ResourceMetadata = extensible("ProtectedResourceMetadata", "RFC 9728.", {
  ...RESOURCE_FIELDS,
  scopes_supported: documented(Texts, "All scopes."),
});

export const McpResourceMetadata = extensible(
  "McpResourceMetadata",
  "RFC 9728; without scopes: a client gets all that it has.",
  RESOURCE_FIELDS,
);

export const KeySet = named("JsonWebKeySet", "RFC 7517; public keys only.", {
  keys: documented(Type.Array(freeForm("A public key.")), "The public keys (RFC 7517)."),
});

const CREDENTIALS = {
  client_id: Type.Optional(Type.String({ description: "The agent's id." })),
  client_secret: Type.Optional(Type.String({ description: "One of the agent's secrets." })),
};

export const RegisteredClient = named("RegisteredClient", "RFC 7591 §3.2.1.", {
  client_id: Text,
  client_id_issued_at: documented(Type.Integer(), "In seconds since 1970."),
  client_secret: documented(Type.Optional(Text), "Shown once; absent for a public client."),
  client_secret_expires_at: documented(Type.Optional(Type.Integer()), "0: never."),
  client_name: documented(Type.String(), "Shown to the operator as unverified."),
  redirect_uris: documented(Type.Array(Address), "Where the client may be answered."),
  token_endpoint_auth_method: documented(Type.String(), "How it authenticates."),
  grant_types: documented(Type.Array(Type.String()), "The grants that it may use."),
  response_types: documented(Type.Array(Type.String()), "The responses that it may ask for."),
});

/** Unknown members are allowed (RFC 6749 §3.2). */
export const TokenForm = extensible("TokenForm", "Or the credentials as HTTP Basic.", {
  grant_type: documented(
    words(["client_credentials", "authorization_code", "refresh_token"]),
    "Of an agent, or of a client that registered itself.",
  ),
  scope: Type.Optional(Text),
  resource: Type.Optional(Type.String({ description: "What the token is for (RFC 8707)." })),
  code: Type.Optional(Type.String({ description: "With `authorization_code`." })),
  redirect_uri: Type.Optional(Type.String({ description: "As in the request for the code." })),
  code_verifier: Type.Optional(Type.String({ description: "Of the challenge (RFC 7636)." })),
  refresh_token: Type.Optional(Type.String({ description: "With `refresh_token`." })),
  ...CREDENTIALS,
});

export const AboutTokenForm = extensible("AboutTokenForm", "Or the credentials as HTTP Basic.", {
  token: Text,
  token_type_hint: Type.Optional(Text),
  ...CREDENTIALS,
});
