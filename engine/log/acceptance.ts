/**
 * One-time acceptances by an operator: lost rows, or a clock out of bounds. The refusal prints a
 * value that is bound to the exact situation and is the only one that accepts it. The start that it
 * allows moves the journal's head, so the value has no effect afterwards and may stay set.
 */
import { createHash } from "node:crypto";
import { Damage } from "../core/damage.ts";
import { RenderedOutcome } from "../core/outcomes.ts";
import type { Head } from "./head.ts";
import { type EncodedRow, prepareRow } from "./stored-row.ts";

const VALUE_DIGITS = 12;

/** What was lost, and the journal that continues without it. */
export interface LossAccepted {
  readonly after_row: number;
  readonly lost: string;
  readonly journal_id: string;
  readonly former_id: string;
}

/** The row that describes an accepted loss. */
export function lossRow(row: number, stamp: number, data: LossAccepted): EncodedRow {
  const event = { type: "loss.accepted", seq: 0, data } as const;
  const about = { tenant_id: "", mode: "live", trace_id: "", key: null, phase: null } as const;
  const actor = { kind: "system", id: "engine" } as const;
  const silent = { ok: true, kind: "internal", trace_id: "", data: {} } as const;
  const source = { ...about, row, stamp, actor, events: [event] };
  return prepareRow(source, new RenderedOutcome(silent));
}

/** The situation to accept, and the value that was set. */
export interface Acceptance {
  readonly setting: "ACCEPT_LOSS" | "ACCEPT_CLOCK";
  /** Its value; null when not set. */
  readonly given: string | null;
  readonly journalId: string;
  readonly head: Head;
}

/**
 * Returns when the operator has accepted `damage`.
 *
 * @throws Damage of the same name, with the value that accepts it.
 */
export function acceptOnce(damage: Damage, { setting, given, journalId, head }: Acceptance): void {
  const situation = [setting, damage.damage, damage.situation, journalId, head.row, head.chain];
  const value = createHash("sha256").update(situation.join("\n")).digest("hex");
  const wanted = value.slice(0, VALUE_DIGITS);
  if (given === wanted) return;
  const how = `${setting}=${wanted} accepts this once`;
  const not = given === null ? "" : `, ${setting}=${given.slice(0, 2 * VALUE_DIGITS)} does not`;
  throw new Damage(damage.damage, `${damage.text}; ${how}${not}`);
}
