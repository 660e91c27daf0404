/**
 * The discovery documents and the indexes of `/`. Other formats define their further members, so
 * all of them are open.
 */
import { Type } from "@sinclair/typebox";
import { documented } from "../../http/schema/annotations.ts";
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

const ServiceVersion = documented(Text, "Version of the service.");

const Capability = extensible("Capability", "A capability of the service.", {
  id: documented(Text, "The operation's id."),
  description: documented(Text, "What it does."),
  method: Method,
  href: Type.String({ description: "Path template." }),
  idempotent: documented(Type.Boolean(), "Whether calls can be repeated safely."),
  next_rel: orNull(Rel),
});

const Flow = extensible("Flow", "A sequence of capabilities.", {
  id: documented(Text, "Name of the flow."),
  description: documented(Text, "Purpose of the flow."),
  steps: documented(Texts, "Ids of the capabilities, in order."),
});

const Contracts = extensible("Contracts", "Rules of every call.", {
  envelope: freeForm("`success_fields`, `error_fields`, `next_action_rels`, `next_actions`."),
  idempotency: freeForm("`body_field`, `header`, `scoped_endpoints`, `description`."),
  trace_context: freeForm("`propagation`, `header`, `description`."),
  receipts: freeForm("`algorithm`, `kinds`, `verify_endpoint`, `canonical_form`."),
  pagination: extensible("PaginationContract", "How lists are returned.", {
    strategy: documented(
      words(["complete", "cursor", "offset"]),
      "`complete`: lists are never truncated.",
    ),
    description: documented(Text, "Description in a sentence."),
  }),
  delegation: freeForm("`header`, `gated_routes`, `error_codes` and the form of a token."),
});

