/** Log entries of refused answers: names and codes, never data of the caller. */
import type { Principal } from "../access/control/principal.ts";
import type { Answer } from "./answer.ts";
import type { Context } from "./context.ts";
import type { FieldError } from "./validate.ts";

const FIELDS_MAX = 20;
const FIELD_CHARACTERS_MAX = 100;

interface LoggedCall {
  readonly context: Pick<Context, "requestLog">;
  readonly traceId: string;
  readonly method: string;
  /** Null where no route has the path, which is the caller's own text. */
  readonly route: { readonly path: string } | null;
  readonly principal?: Pick<Principal, "tenant_id" | "agent_id"> | undefined;
}

/**
 * Logs an answer of `status` 400 or above that took `ms`; `answer` is null where the client has
 * gone. The trace is the one that the answer names: of a replay that of the first outcome.
 */
export function logRefused(
  { context, traceId, method, route, principal }: LoggedCall,
  answer: Answer | null,
  status: number,
  ms: number,
): void {
  const refusal = answer && !answer.ok && "code" in answer ? answer : null;
  const { reason } = refusal?.detail ?? {};
  const hasReason = (status === 401 || status === 403) && typeof reason === "string";
  context.requestLog.note({
    method,
    route: route?.path ?? null,
    status,
    code: refusal?.code ?? (answer && "error" in answer ? answer.error : null),
    trace_id: refusal?.trace_id ?? traceId,
    tenant_id: principal?.tenant_id ?? null,
    agent_id: principal?.agent_id ?? null,
    ms: Math.round(ms),
    ...(status === 400 && { fields: fieldsOf(refusal?.detail?.field_errors) }),
    ...(hasReason && { reason }),
  });
}

/** A name that no declaration has is the caller's own text, and may be anything. */
const UNKNOWN_NAME = /^is not a known /;

function fieldsOf(errors: unknown): string[] {
  const faults = (errors ?? []) as readonly FieldError[];
  return faults.slice(0, FIELDS_MAX).map(({ path, message }) => {
    const known = UNKNOWN_NAME.test(message) ? path.replace(/[^/?]*$/, "*") : path;
    return known.slice(0, FIELD_CHARACTERS_MAX);
  });
}
