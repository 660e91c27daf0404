/**
 * Answers: an outcome or a refusal becomes a `Response` in the uniform envelope. A replay renders
 * the same stored outcome for the same agent, so its bytes are the same.
 */

import type { Receipt } from "../../engine/core/outcomes.ts";
import { catalogue, type ErrorCode, retryAfter } from "../refusals/catalogue.ts";
import { errorActions } from "../refusals/recovery.ts";
import type { PublicCall } from "./call.ts";
import type { NextAction } from "./envelope.ts";
import { errorBody, successBody } from "./envelope.ts";
import { OPEN_TO_ALL, SECURITY_HEADERS } from "./headers.ts";
import type { FieldError } from "./validate.ts";

export interface Good {
  readonly status?: 200 | 201;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actions?: readonly NextAction[];
  readonly expires_at?: string;
  readonly receipt?: Receipt;
  /** The stored outcome's trace on a replay; the request's own otherwise. */
  readonly trace_id?: string;
  readonly replayed?: boolean;
}

export interface Bad {
  readonly code: ErrorCode;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly hints?: Readonly<Record<string, unknown>>;
  readonly retry_after?: number;
  /** Differs from the catalogue's only for unknown routes (404) and methods (405). */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly trace_id?: string;
  readonly docs?: string;
  readonly replayed?: boolean;
}

const JSON_TYPE = "application/json; charset=utf-8";

function headersOf(traceId: string, replayed: boolean | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    "content-type": JSON_TYPE,
    "cache-control": "no-store",
    "x-trace-id": traceId,
  };
  if (replayed) headers["idempotent-replayed"] = "true";
  return headers;
}

/** A success in the envelope of spec 2.1. */
export function good(call: Pick<PublicCall, "traceId">, answer: Good): Response {
  const trace_id = answer.trace_id ?? call.traceId;
  const { data, actions = [], expires_at, receipt } = answer;
  const body = successBody({
    data,
    trace_id,
    next_actions: actions,
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(receipt === undefined ? {} : { receipt }),
  });
  const headers = headersOf(trace_id, answer.replayed);
  return new Response(body, { status: answer.status ?? 200, headers });
}

type Failing = Pick<PublicCall, "traceId" | "method" | "path" | "body" | "may" | "deps">;

/** A refusal in the envelope of spec 2.3, with the recovery calls of rules §9. */
export function bad(call: Failing, failure: Bad): Response {
  const { code, detail = {}, hints } = failure;
  const trace_id = failure.trace_id ?? call.traceId;
  const retry_after = retryAfter(code, failure.retry_after);
  const { method, path, body: sent, may } = call;
  const next_actions = errorActions(
    { code, detail, ...(hints ? { hints } : {}), call: { method, path, body: sent } },
    may,
  );
  const docs = failure.docs ?? call.deps.config.docsUrl;
  const body = errorBody({ code, detail, trace_id, docs, retry_after, next_actions });
  const headers = { ...headersOf(trace_id, failure.replayed), ...failure.headers };
  if (retry_after !== null) headers["retry-after"] = String(retry_after);
  return new Response(body, { status: failure.status ?? catalogue[code].status, headers });
}

/** 400 `validation_failed` naming every offending field. */
export function invalid(call: Failing, errors: readonly FieldError[]): Response {
  return bad(call, { code: "validation_failed", detail: { field_errors: errors } });
}

/** A bare JSON body, for the routes that the contract shows without an envelope. */
export function bare(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const own = { ...SECURITY_HEADERS, "content-type": JSON_TYPE, ...headers };
  return new Response(JSON.stringify(body), { status, headers: own });
}

export interface Publication {
  /** Media type; JSON unless said. */
  readonly type?: string;
  /** Seconds that caches may keep it: 300 unless said (spec part 8). */
  readonly maxAgeS?: number;
  /** Stands for the content in its ETag, where equal documents differ in their bytes. */
  readonly etagOf?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A public document: for every origin, for caches, and 304 for who has it already (RFC 9110
 * §13.1.2). A value that is no text is sent as JSON.
 */
export function published(
  call: Pick<PublicCall, "request">,
  content: unknown,
  { type = JSON_TYPE, maxAgeS = 300, etagOf, headers = {} }: Publication = {},
): Response {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const tag = `"${Bun.hash(etagOf ?? body).toString(36)}"`;
  const etag = etagOf === undefined ? tag : `W/${tag}`;
  const common = {
    ...SECURITY_HEADERS,
    ...OPEN_TO_ALL,
    "cache-control": `public, max-age=${maxAgeS}`,
    etag,
    ...headers,
  };
  const known = call.request.headers.get("if-none-match");
  if (known !== null && matches(known, etag)) {
    return new Response(null, { status: 304, headers: common });
  }
  return new Response(body, { headers: { ...common, "content-type": type } });
}

/** `If-None-Match` by weak comparison. */
function matches(header: string, etag: string): boolean {
  const opaque = (tag: string) => tag.replace(/^W\//, "");
  return header.split(",").some((each) => {
    const tag = each.trim();
    return tag === "*" || opaque(tag) === opaque(etag);
  });
}
