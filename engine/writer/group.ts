/** One group: the rows of one transaction and the replies that follow it. Empty between groups. */
import type { Command } from "../core/commands.ts";
import { type DueWork, dueOf } from "../core/due/due-work.ts";
import type { KeyRef, Row } from "../core/events/event.ts";
import { type KeyPhase, type Outcome, RenderedOutcome } from "../core/outcomes.ts";
import { type EncodedRow, prepareRow } from "../log/stored-row.ts";

/** The result of a command or of a key. */
export interface Reply {
  /** While it is running, the key whose answer the command will get. */
  readonly key: string | null;
  readonly phase: KeyPhase;
  readonly replayed: boolean;
  /** The journal row of this answer, or of the command; 0 for none. */
  readonly row: number;
  /** Null while a key is running, or when the engine could not take the command. */
  readonly rendered: RenderedOutcome | null;
}

/** State of a key, stored or to be stored by this group. */
export interface KeyState {
  readonly key: string;
  /** The row that sets this state. */
  readonly row: number;
  readonly phase: KeyPhase;
  readonly body_hash: string;
  readonly agent_id: string;
  readonly rendered: RenderedOutcome;
}

export class Group {
  readonly rows: EncodedRow[] = [];
  readonly answers: { readonly reply: Reply; readonly send: (reply: Reply) => void }[] = [];
  /** Final answers of keys that another command's row sets. */
  readonly answered: Reply[] = [];
  readonly keyStates = new Map<string, KeyState>();
  /** Work that becomes due with the commit. */
  readonly due: DueWork[] = [];
  bytes = 0;

  /** Adds a row; its outcome is stored when the row sets a key. */
  addRow(row: Omit<Row, "outcome">, rendered: RenderedOutcome): void {
    const encoded = prepareRow(row, rendered);
    this.rows.push(encoded);
    this.bytes += encoded.payload.length;
    if (row.key && row.phase) {
      const { key, body_hash, agent_id } = row.key;
      const { phase } = row;
      this.keyStates.set(key, { key, row: row.row, phase, body_hash, agent_id, rendered });
    }
    for (const event of row.events) {
      const work = dueOf(event);
      if (work) this.due.push(work);
    }
  }
}

/** The state that a stored row gives its key. */
export function keyStateOf(row: Row): KeyState | null {
  const { key, phase, outcome } = row;
  if (!key || !phase || !outcome) return null;
  return { ...key, row: row.row, phase, rendered: new RenderedOutcome(outcome) };
}

/** Whether a command repeats the one that first used the key. */
export function isRepeat(command: Command, keyState: KeyState): boolean {
  return command.body_hash === keyState.body_hash && command.actor.id === keyState.agent_id;
}

/**
 * A reply that is not journaled. Without an outcome, for a command that the engine could not take,
 * the api answers 503.
 */
export function transientReply(key: string | null | undefined, outcome: Outcome | null): Reply {
  const rendered = outcome && new RenderedOutcome(outcome);
  return { key: key ?? null, phase: "transient", replayed: false, row: 0, rendered };
}

/** The key that a row of the command sets; null for none. */
export function keyOf(command: Command): KeyRef | null {
  const { key, body_hash, actor } = command;
  return key && body_hash ? { key, body_hash, agent_id: actor.id } : null;
}
