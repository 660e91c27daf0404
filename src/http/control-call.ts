/**
 * Admin writes to the control plane. Look-up of the idempotency key, change and outcome are one
 * transaction, so a key has one effect however often, and in however many processes at once, it is
 * sent (rules §1). After the commit every process is told to look.
 */
import { keepOutcome, type Recalled, recallOutcome } from "../control/keyed-outcomes.ts";
import type { Cause } from "../control/notices.ts";
import type { ControlStore } from "../control/store.ts";
import { catalogue, type ErrorCode } from "../refusals/catalogue.ts";
import { type Call, commandMeta, type PublicCall } from "./call.ts";
import type { NextAction } from "./envelope.ts";
import { bad, good } from "./respond.ts";
import type { FieldError } from "./validate.ts";

export interface ControlSuccess {
  readonly ok: true;
  /** 200 unless something was created. */
  readonly status?: 201;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actions?: readonly NextAction[];
}

export interface ControlRefusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly detail: Readonly<Record<string, unknown>>;
}

export type ControlOutcome = ControlSuccess | ControlRefusal;

/** 400 `validation_failed` for what only the stored state could show to be wrong; never sealed. */
export function invalidInput(errors: readonly FieldError[]): ControlRefusal {
  return { ok: false, code: "validation_failed", detail: { field_errors: errors } };
}

/** An outcome with what its rendering needs besides, so that a replay gives the same bytes. */
interface Kept {
  readonly outcome: ControlOutcome;
  readonly trace_id: string;
  readonly docs: string;
}

interface Settled extends Kept {
  readonly replayed: boolean;
}

/** The caller as the cause of a notice. */
export function causeOf({ principal, traceId }: Call): Cause {
  const { tenant_id, mode, kind, agent_id } = principal;
  return { tenant_id, mode, actor: { kind, id: agent_id }, trace_id: traceId };
}

/** Refusals that a retry with the same key must meet again (domain §20). */
const SEALED_STATUSES: readonly number[] = [404, 409];

/**
 * What a write to the control store comes to; 503 `upstream_unavailable` when another writer holds
 * the file too long. When something changed, `announce` it.
 */
export function storeWrite<T>(
  call: PublicCall,
  work: (store: ControlStore) => T,
): { readonly done: T } | Response {
  const { store } = call.deps;
  try {
    return { done: store.write(() => work(store)) };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return bad(call, { code: "upstream_unavailable", detail: { upstream: "control_store" } });
  }
}

/** Makes a change of the control store take effect here and tells the other processes to look. */
export async function announce({ deps }: PublicCall): Promise<void> {
  deps.control.refresh();
  await deps.signal.raise();
}

/**
 * Answers an admin write: what `work` comes to, or came to when the key was sent before. `work`
 * runs inside the transaction and checks everything before it changes anything.
 */
export async function controlWrite(
  call: Call,
  work: (store: ControlStore) => ControlOutcome,
): Promise<Response> {
  const written = storeWrite(call, () => settle(call, work));
  if (written instanceof Response) return written;
  const { outcome, replayed } = written.done;
  if (outcome.ok && !replayed) {
    call.deps.notices.nudge();
    await announce(call);
  }
  return render(call, written.done);
}

function settle(call: Call, work: (store: ControlStore) => ControlOutcome): Settled {
  const { store, keys } = call.deps;
  const { key, body_hash, actor, trace_id, docs } = commandMeta(call);
  if (call.key === null) return { outcome: work(store), trace_id, docs, replayed: false };
  const command = { command_id: key!, agent_id: actor.id, body_hash: body_hash! };
  const recalled: Recalled<Kept> = recallOutcome(store, keys.master, command);
  if (recalled.is === "known") return { ...recalled.outcome, replayed: true };
  if (recalled.is === "conflict") {
    const outcome = {
      ok: false,
      code: "idempotency_conflict",
      detail: { key_scope: "tenant" },
    } as const;
    return { outcome, trace_id, docs, replayed: false };
  }
  const kept: Kept = { outcome: work(store), trace_id, docs };
  if (isSealed(kept.outcome)) keepOutcome(store, keys.master, command, kept);
  return { ...kept, replayed: false };
}

function isSealed(outcome: ControlOutcome): boolean {
  return outcome.ok || SEALED_STATUSES.includes(catalogue[outcome.code].status);
}

function render(call: Call, { outcome, trace_id, docs, replayed }: Settled): Response {
  if (!outcome.ok) {
    const { code, detail } = outcome;
    return bad(call, { code, detail, trace_id, docs, replayed });
  }
  const { status = 200, data, actions = [] } = outcome;
  return good(call, { status, data, actions, trace_id, replayed });
}

/** True when a write was refused because another writer holds the control store. */
function isBusy(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}
