/** Sends a command for a call and renders what it came to. */
import type { Success as Done, Refusal as Refused, SuccessOf } from "../../engine/core/outcomes.ts";
import type { Packed } from "../../jobs/queues.ts";
import { NoOutcome } from "../../jobs/submitter.ts";
import { type Refusal, refuse, type Success } from "./answer.ts";
import type { Call } from "./call.ts";
import { hasRow } from "./freshness.ts";

/** How long a client waits for an outcome. */
export const DEADLINE_MS = 5_000;

/**
 * The answer of an outcome: pure in what is stored, so that the same outcome gives the same bytes
 * to the same agent after any restart (rules §1).
 */
export interface Rendering<K extends Done["kind"]> {
  readonly kind: K;
  readonly answer: (call: Call, outcome: SuccessOf<K>) => Omit<Success, "ok" | "isReplayed">;
}

/** The answer of an outcome whose data is what the client gets. */
export function plain<K extends Done["kind"]>(kind: K): Rendering<K> {
  return { kind, answer: (_call, { data, trace_id }: Done) => ({ data, trace_id }) };
}

export interface ExecuteOptions {
  readonly deadlineMs?: number;
  /** Bookings answer 504: the outcome is ambiguous and the same key will find it. */
  readonly isPayment?: boolean;
}

/**
 * The command's answer, or 503 (504 for bookings) when no outcome is known in time.
 *
 * @throws Error for an outcome of another kind than `rendering` takes, which is a bug.
 */
export async function execute<K extends Done["kind"]>(
  call: Call,
  command: Packed,
  rendering: Rendering<K>,
  options: ExecuteOptions = {},
): Promise<Success | Refusal> {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const { submitter, replica, log } = call.context;
  try {
    const bytes = call.bodyBytes + 1_000;
    const { outcome, replayed, row } = await submitter.submit(command, { deadlineMs, bytes });
    if (!outcome.ok) return refused(outcome, replayed);
    if (!isKind(outcome, rendering.kind)) throw new Error(`${outcome.kind} is no answer here`);
    if (call.route.rendersReplica && !(await hasRow(replica, row))) {
      log.warn("rendered without the replica", { trace_id: call.traceId, row });
    }
    return { ok: true, isReplayed: replayed, ...rendering.answer(call, outcome) };
  } catch (error) {
    if (!(error instanceof NoOutcome)) throw error;
    if (options.isPayment && error.upstream === "engine") {
      return refuse("payment_timeout", "hold_id" in command ? { hold_id: command.hold_id } : {});
    }
    return unavailable(error);
  }
}

/** 503 naming what is missing. */
export function unavailable({ upstream }: NoOutcome): Refusal {
  return refuse("upstream_unavailable", { upstream });
}

/** What the engine refused, or had refused when the key was first sent. */
function refused(outcome: Refused, isReplayed: boolean): Refusal {
  const { code, detail, hints, retry_after, trace_id, docs } = outcome;
  const more = { trace_id, docs, isReplayed };
  return refuse(code, detail, {
    ...more,
    ...(hints ? { hints } : {}),
    ...(retry_after === undefined ? {} : { retry_after }),
  });
}

function isKind<K extends Done["kind"]>(outcome: Done, kind: K): outcome is SuccessOf<K> {
  return outcome.kind === kind;
}
