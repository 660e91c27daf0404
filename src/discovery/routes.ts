/**
 * The discovery documents (spec 4.2): what an agent, a crawler or a person needs to find out what
 * the service is. Public, cacheable, the same for everybody.
 */
import { a2aCard } from "../a2a/cards.ts";
import { linksOf } from "../about/links.ts";
import type { Config } from "../config.ts";
import type { PublicCall, PublicRoute } from "../http/call.ts";
import { fixed } from "../http/fixed.ts";
import { invalid, published } from "../http/respond.ts";
import { UUID_PATTERN } from "../http/schema/request-parts.ts";
import { catalogueDocument } from "../refusals/published.ts";
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
import { capabilityIndex, indexLinkHeader, serviceIndex } from "./service-index.ts";

const UUID = new RegExp(`^${UUID_PATTERN}$`);
const ISSUERS_MAX_AGE_S = 60;
const PUBLIC_GET = { method: "GET", access: "public" } as const;

/** Adds a `Link` header to a route's answers. */
function linking(route: PublicRoute, linkOf: (config: Config) => string): PublicRoute {
  const handle = async (call: PublicCall): Promise<Response> => {
    const response = await route.handle(call);
    response.headers.set("link", linkOf(call.deps.config));
    return response;
  };
  return { ...route, handle };
}

const NEGOTIATED = { headers: { vary: "A2A-Version" } };

const agentCardRoute = fixed(
  "/.well-known/agent-card.json",
  async (deps) => agentCard(deps.config, deps.routes, (await a2aCard(deps)).card),
  NEGOTIATED,
);

/** A2A clients look here for their own card, and those of 1.0 say so (A2A §3.6). */
async function showAgentCard(call: PublicCall): Promise<Response> {
  if (!call.request.headers.has("a2a-version")) return agentCardRoute.handle(call);
  const { card, etagOf } = await a2aCard(call.deps);
  return published(call, card, { ...NEGOTIATED, etagOf });
}

/** RFC 9727 §3: a HEAD request, too, must find the link. */
function catalogLink(config: Config): string {
  return `<${linksOf(config).api_catalog}>; rel="api-catalog"`;
}

/** Spec 2.10; `?tenant_id=` narrows the list (rules §3). */
function listIssuers(call: PublicCall): Response {
  const tenantId = call.query.get("tenant_id");
  if (tenantId !== undefined && !UUID.test(tenantId)) {
    return invalid(call, [{ path: "?tenant_id", message: "is malformed", expected: "a uuid" }]);
  }
  const issuers = call.deps.control.publicIssuers(tenantId);
  return published(call, { issuers }, { maxAgeS: ISSUERS_MAX_AGE_S });
}

async function showCoverage(call: PublicCall): Promise<Response> {
  return published(call, await coverageOf(call.deps.replica, call.deps.now()));
}

const TEXT = { type: "text/plain; charset=utf-8" };
const SERVER_CARD = { type: SERVER_CARD_TYPE };

export const discoveryRoutes: readonly PublicRoute[] = [
  linking(
    fixed("/", ({ config }) => serviceIndex(config)),
    indexLinkHeader,
  ),
  { ...agentCardRoute, handle: showAgentCard },
  fixed("/.well-known/ai-plugin.json", ({ config }) => pluginManifest(config)),
  fixed("/.well-known/acp.json", ({ config }) => commerceDiscovery(config)),
  fixed("/.well-known/errors", ({ config, routes }) => catalogueDocument(config.docsUrl, routes)),
  {
    ...PUBLIC_GET,
    path: "/.well-known/delegation-issuers",
    query: ["tenant_id"],
    handle: listIssuers,
  },
  linking(
    fixed("/.well-known/api-catalog", ({ config }) => apiCatalog(config), {
      type: API_CATALOG_TYPE,
    }),
    catalogLink,
  ),
  fixed("/.well-known/ai-catalog.json", ({ config }) => aiCatalog(config), {
    type: AI_CATALOG_TYPE,
  }),
  fixed("/mcp/server-card", ({ config }) => mcpServerCard(config), SERVER_CARD),
  fixed("/.well-known/mcp/server-card.json", ({ config }) => mcpServerCard(config), SERVER_CARD),
  fixed("/capabilities.json", ({ config, routes }) => capabilityIndex(config, routes)),
  { ...PUBLIC_GET, path: "/coverage.json", handle: showCoverage },
  fixed("/llms.txt", ({ config }) => llmsText(config), TEXT),
  fixed("/llms-full.txt", ({ config, routes }) => llmsFullText(config, routes), TEXT),
  fixed("/legal", ({ config }) => legalText(config), TEXT),
  fixed("/robots.txt", () => ROBOTS_TXT, TEXT),
  fixed("/logo.svg", () => LOGO_SVG, { type: "image/svg+xml" }),
];
