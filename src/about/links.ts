/**
 * Addresses of all public resources: one table, so that discovery documents agree. The names are
 * those of `GET /`.
 */
import type { Config } from "../config.ts";

const PATHS = {
  agent_card: "/.well-known/agent-card.json",
  a2a_agent: "/.well-known/agent.json",
  ai_plugin: "/.well-known/ai-plugin.json",
  openapi_json: "/openapi.json",
  openapi_yaml: "/openapi.yaml",
  health: "/healthz",
  ready: "/readyz",
  acp_discovery: "/.well-known/acp.json",
  api_catalog: "/.well-known/api-catalog",
  ai_catalog: "/.well-known/ai-catalog.json",
  llms: "/llms.txt",
  llms_full: "/llms-full.txt",
  capabilities: "/capabilities.json",
  coverage: "/coverage.json",
  errors: "/.well-known/errors",
  delegation_issuers: "/.well-known/delegation-issuers",
  jwks: "/.well-known/jwks.json",
  mcp: "/mcp",
  mcp_server_card: "/mcp/server-card",
  a2a: "/a2a",
  logo: "/logo.svg",
  legal: "/legal",
} as const;

/** Omitted without OAuth. */
const OAUTH_PATHS = {
  oauth_authorization_server: "/.well-known/oauth-authorization-server",
  openid_configuration: "/.well-known/openid-configuration",
  oauth_protected_resource: "/.well-known/oauth-protected-resource",
} as const;

type Name = keyof typeof PATHS | "index" | "docs";

/** Absolute addresses. */
export type Links = Readonly<
  Record<Name, string> & Partial<Record<keyof typeof OAUTH_PATHS, string>>
>;

/** The public addresses of the service; only `docs` may be another site. */
export function linksOf({ baseUrl, docsUrl, oauthIssuer }: Config): Links {
  const paths = oauthIssuer === null ? PATHS : { ...PATHS, ...OAUTH_PATHS };
  const absolute = Object.entries(paths).map(([name, path]) => [name, baseUrl + path]);
  return { index: `${baseUrl}/`, docs: docsUrl, ...Object.fromEntries(absolute) };
}

/** The contact mailbox at the service's host. */
export function contactEmail({ baseUrl }: Config): string {
  return `contact@${new URL(baseUrl).hostname}`;
}
