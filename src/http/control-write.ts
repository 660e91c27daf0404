/**
 * Admin writes to the control plane. Look-up of the idempotency key, change and outcome are one
 * transaction, so a key has one effect, however often and in however many processes it is sent.
 * After the commit every process is notified.
 */

import { isSealed } from "../../engine/core/refusals.ts";
import { type Denial, denialSignal } from "../access/control/denials.ts";
import {
  type KeyedCommand,
  keepOutcome,
  type Recalled,
  recallOutcome,
  replaceOutcome,
} from "../access/control/keyed-outcomes.ts";
import type { Cause } from "../access/control/notices.ts";
import { actorOf } from "../access/control/principal.ts";
import type { ControlStore } from "../access/control/store.ts";
import { isBusy, storageTroubleOf } from "../lib/store-file.ts";
import { type Refusal, refuse, type Success } from "./answer.ts";
import { type Call, commandMeta, type PublicCall } from "./call.ts";

/** Result of a write, without its trace. */
export type ControlOutcome = Success | Refusal;

/** An outcome with its rendering parameters, so that a replay gives the same bytes. */
interface Kept {
  readonly outcome: ControlOutcome;
  readonly trace_id: string;
  readonly docs: string;
}

/** The caller as the cause of a notice. */
export function causeOf({ principal, traceId }: Call): Cause {
  const { tenant_id, mode } = principal;
  return { tenant_id, mode, actor: actorOf(principal), trace_id: traceId };
}

/** Declares the object that an allowed write ends. */
export type Ending = (denial: Denial) => void;

/**
 * Result of a write to the control store; 503 `upstream_unavailable` when another writer holds the
 * file too long, or it is not writable (`reason`). The object that `work` ends is then denied in
 * memory, in every api process. After a change call `announce`.
 */
export function storeWrite<T>(
  call: PublicCall,
  work: (store: ControlStore, ending: Ending) => T,
): { readonly ok: true; readonly done: T } | Refusal {
  const { store } = call.context;
  const denials: Denial[] = [];
  try {
    return { ok: true, done: store.write(() => work(store, (denial) => denials.push(denial))) };
  } catch (error) {
    const reason = storageTroubleOf(error);
    if (reason === null && !isBusy(error)) throw error;
    deny(call, denials);
    return refuse("upstream_unavailable", {
      upstream: "control_store",
      ...(reason !== null && { reason }),
      ...(denials.length > 0 && { is_denied: true }),
    });
  }
}

function deny({ context, traceId }: PublicCall, denials: readonly Denial[]): void {
  for (const denial of denials) {
    context.control.deny(denial);
    void context.signal.raise(denialSignal(context.keys.hmac, denial));
    const fields = { ...denial, trace_id: traceId };
    context.log.error("revocation not stored: denied in memory only", fields);
  }
}

/**
 * What a keyed call is told apart by, for another store than the control store: a crash between the
 * two leaves the change without its key. Null for a call without one.
 */
export function requestKeyOf(call: Call): string | null {
  return call.key === null ? null : commandMeta(call).key!;
}

/** Applies a change of the control store here and notifies the other processes. */
export async function announce({ context }: PublicCall): Promise<void> {
  context.control.refresh();
  await context.signal.raise();
}

/**
 * Answers an admin write: the result of `work`, or the stored outcome of the key. `work` runs
 * inside the transaction and checks everything before it changes anything.
 */
export async function controlWrite(
  call: Call,
  work: (store: ControlStore, ending: Ending) => ControlOutcome,
): Promise<ControlOutcome> {
  const written = storeWrite(call, (store, ending) => keyed(call, () => work(store, ending)));
  if (!written.ok) return written;
  const outcome = written.done;
  if (outcome.ok && !outcome.isReplayed) {
    call.context.notices.nudge();
    await announce(call);
  }
  return outcome;
}

/**
 * The second part of a write whose first part is committed, after a call to an outside system,
 * which must not happen inside a transaction. Its result replaces `first` under the key. If the
 * store is busy, `first` is answered.
 */
export async function controlFollowUp(
  call: Call,
  first: Success,
  work: (store: ControlStore) => ControlOutcome,
): Promise<ControlOutcome> {
  const written = storeWrite(call, (store) => {
    const outcome = work(store);
    const { command, ...kept } = commandOf(call);
    if (command) {
      replaceOutcome(store, call.context.keys.encryption, command, { ...kept, outcome });
    }
    return outcome;
  });
  if (!written.ok) return first;
  await announce(call);
  return written.done;
}

/**
 * Answers a call with an effect outside all stores, whose outcome can only be stored afterwards.
 * With concurrent calls of a key, or if storing failed, the effect may happen twice, so it must be
 * idempotent for the outside system.
 */
export async function keyedEffect(
  call: Call,
  effect: () => Promise<ControlOutcome>,
): Promise<ControlOutcome> {
  // No outcome with this code is stored: it means that the key is new.
  const unknown = refuse("internal_error");
  const recalled = storeWrite(call, () => keyed(call, () => unknown));
  if (!recalled.ok) return recalled;
  if (recalled.done !== unknown) return recalled.done;
  const outcome = await effect();
  const kept = storeWrite(call, () => keyed(call, () => outcome));
  return kept.ok ? kept.done : outcome;
}

/** The call as stored under its key, null without a key; and parameters of a replay. */
function commandOf(call: Call) {
  const { key, body_hash, actor, trace_id, docs } = commandMeta(call);
  const command: KeyedCommand = { command_id: key!, agent_id: actor.id, body_hash: body_hash! };
  return { command: call.key === null ? null : command, trace_id, docs };
}

function keyed(call: Call, work: (store: ControlStore) => ControlOutcome): ControlOutcome {
  const { store, keys } = call.context;
  const { command, trace_id, docs } = commandOf(call);
  if (command === null) return work(store);
  const recalled: Recalled<Kept> = recallOutcome(store, keys.encryption, command);
  if (recalled.is === "known") {
    const { outcome, ...stored } = recalled.outcome;
    return { ...outcome, ...stored, isReplayed: true };
  }
  if (recalled.is === "conflict") return refuse("idempotency_conflict", { key_scope: "agent" });
  const outcome = work(store);
  const kept: Kept = { outcome, trace_id, docs };
  if (outcome.ok || isSealed(outcome.code)) keepOutcome(store, keys.encryption, command, kept);
  return outcome;
}
