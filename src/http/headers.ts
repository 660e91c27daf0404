/**
 * Headers of every answer. The service sends data, not pages: nothing in an answer may be executed,
 * framed or sniffed. Pages declare exceptions.
 */

import { randomHex } from "../lib/trace.ts";
import type { Asked } from "./call.ts";
import { openToOrigin } from "./cors.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sent with every answer; a page replaces `content-security-policy`. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
});

/**
 * Headers of uncached JSON as a prebuilt object: responses copy it at once, while a record is read
 * and checked entry by entry. Must not be modified.
 */
export const JSON_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  "content-type": JSON_TYPE,
  "cache-control": "no-store",
});

/** Two years, as the preload lists ask; only over https, where the header has a meaning. */
const TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains";

/**
 * Adds what the answer lacks. Where it tells its trace it also tells, as W3C Trace Context level 2
 * has it, its own span in the request's trace; nothing is sampled.
 */
export function finished(
  response: Response,
  { request, path, traceId, context }: Pick<Asked, "request" | "path" | "traceId" | "context">,
): Response {
  const { headers } = response;
  const { config } = context;
  if (headers.has("x-trace-id")) headers.set("traceresponse", `00-${traceId}-${randomHex(8)}-00`);
  openToOrigin(response, request, path, config);
  if (config.baseUrl.startsWith("https:"))
    headers.set("strict-transport-security", TRANSPORT_SECURITY);
  // One of these headers implies all of them.
  if (headers.has("x-content-type-options")) return response;
  for (const name in SECURITY_HEADERS) {
    if (!headers.has(name)) headers.set(name, SECURITY_HEADERS[name]!);
  }
  return response;
}

/** Public documents may be read by any page; no credential is ever involved. */
export const OPEN_TO_ALL: Readonly<Record<string, string>> = Object.freeze({
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Link, X-Trace-Id, traceresponse, Innkeep-Feed-Seq, Innkeep-Feed-At",
});
