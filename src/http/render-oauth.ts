/** OAuth's own small bodies: bare and never cached. */
import { REFUSALS, retryAfter } from "../refusals/catalogue.ts";
import type { OauthBody, OauthRefusal, Refusal } from "./answer.ts";
import type { Asked } from "./call.ts";
import { JSON_TYPE, SECURITY_HEADERS } from "./headers.ts";
import { renderRefusal } from "./render-envelope.ts";
import type { FieldError } from "./validate.ts";

const DESCRIPTION_CHARACTERS_MAX = 500;

/** RFC 6749 §5.1. */
function headersOf({ traceId }: Asked): Record<string, string> {
  const uncached = { "cache-control": "no-store", pragma: "no-cache", "x-trace-id": traceId };
  return { ...SECURITY_HEADERS, "content-type": JSON_TYPE, ...uncached };
}

/** Success with a bare body. */
export function renderOauth(call: Asked, { body, status = 200 }: OauthBody): Response {
  return new Response(JSON.stringify(body), { status, headers: headersOf(call) });
}

/** The error body of RFC 6749 §5.2, whose grammar allows few characters. */
export function renderSmall(call: Asked, refusal: OauthRefusal): Response {
  const { status, error, description } = refusal;
  const plain = description?.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
  const error_description = plain?.slice(0, DESCRIPTION_CHARACTERS_MAX);
  const body = JSON.stringify({ error, error_description });
  return new Response(body, { status, headers: { ...headersOf(call), ...refusal.headers } });
}

/**
 * A refusal of the checks on an OAuth route: a 4xx has the small body with one of two values;
 * server faults keep the envelope with `retry_after`.
 */
export function renderOauthRefusal(call: Asked, refusal: Refusal): Response {
  const status = refusal.status ?? REFUSALS[refusal.code].status;
  if (status >= 500) return renderRefusal(call, refusal);
  const seconds = retryAfter(refusal.code, refusal.retry_after);
  const wait = seconds === null ? {} : { "retry-after": String(seconds) };
  return renderSmall(call, {
    ok: false,
    status: status as OauthRefusal["status"],
    error: "invalid_client",
    description: seconds === null ? faultsOf(refusal) : `too many requests: wait ${seconds} s`,
    headers: { ...refusal.headers, ...wait },
  });
}

function faultsOf({ code, detail }: Refusal): string {
  const faults = (detail?.field_errors ?? []) as readonly FieldError[];
  const said = faults.map(({ path, message, expected }) => {
    return `${path || "the request"} ${message}; expected ${expected}`;
  });
  return said.join("; ") || REFUSALS[code].message;
}
