/** Sends a command for a call and renders its outcome. */
import type { CommandMeta } from "../../engine/core/commands.ts";
import type { Success as Done, Refusal as Refused, SuccessOf } from "../../engine/core/outcomes.ts";
import type { Packed } from "../../jobs/lanes/queues.ts";
import { NoOutcome } from "../../jobs/lanes/submitter.ts";
import { type Refusal, refuse, type Success } from "./answer.ts";
import { type Call, commandMeta } from "./call.ts";
import { freshen, hasRow } from "./freshness.ts";

/** How long a client waits for an outcome. */
export const DEADLINE_MS = 5_000;

/** A uuid in a list of JSON. */
const PROPERTY_ID_BYTES = 39;

/**
 * The answer of an outcome: pure in what is stored, so that the same outcome gives the same bytes
 * to the same agent after any restart.
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
  /** Size of the command's payload, if it is not the request's body. */
  readonly bytes?: number;
}

/**
 * The command's answer, or 503 without an outcome in time; 504 when its payment was started,
 * whose outcome is then open and found by the same key.
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
    const bytes = bytesOf(command, options.bytes ?? call.bodyBytes);
    const { outcome, replayed, row } = await submitter.submit(command, { deadlineMs, bytes });
    if (!outcome.ok) return refused(outcome, replayed);
    if (!isKind(outcome, rendering.kind)) throw new Error(`unexpected outcome ${outcome.kind}`);
    if (call.route.rendersReplica && !(await hasRow(replica, row))) {
      log.warn("rendered without the replica", { trace_id: call.traceId, row });
    }
    return { ...rendering.answer(call, outcome), ok: true, isReplayed: replayed };
  } catch (error) {
    if (!(error instanceof NoOutcome)) throw error;
    const open = error.upstream === "engine" ? openPayment(call, command) : null;
    return open ? refuse("payment_timeout", open) : unavailable(error);
  }
}

/**
 * The meta of one of several commands of a call, which is about `id`: it has a key of its own, and
 * `sent` is its part of the request.
 */
export function partMeta(call: Call, id: string, sent: object): CommandMeta {
  return commandMeta({ ...call, key: call.key && `${call.key}#${id}`, sent });
}

/**
 * The outcome of one of several commands of a call.
 *
 * @throws NoOutcome without one in time; Error for a success of another kind, which is a bug.
 */
export async function submitPart<K extends Done["kind"]>(
  { context }: Call,
  command: Packed,
  kind: K,
): Promise<SuccessOf<K> | Refused> {
  const options = { deadlineMs: DEADLINE_MS, bytes: bytesOf(command, 0) };
  const { outcome } = await context.submitter.submit(command, options);
  if (outcome.ok && !isKind(outcome, kind)) throw new Error(`unexpected outcome ${outcome.kind}`);
  return outcome;
}

/** Size of a command with its payload and the ids that the caller may reach. */
function bytesOf({ property_ids = [] }: Packed, payloadBytes: number): number {
  return payloadBytes + 1_000 + property_ids.length * PROPERTY_ID_BYTES;
}

/** The payment that a booking command has begun, as far as this process knows the journal. */
function openPayment({ context }: Call, command: Packed) {
  if (command.type !== "BeginBooking") return null;
  const { hold_id, key } = command;
  freshen(context.replica);
  const { state, records } = context.replica;
  const hold = state.holds.get(hold_id) ?? records.hold(hold_id);
  const payment_id = hold?.payment_id;
  if (!payment_id) return null;
  const payment = state.payments.get(payment_id) ?? records.payment(payment_id);
  return payment?.key === key ? { hold_id, payment_id } : null;
}

/** 503 naming what is missing. */
export function unavailable({ upstream }: NoOutcome): Refusal {
  return refuse("upstream_unavailable", { upstream });
}

/** The engine's refusal, or the stored one of the key. */
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
