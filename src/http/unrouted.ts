/** Answers for unknown paths and methods. */
import { GET_INDEX } from "../actions/steps.ts";
import { traceOf } from "../lib/trace.ts";
import { invalid, type Refusal, type RendererName, refuse } from "./answer.ts";
import type { Context } from "./context.ts";
import type { Contract } from "./contract.ts";
import { preflight } from "./cors.ts";
import { HEAD_BYTES_MAX, headFault, isHeadTooLong } from "./head-checks.ts";
import { finished, OPEN_TO_ALL } from "./headers.ts";
import { logRefused } from "./log-refused.ts";
import { pathOf } from "./pipeline.ts";
import { wantsPage } from "./render-page.ts";
import { sendData } from "./send-data.ts";

/** All methods of HTTP; others are refused for every path. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * 404 for an unknown path, 405 with `Allow` for a known one: `validation_failed`, in the
 * format of nearby routes. Unknown methods are 405 everywhere. `OPTIONS` lists the methods; pages
 * of unconfigured origins may only read public documents.
 */
export async function respondUnrouted(request: Request, context: Context): Promise<Response> {
  const { method, headers, url } = request;
  const path = pathOf(url);
  const found = context.routes.at(path);
  const allowed = methodsOf(found);
  if (method === "OPTIONS") {
    // Without a preflight answer, a page could not read the 404.
    const isKnown = found.length > 0;
    const preflightHeaders = preflight(request, path, context.config, isKnown ? allowed : METHODS);
    const { traceId } = traceOf(headers.get("traceparent"));
    const answer = isKnown || preflightHeaders ? options(found, allowed, preflightHeaders) : null;
    if (answer) return finished(answer, { request, path, traceId, context });
  }
  if (found.length > 0) return refused(request, context, wrongMethod(allowed.join(", ")));
  if (wantsPage(request)) return refused(request, context, unknownPath(path), "page");
  const isForeign = !METHODS.includes(method);
  const refusal = isForeign ? wrongMethod(METHODS.join(", ")) : unknownPath(path);
  return refused(request, context, refusal);
}

/** 431 or 400 for a head that is too long or ambiguous, before anything else is read. */
export function respondUnsound(request: Request, context: Context): Promise<Response> | undefined {
  if (isHeadTooLong(request)) return refused(request, context, tooLong());
  const fault = headFault(request);
  return fault ? refused(request, context, invalid([fault])) : undefined;
}

async function refused(
  request: Request,
  context: Context,
  refusal: Refusal,
  asked?: RendererName,
): Promise<Response> {
  const startedMs = performance.now();
  const { method, headers, url } = request;
  const { traceId } = traceOf(headers.get("traceparent"));
  const path = pathOf(url);
  const unknown = { query: new Map(), sent: undefined, may: undefined, realm: undefined };
  const call = { context, request, method, path, traceId, ...unknown };
  const [route = null] = context.routes.at(path);
  const near = () => route?.renderer ?? context.routes.rendererNear(path);
  const response = await sendData(asked ?? near(), call, refusal);
  const known = { context, traceId, route, method: METHODS.includes(method) ? method : "other" };
  logRefused(known, refusal, response.status, performance.now() - startedMs);
  if (refusal.status === 404) response.headers.set("vary", "Accept");
  return finished(response, call);
}

function methodsOf(routes: readonly Contract[]): string[] {
  const methods = new Set<string>(routes.map(({ method }) => method));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods];
}

/** The answer to `OPTIONS`; `preflightHeaders`: null unless the page may call. */
function options(
  routes: readonly Contract[],
  methods: readonly string[],
  preflightHeaders: Readonly<Record<string, string>> | null,
): Response {
  const allow = methods.join(", ");
  const isOpen = routes.every(({ access, method }) => access === "public" && method === "GET");
  const open = {
    ...OPEN_TO_ALL,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": "*",
  };
  const headers = {
    ...(routes.length > 0 && { allow }),
    "cache-control": "no-store",
    ...(preflightHeaders ?? (routes.length > 0 && isOpen ? open : {})),
  };
  return new Response(null, { status: 204, headers });
}

function tooLong(): Refusal {
  const expected = `at most ${HEAD_BYTES_MAX} bytes of URL and headers`;
  const problem = { path: "", message: "has too large headers", expected };
  const more = { status: 431, recovery: [GET_INDEX] } as const;
  return refuse("validation_failed", { field_errors: [problem] }, more);
}

function wrongMethod(allow: string): Refusal {
  const problem = { path: "", message: "does not allow this method", expected: allow };
  const detail = { allowed: allow.split(", "), field_errors: [problem] };
  const more = { status: 405, headers: { allow }, recovery: [GET_INDEX] } as const;
  return refuse("validation_failed", detail, more);
}

/** 404 `validation_failed`. */
export function unknownPath(path: string): Refusal {
  const expected = "a path of this service; see GET /";
  const problem = { path: "", message: "is not a route of this service", expected };
  const detail = { path: path.slice(0, 200), field_errors: [problem] };
  return refuse("validation_failed", detail, { status: 404, recovery: [GET_INDEX] });
}
