/**
 * The HTTP application: every route in one table, Elysia as the router. Bodies are read and checked
 * by the pipeline, because order, strictness and error shape are the contract's (rules §1).
 */
import { Elysia } from "elysia";
import { a2aRoutes } from "./a2a/routes.ts";
import { adminCredentialRoutes } from "./api/agents/credential-routes.ts";
import { adminAgentRoutes } from "./api/agents/routes.ts";
import { bookingReadRoutes } from "./api/bookings/read-routes.ts";
import { bookingRoutes } from "./api/bookings/routes.ts";
import { systemRoutes } from "./api/health/routes.ts";
import { holdRoutes } from "./api/holds/routes.ts";
import { adminIssuerRoutes } from "./api/issuers/routes.ts";
import { adminPropertyRoutes } from "./api/properties/admin-routes.ts";
import { adminImportRoutes } from "./api/properties/import-route.ts";
import { propertyRoutes } from "./api/properties/routes.ts";
import { quoteRoutes } from "./api/quotes/routes.ts";
import { receiptRoutes } from "./api/receipts/routes.ts";
import { searchRoutes } from "./api/search/routes.ts";
import { discoveryRoutes } from "./discovery/routes.ts";
import { docsRoutes } from "./docs/routes.ts";
import type { Params, Route } from "./http/call.ts";
import { clientAddress } from "./http/client-address.ts";
import type { Deps } from "./http/deps.ts";
import { OPEN_TO_ALL, secured } from "./http/headers.ts";
import { answer, draftOf } from "./http/pipeline.ts";
import { bad } from "./http/respond.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { oauthMetadataRoutes } from "./oauth/metadata-routes.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { openApiRoutes } from "./openapi/routes.ts";

/** All routes of the service. */
export const ROUTES: readonly Route[] = [
  ...discoveryRoutes,
  ...systemRoutes,
  ...oauthRoutes,
  ...oauthMetadataRoutes,
  ...propertyRoutes,
  ...searchRoutes,
  ...quoteRoutes,
  ...holdRoutes,
  ...bookingRoutes,
  ...bookingReadRoutes,
  ...receiptRoutes,
  ...adminImportRoutes,
  ...adminPropertyRoutes,
  ...adminAgentRoutes,
  ...adminCredentialRoutes,
  ...adminIssuerRoutes,
  ...openApiRoutes,
  ...docsRoutes,
  ...mcpRoutes,
  ...a2aRoutes,
];

/** Larger than any route's own limit; routes refuse earlier with the envelope. */
const REQUEST_BYTES_MAX = 257 * 1024 * 1024;

/** What the application needs from outside; its routes it knows itself. */
export type Parts = Omit<Deps, "routes">;

/** Builds the application; `listen` is the caller's. */
export function createApp(parts: Parts) {
  const deps: Deps = { ...parts, routes: ROUTES };
  const app = new Elysia({
    normalize: false,
    nativeStaticResponse: false,
    // A key's scope is the concrete path, so a route must not have two.
    strictPath: true,
    serve: { maxRequestBodySize: REQUEST_BYTES_MAX, idleTimeout: 60 },
  });
  for (const route of ROUTES) {
    app.route(
      route.method,
      route.path,
      ({ request, params, server }) => {
        const address = () => {
          const connection = server?.requestIP(request)?.address ?? "";
          const forwarded = request.headers.get("x-forwarded-for");
          return clientAddress(connection, forwarded, deps.config.trustedProxies);
        };
        return answer(route, request, params as Params, deps, { clientAddress: address });
      },
      { parse: "none" },
    );
  }
  const isHttps = deps.config.baseUrl.startsWith("https:");
  app.onError({ as: "global" }, ({ request }) => secured(unrouted(request, deps), isHttps));
  return app;
}

const patterns = ROUTES.map(({ method, path, access }) => ({
  method,
  isPublic: access === "public",
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`),
}));

/**
 * 404 for an unknown path, 405 with `Allow` for a known one: `validation_failed` (rules §2).
 * `OPTIONS` tells the methods; pages of other origins may only read what is public.
 */
function unrouted(request: Request, deps: Deps): Response {
  const call = draftOf(request, {}, deps, () => "");
  const found = patterns.filter(({ pattern }) => pattern.test(call.path));
  if (found.length === 0) {
    const expected = "a path of this service; see GET /";
    const problem = { path: "", message: "is not a route of this service", expected };
    return bad(call, {
      code: "validation_failed",
      status: 404,
      detail: { path: call.path.slice(0, 200), field_errors: [problem] },
    });
  }
  const methods = new Set<string>(found.map(({ method }) => method));
  if (methods.has("GET")) methods.add("HEAD");
  const allow = [...methods].join(", ");
  if (call.method === "OPTIONS") {
    const isOpen = found.every(({ isPublic, method }) => isPublic && method === "GET");
    const cors = {
      ...OPEN_TO_ALL,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": "*",
    };
    const headers = { allow, "cache-control": "no-store", ...(isOpen ? cors : {}) };
    return new Response(null, { status: 204, headers });
  }
  const problem = { path: "", message: "does not take this method", expected: allow };
  return bad(call, {
    code: "validation_failed",
    status: 405,
    headers: { allow },
    detail: { allowed: allow.split(", "), field_errors: [problem] },
  });
}
