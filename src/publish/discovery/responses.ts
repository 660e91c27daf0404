/**
 * The discovery documents (spec 4.2.1–4.2.4 and the root-site indexes). Other formats define their
 * further members, so all of them are open.
 */

import { Type } from "@sinclair/typebox";
import {
  AccessState,
  extensible,
  freeForm,
  named,
  orNull,
  Uuid,
  words,
} from "../../http/schema/answer-parts.ts";
import { ErrorCode, Method, Rel } from "../../http/schema/envelope.ts";
import { oneOf } from "../../http/schema/request-parts.ts";

const Text = Type.String();

const Texts = Type.Array(Text);

const Address = Type.String({ format: "uri" });

const Capability = extensible("Capability", "A capability of the service.", {
  id: Text,
  description: Text,
  method: Method,
  href: Type.String({ description: "Path template." }),
  idempotent: Type.Boolean(),
  next_rel: orNull(Rel),
});

const Flow = extensible("Flow", "A sequence of capabilities.", {
  id: Text,
  description: Text,
  steps: Texts,
});

const Contracts = extensible("Contracts", "Rules of every call.", {
  envelope: freeForm("`success_fields`, `error_fields`, `next_action_rels`, `next_actions`."),
  idempotency: freeForm("`body_field`, `header`, `scoped_endpoints`, `description`."),
  trace_context: freeForm("`propagation`, `header`, `description`."),
  receipts: freeForm("`algorithm`, `kinds`, `verify_endpoint`, `canonical_form`."),
  pagination: extensible("PaginationContract", "How lists are returned.", {
    strategy: words(["complete", "cursor", "offset"]),
    description: Text,
  }),
  delegation: freeForm("`header`, `gated_routes`, `error_codes` and the form of a token."),
});

export const AgentCard = extensible(
  "AgentCard",
  "Capabilities of the service and how to call it.",
  {
    name: Text,
    description: Text,
    version: Text,
    protocol_version: Text,
    openapi_url: Address,
    ai_plugin_url: Address,
    docs_url: Address,
    error_catalog_url: Address,
    auth: Type.Object({
      schemes: Type.Array(
        Type.Object({
          type: words(["header", "bearer", "oauth2"]),
          name: Text,
          required: Type.Boolean(),
          description: Text,
        }),
      ),
    }),
    capabilities: Type.Array(Capability),
    flows: Type.Array(Flow),
    contracts: Contracts,
  },
);

export const PluginManifest = extensible("PluginManifest", "Plugin manifest.", {
  schema_version: words(["v1"]),
  name_for_human: Text,
  name_for_model: Text,
  description_for_human: Text,
  description_for_model: Text,
  auth: extensible("PluginAuth", "Authentication of hosts.", {
    type: words(["none", "user_http", "service_http"]),
    authorization_type: Type.Optional(Text),
  }),
  api: Type.Object({
    type: words(["openapi"]),
    url: Address,
    is_user_authenticated: Type.Boolean(),
  }),
  logo_url: Address,
  contact_email: Text,
  legal_info_url: Address,
});

export const CommerceDiscovery = extensible(
  "CommerceDiscovery",
  "A capability index over the existing transports, without a checkout protocol.",
  {
    protocol: Type.Object({ name: words(["acp"]), version: Text }),
    api_base_url: Address,
    transports: Type.Array(Text, { minItems: 1 }),
    capabilities: Type.Object({ services: Type.Array(Text, { minItems: 1 }) }),
    transport_endpoints: Type.Optional(Type.Record(Text, Address)),
    documentation_url: Type.Optional(Address),
    agent_card_url: Type.Optional(Address),
    openapi_url: Type.Optional(Address),
  },
);

export const CapabilityIndex = extensible("CapabilityIndex", "Capabilities, transports, times.", {
  capabilities: Type.Array(Capability),
  flows: Type.Array(Flow),
});

export const Coverage = extensible("Coverage", "Places and dates with available rooms.", {
  supply_of: Type.Object(
    { tenant_id: orNull(Uuid), mode: oneOf(["live"]) },
    { description: "The counted tenant; all if `tenant_id` is null." },
  ),
  properties: Type.Integer({ minimum: 0 }),
  cities: Type.Array(freeForm("`city`, `country`, `properties`, `currencies`.")),
  countries: Type.Array(freeForm("`country`, `properties`.")),
  currencies: Texts,
  nights: orNull(Type.Object({ first: Text, last: Text })),
});

export const ApiCatalog = extensible("ApiCatalog", "A linkset (RFC 9727, RFC 9264).", {
  linkset: Type.Array(freeForm("An anchor and its links.")),
});

export const AiCatalog = extensible("AiCatalog", "The agents of this host.", {
  specVersion: Text,
  entries: Type.Array(freeForm("An agent and its card.")),
});

export const McpServerCard = extensible("McpServerCard", "Address and transports of MCP.", {
  name: Text,
  version: Text,
  description: Text,
  remotes: Type.Array(freeForm("An address with its transport.")),
});

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

export const ServiceIndex = named("ServiceIndex", "Service index.", {
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  protocol_version: Type.String(),
  links: Type.Object(LINKS),
});

export const ErrorCatalogue = named("ErrorCatalogue", "Every error code.", {
  errors: Type.Array(
    named("ErrorCatalogueEntry", "An error code and its recovery.", {
      code: ErrorCode,
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      remediation: Type.String(),
      next_actions: Type.Array(
        named("CatalogueAction", "A recovery call, with a path template.", {
          rel: Rel,
          method: Method,
          href: Type.String({ description: "Path template; ids are in braces." }),
        }),
      ),
      docs_url: Type.String({ format: "uri" }),
    }),
  ),
});

export const PublicIssuers = named("PublicIssuers", "Trusted issuers of travelers' tokens.", {
  issuers: Type.Array(
    named("PublicIssuer", "An issuer of delegation tokens.", {
      iss: Type.String(),
      name: Type.String(),
      status: AccessState,
      jwks_url: orNull(Type.String({ format: "uri" })),
      allowed_audiences: Type.Array(Type.String()),
    }),
  ),
});
