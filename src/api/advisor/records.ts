/** Look-ups and changes of sessions; each change is stored with the caller's key. */
import { isSealed } from "../../../engine/core/refusals.ts";
import type { RecoveryStep } from "../../actions/steps.ts";
import type { Session, SessionRequest } from "../../advisor/sessions.ts";
import { type Refusal, refuse, type Success, unknownId } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { isBusy } from "../../lib/store-file.ts";
import { sessionAnswer } from "./views.ts";

const LIST_PROPERTIES: RecoveryStep = { rel: "get", method: "GET", href: "/v1/properties" };

/** Result of a change: the session, or an outcome without one. */
export type Change = { readonly session: Session } | { readonly outcome: Success | Refusal };

/** The caller's own session by its id, or 404: the catalogue has no code for it. */
export function sessionOf({ context, principal }: Call, session_id: string): Session | Refusal {
  const found = context.advisor.get(session_id, principal, context.engineNow());
  return found ?? unknownId("/session_id", "the id of your advisor session", LIST_PROPERTIES);
}

function requestOf(call: Call): SessionRequest | null {
  if (call.key === null) return null;
  const { key, body_hash, trace_id } = commandMeta(call);
  return { command_id: key!, body_hash: body_hash!, trace_id };
}

/** The stored answer of the caller's key; null for a new or missing key. */
export function recalled(call: Call): Success | Refusal | null {
  const request = requestOf(call);
  if (request === null) return null;
  const { advisor, engineNow } = call.context;
  const known = advisor.recall(request, call.principal, engineNow());
  switch (known.is) {
    case "unknown":
      return null;
    case "conflict":
      return refuse("idempotency_conflict", { key_scope: "agent" });
    case "session": {
      const { session, trace_id } = known;
      const status = session.messages.length === 0 ? { status: 201 as const } : {};
      return { ...sessionAnswer(call, session), ...status, trace_id, isReplayed: true };
    }
    case "outcome": {
      const outcome = JSON.parse(known.outcome) as Success | Refusal;
      return { ...outcome, trace_id: known.trace_id, isReplayed: true };
    }
  }
}

/**
 * Makes a change in one transaction with the caller's key; `work` checks everything before it
 * changes anything. A key used meanwhile gets its stored answer.
 */
export function sessionWrite(call: Call, work: () => Change): Success | Refusal {
  const { advisor, engineNow } = call.context;
  try {
    return advisor.write(() => {
      const known = recalled(call);
      if (known) return known;
      const done = work();
      const outcome = "session" in done ? sessionAnswer(call, done.session) : done.outcome;
      const request = requestOf(call);
      if (request && (outcome.ok || isSealed(outcome.code))) {
        const kept = "session" in done ? done.session : JSON.stringify(outcome);
        advisor.remember(request, kept, engineNow());
      }
      return outcome;
    });
  } catch (error) {
    if (!isBusy(error)) throw error;
    return refuse("upstream_unavailable", { upstream: "advisor_store" });
  }
}
