/** Remedies for damage of the journal. */
import type { Damage, DamageName } from "../../../engine/log/care/damage.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { refusedStart } from "../../lib/refused-starts.ts";

const RESTORE = "Restore a back-up.";
const RESTORE_SEGMENT = "Copy that file from a back-up: segments never change.";
export const REMEDIES: Readonly<Record<DamageName, string>> = {
  journal_unreadable: RESTORE,
  journal_row_damaged: RESTORE,
  journal_gap: RESTORE,
  journal_chain_broken: RESTORE,
  segment_missing: RESTORE_SEGMENT,
  segment_damaged: RESTORE_SEGMENT,
  journal_behind_witness:
    "Look for the right file, or restore a back-up. An accepted loss is final.",
  lanes_changed: "Set LANES to the number of lanes of the journal.",
  clock_behind_journal:
    "Set the clock. Use ACCEPT_CLOCK only if the clock is right and the journal's time is wrong.",
  clock_ahead_of_journal: "Set the clock. Use ACCEPT_CLOCK only if the clock is right.",
};

/** The refused start for damage, or for a clock outside the bounds. */
export function refusedByDamage(damage: Damage, journalPath: string): StartRefused {
  if (damage.damage === "journal_unreadable") {
    const facts = { file: journalPath, problem: damage.text };
    return refusedStart("journal_unreadable", facts, damage);
  }
  return new StartRefused(`${damage.message}\n${REMEDIES[damage.damage]}`, { cause: damage });
}
