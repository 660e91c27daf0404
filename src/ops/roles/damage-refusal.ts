/** Starts and commands that are refused because of damage. */
import type { Damage } from "../../../engine/core/damage.ts";
import { REMEDIES } from "../../../engine/log/care/damage.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { refusedStart } from "../../lib/refused-starts.ts";

/** The refusal, with the remedy; also for a clock outside the bounds. */
export function refusedByDamage(damage: Damage, journalPath: string): StartRefused {
  if (damage.damage === "journal_unreadable") {
    const facts = { file: journalPath, problem: damage.text };
    return refusedStart("journal_unreadable", facts, damage);
  }
  return new StartRefused(`${damage.message}\n${REMEDIES[damage.damage]}`, { cause: damage });
}
