/** What is asked of a path or with a method that no route has. */
import { traceOf } from "../base/trace.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { Context } from "./context.ts";
import type { Contract } from "./contract.ts";
import { OPEN_TO_ALL, secured } from "./headers.ts";
import { pathOf } from "./pipeline.ts";
import { sendData } from "./send-data.ts";

/**
 * 404 for an unknown path, 405 with `Allow` for a known one: `validation_failed` (rules §2), each
 * in the shape of the routes around it. `OPTIONS` tells the methods; pages of other origins may
 * only read what is public.
 */
export async function respondUnrouted(request: Request, context: Context): Promise<Response> {
  const { method, headers, url } = request;
  const { traceId } = traceOf(headers.get("traceparent"));
  const path = pathOf(url);
  const found = context.routes.at(path);
  const allow = methodsOf(found).join(", ");
  const isHttps = context.config.baseUrl.startsWith("https:");
  if (method === "OPTIONS" && found.length > 0) return secured(options(found, allow), isHttps);
  const refusal = found.length === 0 ? unknownPath(path) : wrongMethod(allow);
  const call = { context, request, method, path, traceId, sent: undefined, may: undefined };
  const renderer = found[0]?.renderer ?? context.routes.rendererNear(path);
  return secured(await sendData(renderer, call, refusal), isHttps);
}

function methodsOf(routes: readonly Contract[]): string[] {
  const methods = new Set<string>(routes.map(({ method }) => method));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods];
}

function options(routes: readonly Contract[], allow: string): Response {
  const isOpen = routes.every(({ access, method }) => access === "public" && method === "GET");
  const cors = {
    ...OPEN_TO_ALL,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": "*",
  };
  const headers = { allow, "cache-control": "no-store", ...(isOpen ? cors : {}) };
  return new Response(null, { status: 204, headers });
}

function unknownPath(path: string): Refusal {
  const expected = "a path of this service; see GET /";
  const problem = { path: "", message: "is not a route of this service", expected };
  const detail = { path: path.slice(0, 200), field_errors: [problem] };
  return refuse("validation_failed", detail, { status: 404 });
}

function wrongMethod(allow: string): Refusal {
  const problem = { path: "", message: "does not take this method", expected: allow };
  const detail = { allowed: allow.split(", "), field_errors: [problem] };
  return refuse("validation_failed", detail, { status: 405, headers: { allow } });
}
