/** The plugin manifest and the commerce discovery document. */
import { DESCRIPTION, GROUND_RULES, SERVICE_NAME, TITLE } from "../../about/about.ts";
import { contactEmail, linksOf } from "../../about/links.ts";
import type { Config } from "../../config.ts";
import { FLOW_LINES } from "../../protocols/tools/flows.ts";

/**
 * The plugin manifest. Tools that read it cut names at 20 characters (50 for models) and
 * descriptions at 100 (8,000 for models).
 */
export function pluginManifest(config: Config) {
  const links = linksOf(config);
  return {
    schema_version: "v1",
    name_for_human: TITLE,
    name_for_model: SERVICE_NAME,
    description_for_human: DESCRIPTION,
    description_for_model: [
      DESCRIPTION,
      "Use it to find hotel rooms for dates and guests, to price them, and to book or cancel them " +
        "for a traveler.",
      ...GROUND_RULES,
      `Flows: ${FLOW_LINES.join("; ")}.`,
    ].join(" "),
    auth: { type: "service_http", authorization_type: "bearer" },
    api: { type: "openapi", url: links.openapi_json, is_user_authenticated: false },
    logo_url: links.logo,
    contact_email: contactEmail(config),
    legal_info_url: links.legal,
  };
}

/**
 * An index over the existing transports. It promises no checkout protocol, payment objects or
 * webhooks, which other documents of this name do.
 */
export function commerceDiscovery(config: Config) {
  const links = linksOf(config);
  return {
    protocol: { name: "acp", version: "0.1" },
    api_base_url: config.baseUrl,
    transports: ["https+json", "mcp"],
    capabilities: { services: ["catalog", "pricing", "reservation", "booking"] },
    transport_endpoints: { "https+json": config.baseUrl, mcp: links.mcp },
    documentation_url: links.docs,
    agent_card_url: links.agent_card,
    openapi_url: links.openapi_json,
  };
}
