/** All facts about an error code, collected from the code. */

import { isSealed, type RefusalCode } from "../../../engine/core/refusals.ts";
import { type RecoveryStep, SAME_CALL } from "../../actions/steps.ts";
import { documentedPath } from "../../http/contract.ts";
import { refusalCodesOf } from "../../http/refusal-codes.ts";
import type { Routes } from "../../http/route-table.ts";
import { REFUSALS, remediationOf } from "../../refusals/catalogue.ts";
import { servedRecovery } from "../../refusals/published.ts";
import type { DetailField } from "../../refusals/record.ts";
import { EXAMPLES, type Failure } from "../openapi/examples.ts";

export interface Thrower {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

export interface Recovery {
  readonly rel: string;
  /** `METHOD path`, or words for the failed call. */
  readonly call: string;
  readonly body: string;
}

export interface ErrorFacts {
  readonly code: RefusalCode;
  readonly status: number;
  readonly message: string;
  readonly remediation: string;
  /** Seconds, or in words. */
  readonly retryAfter: string;
  /** What a retry with the same idempotency key does. */
  readonly retrying: string;
  readonly throwers: readonly Thrower[];
  readonly isEverywhere: boolean;
  /** Note on a code that no call answers yet. */
  readonly notice: string | null;
  readonly recovery: readonly Recovery[];
  readonly fields: readonly DetailField[];
  readonly example: Failure | null;
}

/** Content of `body_hint`. */
const BODIES: Readonly<Record<NonNullable<RecoveryStep["body"]>, string>> = {
  requote: "the quote request of the same stay",
  alternatives: "one quote request per alternative",
  stay: "the same dates and party",
  quote: "the quote request, with placeholders for unknown values",
  cheaper: "the same stay at the same hotel, within the agent's limit",
  cheaper_elsewhere: "the same stay at any hotel, within the agent's limit",
  booking: "the booking under a new key, to be completed with guest and payment",
  authorized_booking: "the booking with the approved `authorization_id`, under a new key",
  unauthorized_booking: "the booking without `authorization_id`, under a new key",
  handover: "the hold, under a new key: for a refused booking",
  guest_link: "placeholders for the guest's e-mail address and the booking's confirmation code",
  refund: "the refundable amount",
  changes: "one change of the booking per alternative",
  difference: "the same change with a `difference` that fits",
  renamed: "the same property with a free slug",
  key: "a new key",
};

const SEALED =
  "Sealed: the same request with the same `Idempotency-Key` gets this answer again. To try " +
  "again, use a new key.";

const RESERVED =
  "No call of this version answers this code. It is part of the contract for future calls.";

function retryingOf(code: RefusalCode): string {
  const { retrying, status } = REFUSALS[code];
  if (retrying !== undefined) return retrying;
  if (isSealed(code)) return SEALED;
  return status >= 429
    ? "Never sealed: safe to send again with the same `Idempotency-Key`."
    : "Never sealed: correct the request and send it with the same `Idempotency-Key`.";
}

function retryAfterOf(code: RefusalCode): string {
  const { retry_after, wait = "none" } = REFUSALS[code];
  return retry_after === undefined ? wait : `${retry_after} s`;
}

function recoveryOf(step: RecoveryStep): Recovery {
  const { rel, method, href, prefer = [], body } = step;
  const paths = [...prefer, href].map((path) => `\`${method} ${path}\``);
  const call = href === SAME_CALL ? "the same call again" : paths.join(" or ");
  return { rel, call, body: body === undefined ? "" : BODIES[body] };
}

/** All facts about a code. */
export function errorFacts(code: RefusalCode, routes: Routes): ErrorFacts {
  const { status, message, detail } = REFUSALS[code];
  const remediation = remediationOf(code);
  const throwing = routes.published.filter((route) => refusalCodesOf(route).includes(code));
  const throwers = throwing.map((route) => {
    const { id, method, summary } = route;
    return { operationId: id, method, path: documentedPath(route), summary };
  });
  return {
    ...{ code, status, message, remediation },
    retryAfter: retryAfterOf(code),
    retrying: retryingOf(code),
    throwers,
    notice: throwers.length === 0 ? RESERVED : null,
    isEverywhere: throwers.length > routes.published.length / 3,
    recovery: servedRecovery(code, routes.published).map(recoveryOf),
    fields: detail,
    example: EXAMPLES.errors[code] ?? null,
  };
}
