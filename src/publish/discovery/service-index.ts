/** `GET /` (spec 4.2) and `/capabilities.json`. */
import { EXTENSIONS_MAX } from "../../../engine/core/holds/hold.ts";
import { AUTHORITY, DESCRIPTION } from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import { PRODUCT_VERSION, PROTOCOL_VERSION, SERVICE_NAME } from "../../about/version.ts";
import type { Config } from "../../config.ts";
import type { Routes } from "../../http/route-table.ts";
import { capabilitiesOf, flows } from "./capabilities.ts";

/**
 * Spec 4.2: name, description, version and absolute links; the optional ones with OAuth only. All
 * accept GET: the endpoints of MCP and A2A, which only accept POST, are in their cards.
 */
export function serviceIndex(config: Config) {
  const { index: _self, mcp: _mcp, a2a: _a2a, ...links } = linksOf(config);
  return {
    name: SERVICE_NAME,
    description: DESCRIPTION,
    version: PRODUCT_VERSION,
    protocol_version: PROTOCOL_VERSION,
    links,
  };
}

/** `Link` header of `GET /`: the relations of RFC 8631 and RFC 9727. */
export function indexLinkHeader(config: Config): string {
  const links = linksOf(config);
  return [
    `<${links.openapi_json}>; rel="service-desc"; type="application/json"`,
    `<${links.docs}>; rel="service-doc"; type="text/html"`,
    `<${links.ready}>; rel="status"; type="application/json"`,
    `<${links.api_catalog}>; rel="api-catalog"; type="application/linkset+json"`,
  ].join(", ");
}

/** Capabilities, transports and time limits. */
export function capabilityIndex(config: Config, routes: Routes) {
  const { baseUrl, holdTtlMs, quoteTtlMs } = config;
  const links = linksOf(config);
  return {
    service: SERVICE_NAME,
    version: PRODUCT_VERSION,
    protocol_version: PROTOCOL_VERSION,
    notice: AUTHORITY,
    transports: [
      { type: "https+json", url: baseUrl, description_url: links.openapi_json },
      { type: "mcp", url: links.mcp, description_url: links.mcp_server_card },
      { type: "a2a", url: links.a2a, description_url: links.a2a_agent },
    ],
    agent_card_url: links.agent_card,
    coverage_url: links.coverage,
    capabilities: capabilitiesOf(routes),
    flows: flows(),
    lifetimes: {
      quote_s: quoteTtlMs / 1000,
      hold_s: holdTtlMs / 1000,
      hold_extensions_max: EXTENSIONS_MAX,
    },
  };
}
