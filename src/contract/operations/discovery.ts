/** The documents by which agents, crawlers and people find the service (spec 4.2). */
import { type TSchema, Type } from "@sinclair/typebox";
import { ErrorCatalogue, PublicIssuers, ServiceIndex } from "../../api/health/answers.ts";
import {
  A2aCard,
  AgentCard,
  AiCatalog,
  ApiCatalog,
  CapabilityIndex,
  CommerceDiscovery,
  Coverage,
  McpServerCard,
  PluginManifest,
} from "../../discovery/answers.ts";
import type { Operation, OperationTable } from "../../http/contract.ts";
import { Uuid } from "../../http/schema/answer-parts.ts";

interface Words {
  readonly summary: string;
  readonly description: string;
  readonly contentType?: string;
}

function published(id: string, body: TSchema, words: Words): Operation {
  const { summary, description, contentType } = words;
  const type = contentType === undefined ? {} : { contentType };
  const success = {
    status: 200,
    description: "The document.",
    body,
    maxAgeS: 300,
    ...type,
  } as const;
  return { id, tag: "Discovery", summary, description, success, errors: [] };
}

const PLAIN = "text/plain";
const SERVER_CARD = {
  summary: "MCP server card",
  description: "Address, transports and versions; tools are listed by the server itself.",
  contentType: "application/mcp-server-card+json",
};

export const discoveryOperations: OperationTable = {
  "GET /": published("get_index", ServiceIndex, {
    summary: "Where everything is",
    description: "Start here: name, versions and the links to every description of the service.",
  }),
  "GET /.well-known/agent-card.json": published("get_agent_card", AgentCard, {
    summary: "Agent card",
    description:
      "Capabilities, flows and contracts. With the header `A2A-Version` the card of the A2A " +
      "protocol is sent instead.",
  }),
  "GET /.well-known/agent.json": published("get_a2a_card", A2aCard, {
    summary: "Agent-to-agent card",
    description: "For clients of A2A.",
  }),
  "GET /.well-known/ai-plugin.json": published("get_plugin_manifest", PluginManifest, {
    summary: "Plugin manifest",
    description: "For hosts that load plugins by manifest.",
  }),
  "GET /.well-known/acp.json": published("get_commerce_discovery", CommerceDiscovery, {
    summary: "Commerce discovery",
    description: "A capability index; it implies no checkout protocol, payments or webhooks.",
  }),
  "GET /.well-known/errors": published("list_errors", ErrorCatalogue, {
    summary: "The error catalogue",
    description: "Every code with its status and recovery calls; the authoritative list.",
  }),
  "GET /.well-known/delegation-issuers": {
    id: "list_trusted_issuers",
    tag: "Discovery",
    summary: "Who may vouch for travelers",
    description: "Issuers whose delegation tokens are accepted, one row per `iss`.",
    query: { tenant_id: { schema: Uuid, description: "Only the issuers of this tenant." } },
    success: { status: 200, description: "The issuers.", body: PublicIssuers, maxAgeS: 60 },
    errors: ["validation_failed"],
  },
  "GET /.well-known/api-catalog": published("get_api_catalog", ApiCatalog, {
    summary: "API catalog",
    description: "Every interface and what describes it (RFC 9727).",
    contentType: "application/linkset+json",
  }),
  "GET /.well-known/ai-catalog.json": published("get_ai_catalog", AiCatalog, {
    summary: "AI catalog",
    description: "Where the cards of MCP and A2A are.",
    contentType: "application/ai-catalog+json",
  }),
  "GET /mcp/server-card": published("get_mcp_server_card", McpServerCard, SERVER_CARD),
  "GET /.well-known/mcp/server-card.json": published("get_mcp_server_card_alias", McpServerCard, {
    ...SERVER_CARD,
    description: "The same as `/mcp/server-card`, where some clients look for it.",
  }),
  "GET /capabilities.json": published("get_capabilities", CapabilityIndex, {
    summary: "Capability index",
    description: "What can be done, over which transports and within which times.",
  }),
  "GET /coverage.json": published("get_coverage", Coverage, {
    summary: "Coverage",
    description: "Where and when something can be booked; planning context, no promise.",
  }),
  "GET /llms.txt": published("get_llms_txt", Type.String(), {
    summary: "The service in short, for models",
    description: "What it does, the flows and where to read on.",
    contentType: PLAIN,
  }),
  "GET /llms-full.txt": published("get_llms_full_txt", Type.String(), {
    summary: "The service in full, for models",
    description: "Every call with its fields and errors.",
    contentType: PLAIN,
  }),
  "GET /legal": published("get_legal", Type.String(), {
    summary: "Legal information",
    description: "Who is responsible for what.",
    contentType: PLAIN,
  }),
  "GET /robots.txt": published("get_robots_txt", Type.String(), {
    summary: "A word to crawlers",
    description: "Everything public may be read.",
    contentType: PLAIN,
  }),
  "GET /logo.svg": published("get_logo", Type.String(), {
    summary: "The logo",
    description: "For those who list the service.",
    contentType: "image/svg+xml",
  }),
};
