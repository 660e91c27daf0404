/** The service about itself: index, health, the two public lists that errors lead to. */
import { Type } from "@sinclair/typebox";
import { Instant, named, orNull, words } from "../../http/schema/answer-parts.ts";
import { ERROR_CODES } from "../../refusals/catalogue.ts";
import { METHODS, RELS } from "../../refusals/steps.ts";

const Link = Type.String({ format: "uri" });
const OptionalLink = Type.Optional(Link);

const LINKS = {
  agent_card: Link,
  a2a_agent: Link,
  ai_plugin: Link,
  openapi_json: Link,
  openapi_yaml: Link,
  health: Link,
  ready: Link,
  acp_discovery: OptionalLink,
  oauth_authorization_server: OptionalLink,
  openid_configuration: OptionalLink,
  oauth_protected_resource: OptionalLink,
  docs: OptionalLink,
  api_catalog: OptionalLink,
  ai_catalog: OptionalLink,
  llms: OptionalLink,
  llms_full: OptionalLink,
  capabilities: OptionalLink,
  coverage: OptionalLink,
  errors: OptionalLink,
  delegation_issuers: OptionalLink,
  jwks: OptionalLink,
  mcp: OptionalLink,
  mcp_server_card: OptionalLink,
  a2a: OptionalLink,
  logo: OptionalLink,
  legal: OptionalLink,
};

export const ServiceIndex = named("ServiceIndex", "Where everything is.", {
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  protocol_version: Type.String(),
  links: Type.Object(LINKS),
});

export const Health = named("Health", "The process answers.", {
  status: words(["ok"]),
  service: Type.String(),
  version: Type.String(),
  timestamp: Instant,
});

const DependencyState = words(["ok", "degraded", "down"]);

export const Readiness = named("Readiness", "The state of what the service needs.", {
  status: DependencyState,
  service: Type.String(),
  timestamp: Instant,
  dependencies: Type.Record(Type.String(), Type.Object({ state: DependencyState })),
});

export const ErrorCatalogue = named("ErrorCatalogue", "Every error code there is.", {
  errors: Type.Array(
    named("ErrorCatalogueEntry", "One code and the way out.", {
      code: words(ERROR_CODES),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      remediation: Type.String(),
      next_actions: Type.Array(
        Type.Object({
          rel: words(RELS),
          method: words(METHODS),
          href: Type.String({ description: "Path template; ids stand in braces." }),
        }),
      ),
      docs_url: Type.String({ format: "uri" }),
    }),
  ),
});

export const ISSUER_STATES = ["active", "suspended", "revoked"] as const;

export const PublicIssuers = named("PublicIssuers", "Who may vouch for travelers.", {
  issuers: Type.Array(
    named("PublicIssuer", "An issuer of delegation tokens.", {
      iss: Type.String(),
      name: Type.String(),
      status: words(ISSUER_STATES),
      jwks_url: orNull(Type.String({ format: "uri" })),
      allowed_audiences: Type.Array(Type.String()),
    }),
  ),
});
