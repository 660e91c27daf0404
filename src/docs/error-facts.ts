/** Everything there is to say about an error code, gathered from where it is decided. */

import { operationOf } from "../contract/operations.ts";
import type { Route } from "../http/call.ts";
import { errorCodesOf } from "../http/error-codes.ts";
import { documentedPath } from "../openapi/document.ts";
import { EXAMPLES, type Failure } from "../openapi/examples.ts";
import { catalogue, type ErrorCode } from "../refusals/catalogue.ts";
import { DETAIL_FIELDS, type DetailField } from "../refusals/detail-fields.ts";
import { servedRecovery } from "../refusals/published.ts";
import { type RecoveryStep, SAME_CALL } from "../refusals/steps.ts";

export interface Thrower {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

export interface Recovery {
  readonly rel: string;
  /** `METHOD path`, or words where it is the failed call again. */
  readonly call: string;
  readonly body: string;
}

export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly remediation: string;
  /** Seconds, or in words. */
  readonly retryAfter: string;
  /** What a retry with the same idempotency key does. */
  readonly retrying: string;
  readonly throwers: readonly Thrower[];
  readonly isEverywhere: boolean;
  readonly recovery: readonly Recovery[];
  readonly fields: readonly DetailField[];
  readonly example: Failure | null;
}

/** What stands in `body_hint`. */
const BODIES: Readonly<Record<NonNullable<RecoveryStep["body"]>, string>> = {
  requote: "the quote request of the same stay",
  alternatives: "one quote request per alternative",
  stay: "the same dates and party",
  booking: "the booking, to be completed with guest and payment",
  authorized_booking: "the booking with `authorization_id`",
  refund: "the amount that remains",
};

/** Codes whose refusals are stored under the request's key (rules §1). */
function isSealed(code: ErrorCode): boolean {
  return [402, 404, 409, 410].includes(catalogue[code].status) && code !== "idempotency_conflict";
}

function retryingOf(code: ErrorCode): string {
  if (code === "payment_timeout") {
    return (
      "Never sealed: the outcome is open. Retry with the same `Idempotency-Key` and only with " +
      "it; the retry finds the payment and never makes a second one."
    );
  }
  if (code === "idempotency_conflict") {
    return "Not stored: the key still stands for the request that it was first used for.";
  }
  if (isSealed(code)) {
    return (
      "Sealed: the same request with the same `Idempotency-Key` gets this very answer again. To " +
      "try anew, use a new key."
    );
  }
  return catalogue[code].status >= 429
    ? "Never sealed: safe to send again with the same `Idempotency-Key`."
    : "Never sealed: correct the request and send it with the same `Idempotency-Key`.";
}

function retryAfterOf(code: ErrorCode): string {
  const { retry_after } = catalogue[code];
  if (retry_after !== undefined) return `${retry_after} s`;
  if (code === "rate_limited") return "until the next request is allowed";
  return code === "webhook_delivery_not_replayable" ? "until the next attempt" : "none";
}

function recoveryOf(step: RecoveryStep): Recovery {
  const { rel, method, href, prefer = [], body } = step;
  const paths = [...prefer, href].map((path) => `\`${method} ${path}\``);
  const call = href === SAME_CALL ? "the same call again" : paths.join(" or ");
  return { rel, call, body: body === undefined ? "" : BODIES[body] };
}

/** All facts about a code; `routes` are all routes of the service. */
export function errorFacts(code: ErrorCode, routes: readonly Route[]): ErrorFacts {
  const { status, message, remediation } = catalogue[code];
  const throwing = routes.filter((route) => {
    return errorCodesOf(route, operationOf(route)).includes(code);
  });
  const throwers = throwing.map((route) => {
    const operation = operationOf(route);
    const path = documentedPath(route, operation);
    return { operationId: operation.id, method: route.method, path, summary: operation.summary };
  });
  return {
    ...{ code, status, message, remediation },
    retryAfter: retryAfterOf(code),
    retrying: retryingOf(code),
    throwers,
    isEverywhere: throwers.length > routes.length / 3,
    recovery: servedRecovery(code, routes).map(recoveryOf),
    fields: DETAIL_FIELDS[code],
    example: EXAMPLES.errors[code] ?? null,
  };
}
