/**
 * The discovery documents for agents, crawlers and people: public, cacheable, independent of the
 * caller.
 */
import { type TSchema, Type } from "@sinclair/typebox";
import type { Mode } from "../../../engine/core/supply.ts";
import { linksOf } from "../../about/links.ts";
import type { Document, PageView } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Contract, QueryParameter } from "../../http/contract.ts";
import { fixed } from "../../http/render-document.ts";
import { wantsPage } from "../../http/render-page.ts";
import { route } from "../../http/route.ts";
import { Uuid } from "../../http/schema/answer-parts.ts";
import { oneOf, UUID_PATTERN } from "../../http/schema/request-parts.ts";
import { a2aCard } from "../../protocols/a2a/cards.ts";
import { catalogueDocument } from "../../refusals/published.ts";
import { frontPage } from "../home/front-page.ts";
import { agentCard } from "./agent-card.ts";
import {
  AI_CATALOG_TYPE,
  API_CATALOG_TYPE,
  aiCatalog,
  apiCatalog,
  mcpServerCard,
  SERVER_CARD_TYPE,
} from "./catalogs.ts";
import { coverageOf } from "./coverage.ts";
import { llmsFullText } from "./llms-full-text.ts";
import { llmsText } from "./llms-text.ts";
import { commerceDiscovery, pluginManifest } from "./manifests.ts";
import { LOGO_SVG, legalText, ROBOTS_TXT } from "./pages.ts";
import {
  AgentCard,
  AiCatalog,
  ApiCatalog,
  CapabilityIndex,
  CommerceDiscovery,
  Coverage,
  ErrorCatalogue,
  McpServerCard,
  PluginManifest,
  PublicIssuers,
  ServiceIndex,
} from "./responses.ts";
import { capabilityIndex, indexLinkHeader, serviceIndex } from "./service-index.ts";

const ISSUERS_MAX_AGE_S = 60;
const UUID = new RegExp(`^${UUID_PATTERN}$`);

function tenant(description: string): QueryParameter {
  const fault = { message: "is malformed", expected: "a uuid" };
  return { schema: Uuid, description, isValid: (value) => UUID.test(value), fault };
}

const MODES: readonly string[] = ["live", "test"] satisfies readonly Mode[];

const MODE: QueryParameter = {
  schema: oneOf(MODES),
  description: "Only the issuers of this mode; a token is valid in the mode of the calling agent.",
  isValid: (value) => MODES.includes(value),
  fault: { message: "is unknown", expected: "live or test" },
};

const NEGOTIATED = { vary: "A2A-Version" };
const ownCard = fixed(
  async (context) => agentCard(context.config, context.routes, (await a2aCard(context)).card),
  { headers: NEGOTIATED },
);

/** A2A 1.0 clients get their own card, by `A2A-Version` (A2A §3.6). */
async function showAgentCard(call: PublicCall): Promise<Document> {
  if (!call.request.headers.has("a2a-version")) return ownCard(call);
  const { card: content, etagOf } = await a2aCard(call.context);
  return { ok: true, content, etagOf, headers: NEGOTIATED };
}

const ownIndex = fixed(({ config }) => serviceIndex(config));

/** The index for programs; clients that prefer HTML get the front page. */
async function showIndex(call: PublicCall): Promise<Document | PageView> {
  const link = indexLinkHeader(call.context.config);
  if (!wantsPage(call.request)) {
    return { ...(await ownIndex(call)), headers: { link, vary: "Accept" } };
  }
  const shown = await frontPage(call);
  return { ...shown, headers: { ...shown.headers, link } };
}

const ownApiCatalog = fixed(({ config }) => apiCatalog(config), { type: API_CATALOG_TYPE });

/** RFC 9727 §3: HEAD must have the link, too. */
async function showApiCatalog(call: PublicCall): Promise<Document> {
  const link = `<${linksOf(call.context.config).api_catalog}>; rel="api-catalog"`;
  return { ...(await ownApiCatalog(call)), headers: { link } };
}

/** The registered issuers; `?tenant_id=` and `?mode=` narrow the list. */
function listIssuers({ context, query }: PublicCall): Document {
  const [tenant_id, mode] = [query.get("tenant_id"), query.get("mode") as Mode | undefined];
  const issuers = context.control.publicIssuers({
    ...(tenant_id === undefined ? {} : { tenant_id }),
    ...(mode === undefined ? {} : { mode }),
  });
  return { ok: true, content: { issuers }, maxAgeS: ISSUERS_MAX_AGE_S };
}

async function showCoverage({ context, query }: PublicCall): Promise<Document> {
  const { replica, engineNow } = context;
  return { ok: true, content: await coverageOf(replica, engineNow(), query.get("tenant_id")) };
}

const GET = {
  tag: "Discovery",
  method: "GET",
  access: "public",
  renderer: "document",
  errors: [],
} as const;

/** Success of a document; JSON by default. */
function documented(body: TSchema, contentType?: string): Pick<Contract, "success"> {
  const type = contentType === undefined ? {} : { contentType };
  const success = { status: 200, description: "The document.", body } as const;
  return { success: { ...success, ...type } };
}

const PLAIN = documented(Type.String(), "text/plain");
const TEXT = { type: "text/plain; charset=utf-8" };
const SERVER_CARD = {
  ...GET,
  ...documented(McpServerCard, SERVER_CARD_TYPE),
  summary: "MCP server card",
  handle: fixed(({ config }) => mcpServerCard(config), { type: SERVER_CARD_TYPE }),
} as const;

