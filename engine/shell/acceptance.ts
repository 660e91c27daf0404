/**
 * What only an operator can accept, once: rows that are lost, a clock beyond the bounds. The
 * refusal prints a value that is bound to this very situation, and only that accepts it. Used, it
 * is worth nothing any more, because the start that it allowed moves the journal's head; so it
 * may be left where it was set.
 */
import { createHash } from "node:crypto";
import { Damage } from "./damage.ts";
import type { Head } from "./head.ts";

const VALUE_DIGITS = 12;

/** Where the journal stands, and what was set for it. */
export interface Acceptance {
  /** Name of the setting. */
  readonly setting: "ACCEPT_LOSS" | "ACCEPT_CLOCK";
  /** Its value, null when it is not set. */
  readonly given: string | null;
  readonly journalId: string;
  readonly head: Head;
}

/**
 * Returns when the operator has accepted `damage`.
 *
 * @throws Damage of the same name that says which value would accept it.
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
