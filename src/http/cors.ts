/**
 * Calls by pages of other origins (`CORS_ORIGINS`; none by default). Credentials never come from
 * cookies, so `Access-Control-Allow-Credentials` is never sent, and wildcards are allowed.
 */
import type { Config } from "../config.ts";

type PreflightHeaders = Readonly<Record<string, string>>;

/**
 * Paths for browser clients, and where these get tokens; documents are open to all, and partners
 * have no pages. A person is sent to `/oauth/authorize`: no page calls it.
 */
const CALLED_BY_PAGES = /^\/(?:(?:v1|mcp|a2a)(?:\/|$)|oauth\/(?:token|register|revoke)$)/;
/** Two hours: no browser but one keeps a preflight for longer. */
const PREFLIGHT_MAX_AGE_S = 7_200;

/** The allowed origin of the page, by exact comparison. */
function allowedOrigin({ headers }: Request, path: string, config: Config): string | null {
  const origin = headers.get("origin");
  return origin !== null && CALLED_BY_PAGES.test(path) && config.corsOrigins.has(origin)
    ? origin
    : null;
}

/**
 * Lets an allowed page read the answer, refusals included. `Vary` is set for every page, because
 * the answer to another one has other headers.
 */
export function openToOrigin(
  response: Response,
  request: Request,
  path: string,
  config: Config,
): void {
  if (config.corsOrigins.size === 0 || !CALLED_BY_PAGES.test(path)) return;
  const { headers } = response;
  headers.append("vary", "Origin");
  const origin = allowedOrigin(request, path, config);
  if (origin === null) return;
  headers.set("access-control-allow-origin", origin);
  // All: a list would omit headers of later versions.
  headers.set("access-control-expose-headers", "*");
}

/**
 * Headers of a CORS preflight; null for other requests and pages without access. `Authorization`
 * must be named: the wildcard does not include it (Fetch §3.3.4). Access to private networks is
 * never granted.
 */
export function preflight(
  request: Request,
  path: string,
  config: Config,
  methods: readonly string[],
): PreflightHeaders | null {
  if (!request.headers.has("access-control-request-method")) return null;
  if (allowedOrigin(request, path, config) === null) return null;
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "Authorization, *",
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
  };
}
