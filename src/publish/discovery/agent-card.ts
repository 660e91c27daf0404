/**
 * The agent card of the service. A2A clients use the same path for their card: with `A2A-Version`
 * they get it alone; this card includes what other A2A clients need.
 */
import { DESCRIPTION, PRODUCT_VERSION, PROTOCOL_VERSION, TITLE } from "../../about/about.ts";
import { linksOf } from "../../about/links.ts";
import type { Config } from "../../config.ts";
import type { Routes } from "../../http/route-table.ts";
import { contractsOf } from "./contracts.ts";
import { capabilitiesOf, flows } from "./service-index.ts";

/** Members for A2A clients without `A2A-Version`; our own card has none of them. */
const A2A_MEMBERS = [
  ...["supportedInterfaces", "skills", "defaultInputModes", "defaultOutputModes"],
  ...["provider", "documentationUrl", "iconUrl", "securitySchemes", "securityRequirements"],
] as const;

/**
 * The members of the contract, plus the address of MCP and members for A2A clients from their card
 * `a2a`.
 */
export function agentCard(config: Config, routes: Routes, a2a: Readonly<Record<string, unknown>>) {
  const links = linksOf(config);
  return {
    name: TITLE,
    description: DESCRIPTION,
    version: PRODUCT_VERSION,
    protocol_version: PROTOCOL_VERSION,
    openapi_url: links.openapi_json,
    ai_plugin_url: links.ai_plugin,
    docs_url: links.docs,
    error_catalog_url: links.errors,
    mcp_url: links.mcp,
    auth: { schemes: authSchemes(config) },
    capabilities: capabilitiesOf(routes),
    flows: flows(),
    contracts: contractsOf(config, routes),
    ...Object.fromEntries(A2A_MEMBERS.map((name) => [name, a2a[name]])),
  };
}

function authSchemes({ baseUrl, oauthIssuer }: Config) {
  const schemes = [
    {
      type: "bearer",
      name: "Authorization",
      required: true,
      description: "Bearer <token>: the agent's secret, or an OAuth access token.",
    },
    {
      type: "header",
      name: "X-Tenant-Id",
      required: false,
      description: "The tenant's uuid. The credential decides; another tenant's id is refused.",
    },
    {
      type: "header",
      name: "X-Delegated-User",
      required: false,
      description:
        "The traveler's consent as a JWT: required on contracts.delegation.gated_routes.",
    },
  ];
  if (oauthIssuer === null) return schemes;
  const oauth2 = {
    type: "oauth2",
    name: "client_credentials",
    required: false,
    description:
      `Token endpoint ${baseUrl}/oauth/token; client_id is the agent's id, client_secret its ` +
      "secret. The access token is then the bearer.",
  };
  const byCode = {
    type: "oauth2",
    name: "authorization_code",
    required: false,
    description:
      `For MCP: register at ${baseUrl}/oauth/register, send a person to ${baseUrl}/oauth/authorize ` +
      "with PKCE (S256); an operator decides.",
  };
  return [...schemes, oauth2, byCode];
}
