/**
 * What every decision needs beside the command and the state, and the ways in which a decision can
 * end.
 */
import type { CommandMeta } from "./commands.ts";
import type { Event, KeyRef } from "./events/event.ts";
import type {
  KeyPhase,
  Outcome,
  Receipt,
  Refusal,
  Rejection,
  Success,
  SuccessOf,
} from "./outcomes.ts";
import type { GuestHashes } from "./parties.ts";
import type { Records } from "./records.ts";
import { isSealed } from "./refusals.ts";
import type { State } from "./state/state.ts";
import type { Mode } from "./supply.ts";

export interface Context {
  readonly state: State;
  readonly records: Records;
  /**
   * Engine time of this command, epoch milliseconds: for payments and refunds, which the world
   * outside settles, and for the order of rows.
   */
  readonly stamp: number;
  /** What time it is in the realm: the stamp, moved by its test clock (`due/test-clock.ts`). */
  readonly now: number;
  /** The journal row that this command would write. */
  readonly row: number;
  /** Signs a receipt's content; ES256 signatures of the same content differ. */
  readonly sign: (
    kind: Receipt["kind"],
    issuedAtMs: number,
    subject: Receipt["subject"],
  ) => Receipt;
}

export interface Decision {
  readonly events: readonly Event[];
  readonly outcome: Outcome;
  readonly phase: KeyPhase;
  /** The key whose state the row sets, when it is not the command's own. */
  readonly key?: KeyRef;
  /** Data key to store with the row, outside the journal. */
  readonly subjectKey?: {
    readonly booking_id: string;
    readonly wrapped_key: string;
    readonly guest: GuestHashes;
  };
}

type Draft = { [E in Event as E["type"]]: Omit<E, "seq"> }[Event["type"]];

/**
 * Numbers events densely within the command's tenant and mode; `before` are earlier ones of the
 * row.
 */
export class EventList {
  readonly list: Event[];
  #next: number;

  constructor(state: State, tenantId: string, mode: Mode, before: readonly Event[] = []) {
    this.list = [...before];
    this.#next = (state.tenants.get(tenantId)?.seq[mode] ?? 0) + before.length + 1;
  }

  /** Adds an event and returns its seq. */
  add(draft: Draft): number {
    const seq = this.#next++;
    this.list.push({ ...draft, seq });
    return seq;
  }
}

/** A success, its members in the order in which they are stored. */
export function success<K extends Success["kind"]>(
  meta: Pick<CommandMeta, "trace_id">,
  kind: K,
  data: SuccessOf<K>["data"],
) {
  return { ok: true, kind, trace_id: meta.trace_id, data } as const;
}

/** A refusal as an outcome. */
export function refusal(
  meta: Pick<CommandMeta, "trace_id" | "docs">,
  rejection: Rejection,
): Refusal {
  return { ok: false, trace_id: meta.trace_id, docs: meta.docs, ...rejection };
}

/** The decision to refuse: no events; sealed when its code is. */
export function reject(meta: CommandMeta, rejection: Rejection): Decision {
  const phase = isSealed(rejection.code) ? "sealed" : "transient";
  return { events: [], outcome: refusal(meta, rejection), phase };
}
