/**
 * The two envelopes (spec 2.1–2.3) as JSON text. The keys always come in the same order, so that
 * an outcome rendered again gives the same bytes (spec 4.1: replays are exact).
 */
import type { Receipt } from "../../engine/core/outcomes.ts";
import { catalogue, docsUrl, type ErrorCode } from "../refusals/catalogue.ts";
import type { Method, Rel } from "../refusals/steps.ts";

/** Spec 2.2: a call that the reader can make next. */
export interface NextAction {
  readonly rel: Rel;
  readonly method: Method;
  readonly href: string;
  /** Ready body; what only the caller can know stands as `<what it is>`. */
  readonly body_hint?: Readonly<Record<string, unknown>>;
  /** RFC 3339 instant after which the call is useless. */
  readonly expires_at?: string;
}

export interface SuccessParts {
  readonly data: Readonly<Record<string, unknown>>;
  readonly trace_id: string;
  readonly next_actions: readonly NextAction[];
  /** Present on quotes, holds and sessions only (rules §2). */
  readonly expires_at?: string | null;
  readonly receipt?: Receipt;
}

export interface ErrorParts {
  readonly code: ErrorCode;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly trace_id: string;
  /** Base of `docs_url`, without trailing slash. */
  readonly docs: string;
  /** Seconds; the `Retry-After` header is sent exactly when this is not null. */
  readonly retry_after: number | null;
  readonly next_actions: readonly NextAction[];
  /** Replaces the catalogue's message. */
  readonly message?: string;
}

/** JSON text of a success envelope (spec 2.1). */
export function successBody(parts: SuccessParts): string {
  return JSON.stringify({
    data: parts.data,
    trace_id: parts.trace_id,
    next_actions: parts.next_actions,
    expires_at: parts.expires_at,
    receipt: parts.receipt,
  });
}

/** JSON text of an error envelope (spec 2.3); texts come from the catalogue. */
export function errorBody(parts: ErrorParts): string {
  const entry = catalogue[parts.code];
  return JSON.stringify({
    error: {
      code: parts.code,
      message: parts.message ?? entry.message,
      detail: parts.detail,
      remediation: entry.remediation,
      retry_after: parts.retry_after,
      docs_url: docsUrl(parts.docs, parts.code),
      trace_id: parts.trace_id,
      next_actions: parts.next_actions,
    },
  });
}
