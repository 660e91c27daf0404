/** `GET /` and `/capabilities.json`. */
import { EXTENSIONS_MAX } from "../../../engine/core/holds/hold.ts";
import {
  AUTHORITY,
  DESCRIPTION,
  PRODUCT_VERSION,
  PROTOCOL_VERSION,
  SERVICE_NAME,
} from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import type { Method, Rel } from "../../actions/steps.ts";
import type { Config } from "../../config.ts";
import { type Contract, documentedPath } from "../../http/contract.ts";
import type { Routes } from "../../http/route-table.ts";
import { toolsOf } from "../../protocols/tools/catalogue.ts";
import { FLOWS } from "../../protocols/tools/flows.ts";

/**
 * Name, description, version and absolute links; the optional ones with OAuth only. All accept GET:
 * the endpoints of MCP and A2A, which only accept POST, are in their cards.
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

/** An operation that the cards list. */
interface Capability {
  readonly id: string;
  readonly description: string;
  readonly method: Method;
  /** Path with `{name}` parameters. */
  readonly href: string;
  /** True for reads and for writes with an idempotency key. */
  readonly idempotent: boolean;
  /** The usual next step. */
  readonly next_rel: Rel | null;
}

/** Capabilities in the order of the flow. */
export function capabilitiesOf(routes: Routes): Capability[] {
  return toolsOf(routes).map(({ route, description, nextRel }) => {
    return capabilityOf(route, description, nextRel);
  });
}

function capabilityOf(route: Contract, description: string, next_rel: Rel | null): Capability {
  const { id, method, key } = route;
  const idempotent = method === "GET" || key !== undefined;
  return { id, description, method, href: documentedPath(route), idempotent, next_rel };
}

/** The canonical flows; steps are ids of capabilities. */
export function flows() {
  return FLOWS.map(({ id, description, steps }) => ({ id, description, steps }));
}
