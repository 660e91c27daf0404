/** What goes wrong: the service refuses, or no answer of the service arrives. */
import type { ApiError, ErrorCode, ErrorDetail, NextAction } from "./types.ts";

/**
 * The service refused. Match on `code`; `nextActions` is the way out, most useful first, and
 * `follow` takes them.
 */
export class InnkeepError extends Error {
  override readonly name = "InnkeepError";
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** Ids, states and amounts of the case; with `validation_failed` its `field_errors`. */
  readonly detail: ErrorDetail;
  /** What to do about it, in words. */
  readonly remediation: string;
  /** Seconds to wait before the call may succeed; null when waiting does not help. */
  readonly retryAfter: number | null;
  readonly nextActions: readonly NextAction[];
  /** Cite it to the operator. */
  readonly traceId: string;
  /** The code's page. */
  readonly docsUrl: string;
  /** The key the call was made with; null where it had none. */
  readonly idempotencyKey: string | null;

  constructor(status: number, error: ApiError, idempotencyKey: string | null) {
    super(`${error.code}: ${error.message} ${error.remediation}`);
    this.status = status;
    this.code = error.code;
    this.detail = error.detail;
    this.remediation = error.remediation;
    this.retryAfter = error.retry_after;
    this.nextActions = error.next_actions;
    this.traceId = error.trace_id;
    this.docsUrl = error.docs_url;
    this.idempotencyKey = idempotencyKey;
  }
}

/** What an error says and its causes: what is behind `fetch failed` its cause alone tells. */
function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, name, cause, code } = error as Error & { readonly code?: unknown };
  const own = message || String(code ?? name);
  return cause === undefined ? own : `${own}: ${reasonsOf(cause)}`;
}

/** What was asked. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly idempotencyKey: string | null;
}

/**
 * No answer of the service arrived in time, so what a write came to is unknown. The same call with
 * the same `idempotencyKey` finds out and does nothing twice.
 */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  /** The key the call was made with; null where it had none. */
  readonly idempotencyKey: string | null;
  /** How often it was tried. */
  readonly attempts: number;

  constructor({ method, url, idempotencyKey }: Asked, attempts: number, cause: unknown) {
    const { pathname, origin } = new URL(url);
    const what = `no answer to ${method} ${pathname} of ${origin}, tried ${attempts} ×`;
    super(`${what}: ${reasonsOf(cause)}`, { cause });
    this.attempts = attempts;
    this.idempotencyKey = idempotencyKey;
  }
}
