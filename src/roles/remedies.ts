/** What an operator should do about damage of the journal. */
import type { Damage, DamageName } from "../../engine/shell/damage.ts";
import { refusedStart } from "../base/refused-starts.ts";
import { StartRefused } from "../lifecycle.ts";

const RESTORE = "Restore a back-up.";
const RESTORE_SEGMENT = "Copy that file from a back-up: segments never change.";
/** By the name of what is damaged; what would be accepted is told beside it. */
export const REMEDIES: Readonly<Record<DamageName, string>> = {
  journal_unreadable: RESTORE,
  journal_row_damaged: RESTORE,
  journal_gap: RESTORE,
  journal_chain_broken: RESTORE,
  segment_missing: RESTORE_SEGMENT,
  segment_damaged: RESTORE_SEGMENT,
  journal_behind_witness:
    "Look for the right file, else restore a back-up. What is accepted as lost is lost for good.",
  lanes_changed: "Set LANES to what the journal was made with.",
  clock_behind_journal: "Set the clock. Accept it only when it is right and the journal is wrong.",
  clock_ahead_of_journal: "Set the clock. Accept it only when it is right.",
};

/** Damage and a clock beyond the bounds refuse a start by name; no restart cures them. */
export function refusedByDamage(damage: Damage, journalPath: string): StartRefused {
  if (damage.damage === "journal_unreadable") {
    const facts = { file: journalPath, problem: damage.text };
    return refusedStart("journal_unreadable", facts, damage);
  }
  return new StartRefused(`${damage.message}\n${REMEDIES[damage.damage]}`, { cause: damage });
}
