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
  /** Null without a route: the path is the caller's text. */
  readonly route: { readonly path: string } | null;
  readonly principal?: Pick<Principal, "tenant_id" | "agent_id"> | undefined;
}

/**
 * Logs an answer of `status` 400 or above that took `ms`; `answer` is null when the client
 * disconnected. A replay is logged with the trace of the first outcome, as in its answer.
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

/** Undeclared names are the caller's text. */
const UNKNOWN_NAME = /^is not a known /;

function fieldsOf(errors: unknown): string[] {
  const faults = (errors ?? []) as readonly FieldError[];
  return faults.slice(0, FIELDS_MAX).map(({ path, message }) => {
    const known = UNKNOWN_NAME.test(message) ? path.replace(/[^/?]*$/, "*") : path;
    return known.slice(0, FIELD_CHARACTERS_MAX);
  });
}
