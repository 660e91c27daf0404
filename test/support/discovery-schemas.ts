/**
 * The bodies of the discovery documents, written down a second time and closed, so that no document
 * can lose, rename or retype a member unseen. What we add to a body stands under `added`.
 */

import { expect } from "bun:test";
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { METHODS, RELS } from "../../src/actions/steps.ts";

const text = Type.String({ minLength: 1 });
const url = Type.String({ pattern: "^https?://[^\\s{}]+$" });
const path = Type.String({ pattern: "^/[^\\s:]*$" });

function closed(properties: TProperties): TSchema {
  return Type.Object(properties, { additionalProperties: false });
}

function oneOf(words: readonly string[]): TSchema {
  return Type.Union(words.map((word) => Type.Literal(word)));
}

/** Exactly these words in this order. */
function exactly(...words: readonly string[]): TSchema {
  return Type.Tuple(words.map((word) => Type.Literal(word)));
}

function named(names: readonly string[], schema: TSchema): TProperties {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

function optional(names: readonly string[], schema: TSchema): TProperties {
  return named(names, Type.Optional(schema));
}

/** Fails the test with everything in `value` that is not as the schema says. */
export function expectShape(schema: TSchema, value: unknown): void {
  const faults = [...Value.Errors(schema, value)].map(({ path: at, message }) => [at, message]);
  expect(faults).toEqual([]);
}

const OAUTH_LINKS = [
  "oauth_authorization_server",
  "openid_configuration",
  "oauth_protected_resource",
];
const ADDED_LINKS = [
  ...["docs", "api_catalog", "ai_catalog", "llms", "llms_full", "capabilities", "coverage"],
  ...["errors", "delegation_issuers", "jwks", "mcp_server_card", "logo", "legal"],
];

export const ServiceIndex = closed({
  ...named(["name", "description", "version", "protocol_version"], text),
  links: closed({
    ...named(["agent_card", "a2a_agent", "ai_plugin", "openapi_json", "openapi_yaml"], url),
    ...named(["health", "ready"], url),
    ...optional(["acp_discovery", ...OAUTH_LINKS], url),
    ...named(ADDED_LINKS, url),
  }),
});

const method = oneOf(METHODS);
const texts = Type.Array(text, { minItems: 1 });

const Contracts = closed({
  envelope: closed({
    success_fields: exactly("data", "trace_id", "next_actions", "expires_at", "receipt"),
    error_fields: exactly(
      ...["code", "message", "detail", "remediation", "retry_after", "docs_url", "trace_id"],
      "next_actions",
    ),
    next_action_rels: exactly(...RELS),
    next_actions: text,
  }),
  idempotency: closed({
    body_field: Type.Literal("idempotency_key"),
    header: Type.Literal("Idempotency-Key"),
    scoped_endpoints: exactly("POST /v1/holds", "POST /v1/bookings", "POST /v1/admin/bookings"),
    description: Type.String({ pattern: "at least 7 days" }),
  }),
  trace_context: closed({
    propagation: Type.Literal("w3c-traceparent"),
    header: Type.Literal("traceparent"),
    description: text,
  }),
  receipts: closed({
    algorithm: Type.Literal("HS256"),
    kinds: exactly("booking_confirmed", "booking_cancelled", "refund_issued"),
    verify_endpoint: Type.Literal("POST /v1/receipts/verify"),
    canonical_form: Type.Literal("RFC8785-JCS(issued_at,issuer,kind,subject)"),
    description: text,
  }),
  pagination: closed({ strategy: Type.Literal("complete"), description: text }),
  delegation: closed({
    header: Type.Literal("X-Delegated-User"),
    token_type: Type.Literal("jwt"),
    accepted_algorithms: exactly("RS256", "ES256"),
    required_claims: exactly("iss", "sub", "aud", "exp"),
    gated_routes: Type.Array(closed({ method, href: path }), { minItems: 2, maxItems: 2 }),
    error_codes: closed({
      missing_header: Type.Literal("delegation_required"),
      verification_failed: Type.Literal("delegation_invalid"),
      issuer_not_trusted: Type.Literal("delegation_issuer_unknown"),
    }),
    description: text,
    audience: text,
  }),
});

export const AgentCard = closed({
  ...named(["name", "description", "version", "protocol_version"], text),
  ...named(["openapi_url", "ai_plugin_url", "docs_url", "error_catalog_url", "mcp_url"], url),
  auth: closed({
    schemes: Type.Array(
      closed({
        type: oneOf(["header", "bearer", "oauth2"]),
        name: text,
        required: Type.Boolean(),
        description: text,
      }),
      { minItems: 3 },
    ),
  }),
  capabilities: Type.Array(
    closed({
      id: Type.String({ pattern: "^[a-z_]+$" }),
      description: text,
      method,
      href: path,
      idempotent: Type.Boolean(),
      next_rel: Type.Union([oneOf(RELS), Type.Null()]),
    }),
    { minItems: 12 },
  ),
  flows: Type.Array(closed({ id: text, description: text, steps: texts })),
  contracts: Contracts,
  supportedInterfaces: Type.Array(
    closed({ url, protocolBinding: Type.Literal("JSONRPC"), protocolVersion: text }),
    { minItems: 1 },
  ),
  skills: Type.Array(Type.Object(named(["id", "name", "description"], text)), { minItems: 12 }),
  ...named(["defaultInputModes", "defaultOutputModes"], texts),
  provider: closed({ organization: text, url }),
  ...named(["documentationUrl", "iconUrl"], url),
  ...named(["securitySchemes"], Type.Object({})),
  ...named(["securityRequirements"], Type.Array(Type.Object({}))),
});

export const PluginManifest = closed({
  schema_version: Type.Literal("v1"),
  name_for_human: Type.String({ minLength: 1, maxLength: 20 }),
  name_for_model: Type.String({ pattern: "^[a-z0-9_]{1,50}$" }),
  description_for_human: Type.String({ minLength: 1, maxLength: 100 }),
  description_for_model: Type.String({ minLength: 1, maxLength: 8000 }),
  auth: closed({
    type: Type.Literal("service_http"),
    authorization_type: Type.Literal("bearer"),
  }),
  api: closed({
    type: Type.Literal("openapi"),
    url,
    is_user_authenticated: Type.Literal(false),
  }),
  logo_url: url,
  contact_email: Type.String({ pattern: "^[^@\\s]+@[^@\\s]+$" }),
  legal_info_url: url,
});

export const CommerceDiscovery = closed({
  protocol: closed({ name: Type.Literal("acp"), version: Type.Literal("0.1") }),
  api_base_url: url,
  transports: exactly("https+json", "mcp"),
  capabilities: closed({ services: exactly("catalog", "pricing", "reservation", "booking") }),
  transport_endpoints: closed({ "https+json": url, mcp: url }),
  ...named(["documentation_url", "agent_card_url", "openapi_url"], url),
});

/** RFC 9264 §4.2: every relation is an array of targets. */
const targets = Type.Array(closed({ href: url, type: Type.Optional(text) }), { minItems: 1 });

export const ApiCatalog = closed({
  linkset: Type.Array(
    closed({
      anchor: url,
      ...optional(["service-desc", "service-doc", "service-meta", "status", "item"], targets),
    }),
    { minItems: 2 },
  ),
});

export const AiCatalog = closed({
  specVersion: Type.Literal("1.0"),
  host: closed({ displayName: text, documentationUrl: url, logoUrl: url }),
  entries: Type.Array(
    closed({
      identifier: Type.String({ pattern: "^urn:air:[^:]+:innkeep:(mcp|a2a)$" }),
      ...named(["displayName", "type", "mediaType"], text),
      url,
    }),
    { minItems: 2 },
  ),
});

const Header = closed({
  ...named(["name", "description"], text),
  ...named(["isRequired", "isSecret"], Type.Boolean()),
});

export const ServerCard = closed({
  $schema: Type.Literal(
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  ),
  name: Type.String({ pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" }),
  version: text,
  title: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.String({ minLength: 1, maxLength: 100 }),
  websiteUrl: url,
  icons: Type.Array(closed({ src: url, mimeType: text, sizes: texts })),
  remotes: Type.Array(
    closed({
      type: Type.Literal("streamable-http"),
      url,
      headers: Type.Array(Header),
      supportedProtocolVersions: Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
    }),
    { minItems: 1 },
  ),
});

const count = Type.Integer({ minimum: 1 });
const country = Type.String({ pattern: "^[A-Z]{2}$" });
const currencies = Type.Array(Type.String({ pattern: "^[A-Z]{3}$" }), { minItems: 1 });
const night = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

export const Coverage = closed({
  notice: text,
  supply_of: closed({
    tenant_id: Type.Union([Type.Null(), text]),
    mode: Type.Literal("live"),
  }),
  properties: count,
  cities: Type.Array(closed({ city: text, country, properties: count, currencies })),
  countries: Type.Array(closed({ country, properties: count })),
  currencies,
  nights: closed({ first: night, last: night }),
});