export const AgentCard = extensible(
  "AgentCard",
  "Capabilities of the service and how to call it.",
  {
    name: Text,
    description: documented(Text, "What the service does."),
    version: ServiceVersion,
    protocol_version: documented(Text, "Version of the contract."),
    openapi_url: documented(Address, "Address of the OpenAPI document."),
    ai_plugin_url: documented(Address, "Address of the plugin manifest."),
    docs_url: Address,
    error_catalog_url: documented(Address, "Address of the error catalogue."),
    auth: Type.Object({
      schemes: Type.Array(
        Type.Object({
          type: documented(words(["header", "bearer", "oauth2"]), "Type of the scheme."),
          name: Text,
          required: documented(Type.Boolean(), "Whether every call needs it."),
          description: documented(Text, "How to send it."),
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
  name_for_human: documented(Text, "Name for people."),
  name_for_model: documented(Text, "Name for models."),
  description_for_human: documented(Text, "Description for people."),
  description_for_model: documented(Text, "Description for models, with usage."),
  auth: extensible("PluginAuth", "Authentication of hosts.", {
    type: documented(words(["none", "user_http", "service_http"]), "Type of authentication."),
    authorization_type: documented(Type.Optional(Text), "Scheme in `Authorization`."),
  }),
  api: Type.Object({
    type: words(["openapi"]),
    url: documented(Address, "Address of the OpenAPI document."),
    is_user_authenticated: documented(Type.Boolean(), "Whether each user has a credential."),
  }),
  logo_url: documented(Address, "Address of the logo."),
  contact_email: documented(Text, "Contact for the API."),
  legal_info_url: documented(Address, "Address of the terms of use."),
});

export const CommerceDiscovery = extensible(
  "CommerceDiscovery",
  "A capability index over the existing transports, without a checkout protocol.",
  {
    protocol: Type.Object({
      name: words(["acp"]),
      version: documented(Text, "Published version of the protocol."),
    }),
    api_base_url: documented(Address, "Base address of API paths."),
    transports: documented(Type.Array(Text, { minItems: 1 }), "Available transports."),
    capabilities: Type.Object({
      services: documented(Type.Array(Text, { minItems: 1 }), "Groups of operations."),
    }),
    transport_endpoints: documented(
      Type.Optional(Type.Record(Text, Address)),
      "Address of each transport.",
    ),
    documentation_url: documented(Type.Optional(Address), "Address of the reference."),
    agent_card_url: documented(Type.Optional(Address), "Address of the A2A agent card."),
    openapi_url: documented(Type.Optional(Address), "Address of the OpenAPI document."),
  },
);

export const CapabilityIndex = extensible("CapabilityIndex", "Capabilities, transports, times.", {
  capabilities: Type.Array(Capability),
  flows: Type.Array(Flow),
});

export const Coverage = extensible("Coverage", "Places and dates with available rooms.", {
  supply_of: Type.Object(
    {
      tenant_id: documented(orNull(Uuid), "The requested tenant; null for all."),
      mode: oneOf(["live"]),
    },
    { description: "The counted tenant; all if `tenant_id` is null." },
  ),
  properties: documented(Type.Integer({ minimum: 0 }), "Number of live properties."),
  cities: documented(
    Type.Array(freeForm("`city`, `country`, `properties`, `currencies`.")),
    "Cities with available rooms.",
  ),
  countries: documented(
    Type.Array(freeForm("`country`, `properties`.")),
    "Countries with available rooms.",
  ),
  currencies: documented(Texts, "Currencies of the rates."),
  nights: orNull(
    Type.Object({
      first: documented(Text, "The first night on sale."),
      last: documented(Text, "The last night on sale."),
    }),
  ),
});

export const ApiCatalog = extensible("ApiCatalog", "A linkset (RFC 9727, RFC 9264).", {
  linkset: documented(Type.Array(freeForm("An anchor and its links.")), "Anchors with links."),
});

export const AiCatalog = extensible("AiCatalog", "The agents of this host.", {
  specVersion: documented(Text, "Version of the catalog's format."),
  entries: documented(
    Type.Array(freeForm("An agent and its card.")),
    "The agents, each with the address of its card.",
  ),
});

export const McpServerCard = extensible("McpServerCard", "Address and transports of MCP.", {
  name: Text,
  version: ServiceVersion,
  description: documented(Text, "Description of the server."),
  remotes: documented(
    Type.Array(freeForm("An address with its transport.")),
    "Addresses with their transports.",
  ),
});

const link = (what: string) => documented(Address, `Address of ${what}.`);

const optionalLink = (what: string) => Type.Optional(link(what));

const LINKS = {
  agent_card: link("the agent card"),
  a2a_agent: link("the A2A agent card"),
  ai_plugin: link("the plugin manifest"),
  openapi_json: link("this document as JSON"),
  openapi_yaml: link("this document as YAML"),
  health: link("the liveness check"),
  ready: link("the readiness check"),
  acp_discovery: optionalLink("the commerce discovery document"),
  oauth_authorization_server: optionalLink("the metadata of RFC 8414"),
  openid_configuration: optionalLink("the same metadata as `oauth_authorization_server`"),
  oauth_protected_resource: optionalLink("the metadata of RFC 9728"),
  docs: optionalLink("the reference"),
  api_catalog: optionalLink("the linkset of RFC 9727"),
  ai_catalog: optionalLink("the catalog of this host's agents"),
  llms: optionalLink("the short text for models"),
  llms_full: optionalLink("the whole text for models"),
  capabilities: optionalLink("the index of capabilities"),
  coverage: optionalLink("where and when something can be booked"),
  errors: optionalLink("the error catalogue"),
  delegation_issuers: optionalLink("the trusted issuers of travelers' tokens"),
  jwks: optionalLink("the keys that check signatures of the service"),
  mcp: optionalLink("the MCP endpoint"),
  mcp_server_card: optionalLink("the MCP server card"),
  a2a: optionalLink("the A2A endpoint"),
  logo: optionalLink("the logo, SVG"),
  legal: optionalLink("the terms of use"),
};

export const ServiceIndex = named("ServiceIndex", "Service index.", {
  name: Type.String(),
  description: documented(Text, "What the service does."),
  version: ServiceVersion,
  protocol_version: documented(Type.String(), "Version of the contract."),
  links: Type.Object(LINKS),
});

export const ErrorCatalogue = named("ErrorCatalogue", "Every error code.", {
  errors: Type.Array(
    named("ErrorCatalogueEntry", "An error code and its recovery.", {
      code: ErrorCode,
      status: documented(Type.Integer({ minimum: 400, maximum: 599 }), "HTTP status."),
      remediation: documented(Type.String(), "What to do about it."),
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
      allowed_audiences: documented(Type.Array(Type.String()), "Accepted audiences of its tokens."),
    }),
  ),
});
