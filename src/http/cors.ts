/**
 * Calls by pages of other origins (`CORS_ORIGINS`; none by default). Credentials never come from
 * cookies, so `Access-Control-Allow-Credentials` is never sent, and wildcards are allowed.
 */
import type { Config } from "../config.ts";

type Told = Readonly<Record<string, string>>;

/** Paths for browser clients; documents are open to all, and partners have no pages. */
const CALLED_BY_PAGES = /^\/(?:v1|mcp|a2a)(?:\/|$)/;
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
 * Lets the page that asked read the answer, be it a refusal. Where any page may, a cache must know
 * that the answer to another one has other headers.
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
  // All of them: a list would leave out what a later version sends.
  headers.set("access-control-expose-headers", "*");
}

/**
 * What a browser is told that asks before it calls; null when it is not one, or its page may not.
 * `Authorization` has to be named: the wildcard does not stand for it (Fetch §3.3.4). A browser
 * that asks for the way into a private network as well gets no leave: that is not what was allowed.
 */
export function preflight(
  request: Request,
  path: string,
  config: Config,
  methods: readonly string[],
): Told | null {
  if (!request.headers.has("access-control-request-method")) return null;
  if (allowedOrigin(request, path, config) === null) return null;
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "Authorization, *",
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
  };
}
