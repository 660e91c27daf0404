/**
 * The HTTP application: every route in one table, Elysia as the router. Bodies are read and checked
 * by the pipeline, because order, strictness and error shape are the contract's (rules §1).
 */
import { Elysia } from "elysia";
import type { Params, Route } from "./call.ts";
import type { Deps } from "./deps.ts";
import { answer, draftOf } from "./pipeline.ts";
import { bad } from "./respond.ts";
import { adminImportRoutes } from "./routes/admin-import.ts";
import { adminPropertyRoutes } from "./routes/admin-properties.ts";
import { bookingReadRoutes } from "./routes/booking-reads.ts";
import { bookingRoutes } from "./routes/bookings.ts";
import { holdRoutes } from "./routes/holds.ts";
import { propertyRoutes } from "./routes/properties.ts";
import { quoteRoutes } from "./routes/quotes.ts";
import { receiptRoutes } from "./routes/receipts.ts";
import { searchRoutes } from "./routes/search.ts";
import { systemRoutes } from "./routes/system.ts";

/** All routes of the service. */
export const ROUTES: readonly Route[] = [
  ...systemRoutes,
  ...propertyRoutes,
  ...searchRoutes,
  ...quoteRoutes,
  ...holdRoutes,
  ...bookingRoutes,
  ...bookingReadRoutes,
  ...receiptRoutes,
  ...adminImportRoutes,
  ...adminPropertyRoutes,
];

/** Larger than any route's own limit; routes refuse earlier with the envelope. */
const REQUEST_BYTES_MAX = 257 * 1024 * 1024;

/** Builds the application; `listen` is the caller's. */
export function createApp(deps: Deps) {
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
      ({ request, params }) => answer(route, request, params as Params, deps),
      { parse: "none" },
    );
  }
  app.onError({ as: "global" }, ({ request }) => unrouted(request, deps));
  return app;
}

const patterns = ROUTES.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`),
}));

/** 404 for an unknown path, 405 with `Allow` for a known one: `validation_failed` (rules §2). */
function unrouted(request: Request, deps: Deps): Response {
  const call = draftOf(request, {}, deps);
  const methods = patterns.filter(({ pattern }) => pattern.test(call.path)).map((p) => p.method);
  if (methods.length === 0) {
    const expected = "a path of this service; see GET /";
    const problem = { path: "", message: "is not a route of this service", expected };
    return bad(call, {
      code: "validation_failed",
      status: 404,
      detail: { path: call.path.slice(0, 200), field_errors: [problem] },
    });
  }
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])])].join(", ");
  const problem = { path: "", message: "does not take this method", expected: allow };
  return bad(call, {
    code: "validation_failed",
    status: 405,
    headers: { allow },
    detail: { allowed: allow.split(", "), field_errors: [problem] },
  });
}
