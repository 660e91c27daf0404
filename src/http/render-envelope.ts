/**
 * The envelopes of successes and failures. Keys have a fixed order, so that an outcome rendered
 * again has the same bytes: replays are exact.
 */
import { docsUrl, REFUSALS, remediationOf, retryAfter } from "../refusals/catalogue.ts";
import { REST_TERMS } from "../refusals/record.ts";
import { recoveryActions } from "../refusals/recovery.ts";
import type { Refusal, Success } from "./answer.ts";
import type { Asked } from "./call.ts";
import { delegationChallenge } from "./challenges.ts";
import { coded } from "./compress.ts";
import { type Contract, isReadOnly } from "./contract.ts";
import { JSON_HEADERS } from "./headers.ts";
import { matches } from "./render-document.ts";
import { sameCall } from "./same-call.ts";

interface EnvelopeMeta {
  readonly status: number;
  readonly traceId: string;
  readonly isReplayed: boolean | undefined;
}

function setMeta(headers: Headers, { traceId, isReplayed }: EnvelopeMeta): Headers {
  headers.set("x-trace-id", traceId);
  if (isReplayed) headers.set("idempotent-replayed", "true");
  return headers;
}

function plain(body: string, meta: EnvelopeMeta): Response {
  const response = new Response(body, { status: meta.status, headers: JSON_HEADERS });
  setMeta(response.headers, meta);
  return response;
}

/**
 * A success in the envelope, or 304 for a known tag. A versioned object's tag is its version, as in
 * `If-Match`; trace and offers, which differ in every answer, are not covered.
 */
export function renderSuccess(
  call: Pick<Asked, "traceId" | "request" | "route">,
  answer: Success,
): Response | Promise<Response> {
  const { data, actions = [], expires_at, receipt, status = 200, isReplayed } = answer;
  const { request, route } = call;
  const trace_id = answer.trace_id ?? call.traceId;
  const body = JSON.stringify({ data, trace_id, next_actions: actions, expires_at, receipt });
  const meta = { status, traceId: trace_id, isReplayed };
  if (!route || !(route.etag || isReadOnly(route))) return plain(body, meta);
  const headers = setMeta(new Headers(JSON_HEADERS), meta);
  if (route.etag) {
    const etag = tagOf(route.etag, data.version, () => body.replace(trace_id, ""));
    headers.set("etag", etag);
    if (route.etag === "content") mayKeep(headers);
    const known = request.headers.get("if-none-match");
    if (known !== null && matches(known, etag)) {
      headers.delete("content-type");
      return new Response(null, { status: 304, headers });
    }
  }
  // A strong tag identifies one coding.
  const hasStrongTag = route.etag !== undefined && route.etag !== "content";
  return hasStrongTag || !isReadOnly(route)
    ? new Response(body, { status, headers })
    : coded(request, body, { status, headers });
}

/** The tag of an answer; `content` is weak: trace and coding differ under the same tag. */
function tagOf(kind: Contract["etag"], version: unknown, traceless: () => string): string {
  if (kind === "version") return `"${version}"`;
  const content = Bun.hash(traceless()).toString(36);
  return kind === "content" ? `W/"${content}"` : `"${version}-${content}"`;
}

/** Allows the credential to cache the answer, with revalidation. */
function mayKeep(headers: Headers): void {
  headers.set("cache-control", "private, no-cache");
  headers.set("vary", "Authorization, Accept-Encoding");
}

/** A refusal in the envelope, with its recovery calls. */
export function renderRefusal(call: Asked, refusal: Refusal): Response {
  const { code, hints } = refusal;
  const { status: ofCode, message } = REFUSALS[code];
  const { mending } = hints ?? {};
  const detail = { ...refusal.detail, ...(mending && { mending }) };
  const trace_id = refusal.trace_id ?? call.traceId;
  const retry_after = retryAfter(code, refusal.retry_after);
  const { recovery } = refusal;
  const remediation = remediationOf(code, REST_TERMS, detail);
  const again = sameCall.bind(null, call);
  const failure = { code, detail, ...(hints ? { hints } : {}), call, recovery, trace_id, again };
  const docs_url = docsUrl(refusal.docs ?? call.context.config.docsUrl, code);
  const next_actions = recoveryActions(failure, call.may);
  const error = { code, message, detail, remediation, retry_after, docs_url, trace_id };
  const body = JSON.stringify({ error: { ...error, next_actions } });
  const { status = ofCode, isReplayed } = refusal;
  const response = plain(body, { status, traceId: trace_id, isReplayed });
  const { headers } = response;
  const challenge = delegationChallenge(refusal, call.context.config);
  if (challenge !== null) headers.set("www-authenticate", challenge);
  for (const name in refusal.headers) headers.set(name, refusal.headers[name]!);
  if (retry_after !== null) headers.set("retry-after", String(retry_after));
  return response;
}
