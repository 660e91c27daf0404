/** What is asked of a path or with a method that no route has. */
import { GET_INDEX } from "../actions/steps.ts";
import { traceOf } from "../base/trace.ts";
import { invalid, type Refusal, type RendererName, refuse } from "./answer.ts";
import type { Context } from "./context.ts";
import type { Contract } from "./contract.ts";
import { finished, OPEN_TO_ALL } from "./headers.ts";
import { pathOf } from "./pipeline.ts";
import { sendData } from "./send-data.ts";
import { unknownPath } from "./unknown-path.ts";
import { headFault } from "./unsound.ts";
import { wantsPage } from "./wants-page.ts";

/** Of HTTP as a whole; what is none of these is none of any path. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * 404 for an unknown path, 405 with `Allow` for a known one: `validation_failed` (rules §2), each
 * in the shape of the routes around it. A method that no route takes is 405 everywhere. `OPTIONS`
 * tells the methods; pages of other origins may only read what is public.
 */
export async function respondUnrouted(request: Request, context: Context): Promise<Response> {
  const { method, headers, url } = request;
  const found = context.routes.at(pathOf(url));
  const allow = methodsOf(found).join(", ");
  if (method === "OPTIONS" && found.length > 0) {
    const { traceId } = traceOf(headers.get("traceparent"));
    return finished(options(found, allow), traceId, isHttps(context));
  }
  if (found.length > 0) return refused(request, context, wrongMethod(allow));
  if (wantsPage(request)) return refused(request, context, unknownPath(pathOf(url)), "page");
  const isForeign = !METHODS.includes(method);
  const refusal = isForeign ? wrongMethod(METHODS.join(", ")) : unknownPath(pathOf(url));
  return refused(request, context, refusal);
}

/** 400 for a request whose head means two things, before anything else of it is believed. */
export function respondUnsound(request: Request, context: Context): Promise<Response> | undefined {
  const fault = headFault(request);
  return fault ? refused(request, context, invalid([fault])) : undefined;
}

async function refused(
  request: Request,
  context: Context,
  refusal: Refusal,
  asked?: RendererName,
): Promise<Response> {
  const { method, headers, url } = request;
  const { traceId } = traceOf(headers.get("traceparent"));
  const path = pathOf(url);
  const unknown = { query: new Map(), sent: undefined, may: undefined, realm: undefined };
  const call = { context, request, method, path, traceId, ...unknown };
  const near = () => context.routes.at(path)[0]?.renderer ?? context.routes.rendererNear(path);
  const response = await sendData(asked ?? near(), call, refusal);
  if (refusal.status === 404) response.headers.set("vary", "Accept");
  return finished(response, traceId, isHttps(context));
}

function isHttps({ config }: Context): boolean {
  return config.baseUrl.startsWith("https:");
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

function wrongMethod(allow: string): Refusal {
  const problem = { path: "", message: "does not take this method", expected: allow };
  const detail = { allowed: allow.split(", "), field_errors: [problem] };
  const more = { status: 405, headers: { allow }, recovery: [GET_INDEX] } as const;
  return refuse("validation_failed", detail, more);
}
