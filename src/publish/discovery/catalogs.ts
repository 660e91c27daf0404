/**
 * Catalogs by which crawlers find interfaces: the API catalog (RFC 9727), the AI catalog
 * (Agent-Card/ai-catalog) and the MCP server card it points to (SEP-2127, experimental).
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { DESCRIPTION, PRODUCT_VERSION, SERVICE_NAME, TITLE } from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import type { Config } from "../../config.ts";

export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
export const AI_CATALOG_TYPE = "application/ai-catalog+json";
export const SERVER_CARD_TYPE = "application/mcp-server-card+json";
const A2A_CARD_TYPE = "application/a2a-agent-card+json";
const JSON_TYPE = "application/json";

const SERVER_CARD_SCHEMA =
  "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/** The revision without sessions; the library lists only revisions with `initialize`. */
const MCP_STATELESS = "2026-07-28";
/** The first revision with the streamable HTTP transport. */
const MCP_STREAMABLE_SINCE = "2025-03-26";

/** RFC 9727 over RFC 9264: one context per interface, and the catalog of them. */
export function apiCatalog(config: Config) {
  const links = linksOf(config);
  const doc = [{ href: links.docs, type: "text/html" }];
  return {
    linkset: [
      {
        anchor: links.api_catalog,
        item: [links.index, links.mcp, links.a2a].map((href) => ({ href })),
      },
      {
        anchor: links.index,
        "service-desc": [
          { href: links.openapi_json, type: JSON_TYPE },
          { href: links.openapi_yaml, type: "application/yaml" },
        ],
        "service-doc": [...doc, { href: links.llms, type: "text/plain" }],
        "service-meta": [
          { href: links.agent_card, type: JSON_TYPE },
          { href: links.capabilities, type: JSON_TYPE },
          { href: links.coverage, type: JSON_TYPE },
          { href: links.errors, type: JSON_TYPE },
        ],
        status: [{ href: links.ready, type: JSON_TYPE }],
      },
      {
        anchor: links.mcp,
        "service-desc": [{ href: links.mcp_server_card, type: SERVER_CARD_TYPE }],
        "service-doc": doc,
      },
      {
        anchor: links.a2a,
        "service-desc": [{ href: links.a2a_agent, type: JSON_TYPE }],
        "service-doc": doc,
      },
    ],
  };
}

/**
 * The agents of this host. An entry has its type twice, because drafts of the format differ in the
 * member's name.
 */
export function aiCatalog(config: Config) {
  const links = linksOf(config);
  const { hostname } = new URL(config.baseUrl);
  const entry = (kind: string, type: string, url: string) => {
    const identifier = `urn:air:${hostname}:${SERVICE_NAME}:${kind}`;
    return { identifier, displayName: TITLE, type, mediaType: type, url };
  };
  return {
    specVersion: "1.0",
    host: { displayName: TITLE, documentationUrl: links.docs, logoUrl: links.logo },
    entries: [
      entry("mcp", SERVER_CARD_TYPE, links.mcp_server_card),
      entry("a2a", A2A_CARD_TYPE, links.a2a_agent),
    ],
  };
}

/** Address and transports; the server itself lists tools. */
export function mcpServerCard(config: Config) {
  const links = linksOf(config);
  const legacy = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version >= MCP_STREAMABLE_SINCE);
  const authorization = {
    name: "Authorization",
    description: "Bearer <token>: an agent's secret, or an OAuth access token for this server.",
    isRequired: true,
    isSecret: true,
  };
  const delegation = {
    name: "X-Delegated-User",
    description: "The traveler's consent as a JWT; needed to book and to cancel.",
    isRequired: false,
    isSecret: true,
  };
  return {
    $schema: SERVER_CARD_SCHEMA,
    name: `${reversed(new URL(config.baseUrl).hostname)}/${SERVICE_NAME}`,
    version: PRODUCT_VERSION,
    title: TITLE,
    description: DESCRIPTION,
    websiteUrl: links.docs,
    icons: [{ src: links.logo, mimeType: "image/svg+xml", sizes: ["any"] }],
    remotes: [
      {
        type: "streamable-http",
        url: links.mcp,
        headers: [authorization, delegation],
        supportedProtocolVersions: [MCP_STATELESS, ...legacy],
      },
    ],
  };
}

/** Reverse-DNS form of a host name; an IP address is kept, without the brackets of IPv6. */
function reversed(hostname: string): string {
  if (/^[\d.]+$/.test(hostname)) return hostname;
  if (hostname.startsWith("[")) return hostname.replace(/[[\]]/g, "").replaceAll(":", "-");
  return hostname.split(".").reverse().join(".");
}
