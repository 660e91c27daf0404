/**
 * Headers of every answer. Answers are data: nothing in them may be executed, framed or sniffed.
 * Pages declare exceptions.
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
 * Headers of uncached JSON, prebuilt: copying is faster than checking a record. Must not be
 * modified.
 */
export const JSON_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  "content-type": JSON_TYPE,
  "cache-control": "no-store",
});

/** Two years, for the preload lists; only over https. */
const TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains";

/**
 * Adds missing headers. An answer with a trace id also gets `traceresponse` with its own span (W3C
 * Trace Context level 2), not sampled.
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

/** Public documents are readable by any page; they involve no credential. */
export const OPEN_TO_ALL: Readonly<Record<string, string>> = Object.freeze({
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Link, X-Trace-Id, traceresponse, Innkeep-Feed-Seq, Innkeep-Feed-At",
});
