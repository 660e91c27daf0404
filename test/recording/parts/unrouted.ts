/** Methods that a path does not take, OPTIONS and HEAD on every path, and paths that are none. */
import { filled, ROUTES } from "../routes.ts";
import type { World } from "../world.ts";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

const NOWHERE = [
  ...["/v1", "/v1/", "/v2/properties", "/v1/unknown", "/v1/admin", "/v1/admin/unknown"],
  ...["/v1/properties/a/b", "/v1/holds/a/unknown", "/v1/bookings/a/refunds", "/v1/receipts"],
  ...["/oauth", "/oauth/unknown", "/docs/unknown", "/docs/assets", "/docs/errors/a/b"],
  ...["/.well-known", "/.well-known/unknown", "/mcp/unknown", "/a2a/unknown", "/favicon.ico"],
  ...["//", "/%2e%2e/etc/passwd", "/v1/properties//full", "/V1/properties", "/unknown?x=1"],
  ...["/openapi", "/openapi.json/", "/index.html", "/v1/admin/fx/", "/healthz/", "/*"],
  `/${"long".repeat(100)}`,
];

/** Every path with every method that is not its own. */
export async function askWrongMethods(world: World): Promise<void> {
  for (const [path, own] of Object.entries(ROUTES)) {
    for (const method of METHODS.filter((each) => !own.includes(each))) {
      // The documents are read with HEAD where their normal answers are.
      if (method === "HEAD" && own.includes("GET") && !path.startsWith("/v1/")) continue;
      await world.ask(`methods: ${method}`, `${method} ${filled(path)}`, { as: null });
    }
    await world.ask("methods: trailing slash", `${own[0]} ${filled(path)}/`, { as: null });
  }
  const preflight = {
    as: null,
    headers: {
      origin: "https://page.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  };
  for (const path of ["/", "/openapi.json", "/v1/properties", "/mcp", "/oauth/token"]) {
    await world.ask("methods: preflight", `OPTIONS ${path}`, preflight);
  }
}

/** Paths that no route has. */
export async function askUnknownPaths(world: World): Promise<void> {
  for (const path of NOWHERE) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      await world.ask("unknown path", `${method} ${path}`, { as: null });
    }
    await world.ask("unknown path, known caller", `GET ${path}`);
  }
}
