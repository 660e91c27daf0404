/** Every path of the service with its methods, as the contract has them. */

/** Path with `:name` parameters → its methods. */
export const ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/": ["GET"],
  "/.well-known/agent-card.json": ["GET"],
  "/.well-known/ai-plugin.json": ["GET"],
  "/.well-known/acp.json": ["GET"],
  "/.well-known/errors": ["GET"],
  "/.well-known/delegation-issuers": ["GET"],
  "/.well-known/api-catalog": ["GET"],
  "/.well-known/ai-catalog.json": ["GET"],
  "/mcp/server-card": ["GET"],
  "/.well-known/mcp/server-card.json": ["GET"],
  "/capabilities.json": ["GET"],
  "/coverage.json": ["GET"],
  "/llms.txt": ["GET"],
  "/llms-full.txt": ["GET"],
  "/legal": ["GET"],
  "/robots.txt": ["GET"],
  "/logo.svg": ["GET"],
  "/healthz": ["GET"],
  "/readyz": ["GET"],
  "/oauth/token": ["POST"],
  "/oauth/revoke": ["POST"],
  "/oauth/introspect": ["POST"],
  "/oauth/authorize": ["GET"],
  "/.well-known/oauth-authorization-server": ["GET"],
  "/.well-known/openid-configuration": ["GET"],
  "/.well-known/oauth-protected-resource": ["GET"],
  "/.well-known/oauth-protected-resource/mcp": ["GET"],
  "/.well-known/jwks.json": ["GET"],
  "/v1/properties": ["GET"],
  "/v1/properties/:id": ["GET"],
  "/v1/properties/:id/full": ["GET"],
  "/v1/search": ["POST"],
  "/v1/quotes": ["POST"],
  "/v1/holds": ["POST"],
  "/v1/holds/:id": ["GET"],
  "/v1/holds/:id/release": ["POST"],
  "/v1/holds/:id/extend": ["POST"],
  "/v1/bookings": ["POST"],
  "/v1/bookings/:id/cancel": ["POST"],
  "/v1/bookings/:id": ["GET"],
  "/v1/bookings/:id/audit": ["GET"],
  "/v1/bookings/:id/cancellation-quote": ["GET"],
  "/v1/bookings/:id/refunds/:refund_id": ["GET"],
  "/v1/receipts/verify": ["POST"],
  "/v1/admin/audit/anchor": ["GET"],
  "/v1/admin/properties/import": ["POST"],
  "/v1/admin/properties/promote": ["POST"],
  "/v1/admin/properties": ["GET", "POST"],
  "/v1/admin/properties/:id": ["GET"],
  "/v1/admin/properties/:id/promote": ["POST"],
  "/v1/admin/properties/:id/ari": ["PUT"],
  "/v1/admin/fx": ["PUT"],
  "/v1/admin/agents": ["GET", "POST"],
  "/v1/admin/agents/:id": ["GET", "PATCH", "DELETE"],
  "/v1/admin/agents/:id/credentials": ["POST"],
  "/v1/admin/agents/:id/credentials/:credential_id/rotate": ["POST"],
  "/v1/admin/agents/:id/credentials/:credential_id": ["DELETE"],
  "/v1/admin/delegation-issuers": ["GET", "POST"],
  "/v1/admin/delegation-issuers/:id": ["GET", "PATCH", "DELETE"],
  "/v1/admin/delegation-issuers/:id/suspend": ["POST"],
  "/v1/admin/delegation-issuers/:id/activate": ["POST"],
  "/v1/admin/delegation-issuers/:id/revoke": ["POST"],
  "/v1/admin/delegation-issuers/:id/test": ["POST"],
  "/openapi.json": ["GET"],
  "/openapi.yaml": ["GET"],
  "/docs": ["GET"],
  "/docs/errors": ["GET"],
  "/docs/errors/:code": ["GET"],
  "/docs/assets/:file": ["GET"],
  "/mcp": ["POST"],
  "/.well-known/agent.json": ["GET"],
  "/a2a": ["POST"],
};

/** Every method and path template. */
export const CALLS = Object.entries(ROUTES).flatMap(([path, methods]) =>
  methods.map((method) => ({ method, path })),
);

/** The path with something in the place of each parameter. */
export function filled(path: string, value = "unknown"): string {
  return path.replace(/:\w+/g, value);
}

const patterns = Object.keys(ROUTES)
  .sort((a, b) => a.split(":").length - b.split(":").length)
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`),
  }));

/** The template that a concrete path fits, or "elsewhere". */
export function templateOf(path: string): string {
  const [plain = ""] = path.split("?");
  return patterns.find(({ pattern }) => pattern.test(plain))?.path ?? "elsewhere";
}