export const discoveryRoutes = [
  route({
    ...GET,
    renderer: "page",
    success: {
      status: 200,
      description: "The document, or the front page for clients that prefer `text/html`.",
      body: ServiceIndex,
      alternatives: { "text/html": Type.String() },
    },
    id: "get_index",
    path: "/",
    summary: "Service index",
    description: "Start here: name, versions and the links to every description of the service.",
    handle: showIndex,
  }),
  route({
    ...GET,
    ...documented(AgentCard),
    id: "get_agent_card",
    path: "/.well-known/agent-card.json",
    summary: "Agent card",
    description:
      "Capabilities, flows and contracts. With the header `A2A-Version` the card of the A2A " +
      "protocol is sent instead.",
    handle: showAgentCard,
  }),
  route({
    ...GET,
    ...documented(PluginManifest),
    id: "get_plugin_manifest",
    path: "/.well-known/ai-plugin.json",
    summary: "Plugin manifest",
    description: "For hosts that load plugins by manifest.",
    handle: fixed(({ config }) => pluginManifest(config)),
  }),
  route({
    ...GET,
    ...documented(CommerceDiscovery),
    id: "get_commerce_discovery",
    path: "/.well-known/acp.json",
    summary: "Commerce discovery",
    description: "A capability index; it implies no checkout protocol, payments or webhooks.",
    handle: fixed(({ config }) => commerceDiscovery(config)),
  }),
  route({
    ...GET,
    ...documented(ErrorCatalogue),
    id: "list_errors",
    path: "/.well-known/errors",
    summary: "Error catalogue",
    description: "Every code with its status and recovery calls.",
    handle: fixed(({ config, routes }) => catalogueDocument(config.docsUrl, routes.published)),
  }),
  route({
    ...GET,
    id: "list_trusted_issuers",
    path: "/.well-known/delegation-issuers",
    summary: "List the delegation issuers",
    description: "Issuers whose delegation tokens are accepted, one row per `iss`.",
    query: { tenant_id: tenant("Only the issuers of this tenant."), mode: MODE },
    success: {
      status: 200,
      description: "The issuers.",
      body: PublicIssuers,
    },
    errors: ["validation_failed"],
    handle: listIssuers,
  }),
  route({
    ...GET,
    ...documented(ApiCatalog, "application/linkset+json"),
    id: "get_api_catalog",
    path: "/.well-known/api-catalog",
    summary: "API catalog",
    description: "Every interface and its descriptions (RFC 9727).",
    handle: showApiCatalog,
  }),
  route({
    ...GET,
    ...documented(AiCatalog, AI_CATALOG_TYPE),
    id: "get_ai_catalog",
    path: "/.well-known/ai-catalog.json",
    summary: "AI catalog",
    description: "Links to the cards of MCP and A2A.",
    handle: fixed(({ config }) => aiCatalog(config), { type: AI_CATALOG_TYPE }),
  }),
  route({
    ...SERVER_CARD,
    id: "get_mcp_server_card",
    path: "/mcp/server-card",
    description: "Address, transports and versions; the server itself lists tools.",
  }),
  route({
    ...SERVER_CARD,
    id: "get_mcp_server_card_alias",
    path: "/.well-known/mcp/server-card.json",
    description: "The same as `/mcp/server-card`, at a path that some clients use.",
  }),
  route({
    ...GET,
    ...documented(CapabilityIndex),
    id: "get_capabilities",
    path: "/capabilities.json",
    summary: "Capability index",
    description: "Capabilities, transports and time limits.",
    handle: fixed(({ config, routes }) => capabilityIndex(config, routes)),
  }),
  route({
    ...GET,
    ...documented(Coverage),
    id: "get_coverage",
    path: "/coverage.json",
    summary: "Coverage",
    description: "Places and dates with available rooms, of all tenants or one; for planning only.",
    query: { tenant_id: tenant("Only the properties of this tenant.") },
    readsReplica: true,
    handle: showCoverage,
  }),
  route({
    ...GET,
    ...PLAIN,
    id: "get_llms_txt",
    path: "/llms.txt",
    summary: "Short description for models",
    description: "Purpose, flows and links.",
    handle: fixed(({ config }) => llmsText(config), TEXT),
  }),
  route({
    ...GET,
    ...PLAIN,
    id: "get_llms_full_txt",
    path: "/llms-full.txt",
    summary: "Full description for models",
    description: "Every call with its fields and errors.",
    handle: fixed(({ config, routes }) => llmsFullText(config, routes), TEXT),
  }),
  route({
    ...GET,
    ...PLAIN,
    id: "get_legal",
    path: "/legal",
    summary: "Legal information",
    description: "Responsibilities.",
    handle: fixed(({ config }) => legalText(config), TEXT),
  }),
  route({
    ...GET,
    ...PLAIN,
    id: "get_robots_txt",
    path: "/robots.txt",
    summary: "Rules for crawlers",
    description: "All public pages may be crawled.",
    handle: fixed(() => ROBOTS_TXT, TEXT),
  }),
  route({
    ...GET,
    ...documented(Type.String(), "image/svg+xml"),
    id: "get_logo",
    path: "/logo.svg",
    summary: "The logo",
    description: "For directories.",
    handle: fixed(() => LOGO_SVG, { type: "image/svg+xml" }),
  }),
];
