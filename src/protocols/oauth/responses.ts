/** Bodies of the OAuth routes and their metadata (spec 4.2, 4.3, rules §12). */
import { Type } from "@sinclair/typebox";
import { extensible, freeForm, named, words } from "../../http/schema/answer-parts.ts";

const Text = Type.String();
const Texts = Type.Array(Text);
const Address = Type.String({ format: "uri" });
const SomeAddress = Type.Optional(Address);

export const AccessToken = named("AccessToken", "A bearer for `Authorization`.", {
  access_token: Text,
  token_type: words(["Bearer"]),
  expires_in: Type.Integer({ minimum: 1, description: "Seconds." }),
  scope: Text,
});

export const OauthError = named("OauthError", "RFC 6749 §5.2; not the error envelope.", {
  error: words(["invalid_client", "invalid_scope"]),
  error_description: Text,
});

export const OauthOff = named("OauthNotConfigured", "OAuth is switched off.", {
  error: words(["oauth_not_configured", "oauth_metadata_not_configured"]),
});

export const Introspection = named("Introspection", "RFC 7662; only `active` when it is false.", {
  active: Type.Boolean(),
  scope: Type.Optional(Text),
  client_id: Type.Optional(Text),
  token_type: Type.Optional(Text),
  exp: Type.Optional(Type.Integer()),
  iat: Type.Optional(Type.Integer()),
  sub: Type.Optional(Text),
  aud: Type.Optional(Text),
  iss: Type.Optional(Text),
  jti: Type.Optional(Text),
});

export const Revoked = freeForm("Empty: RFC 7009 answers alike whatever was presented.");

export const ServerMetadata = extensible("AuthorizationServerMetadata", "RFC 8414.", {
  issuer: Address,
  token_endpoint: Address,
  jwks_uri: Address,
  grant_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  scopes_supported: Texts,
  authorization_endpoint: SomeAddress,
  revocation_endpoint: SomeAddress,
  introspection_endpoint: SomeAddress,
});

const RESOURCE_FIELDS = {
  resource: Address,
  authorization_servers: Type.Array(Address),
  bearer_methods_supported: Texts,
  resource_documentation: SomeAddress,
};

export const ResourceMetadata = extensible("ProtectedResourceMetadata", "RFC 9728.", {
  ...RESOURCE_FIELDS,
  scopes_supported: Texts,
});

export const McpResourceMetadata = extensible(
  "McpResourceMetadata",
  "RFC 9728; without scopes: a client gets all that it has.",
  RESOURCE_FIELDS,
);

export const KeySet = named("JsonWebKeySet", "RFC 7517; public keys only.", {
  keys: Type.Array(freeForm("A public key.")),
});

const CREDENTIALS = {
  client_id: Type.Optional(Type.String({ description: "The agent's id." })),
  client_secret: Type.Optional(Type.String({ description: "One of the agent's secrets." })),
};

/** Forms may hold what nobody knows (RFC 6749 §3.2). */
export const TokenForm = extensible("TokenForm", "Or the credentials as HTTP Basic.", {
  grant_type: words(["client_credentials"]),
  scope: Type.Optional(Text),
  resource: Type.Optional(Type.String({ description: "What the token is for (RFC 8707)." })),
  ...CREDENTIALS,
});

export const AboutTokenForm = extensible("AboutTokenForm", "Or the credentials as HTTP Basic.", {
  token: Text,
  token_type_hint: Type.Optional(Text),
  ...CREDENTIALS,
});
