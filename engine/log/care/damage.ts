/**
 * The care of stored data. Damage is `engine/core/damage.ts`; here are its remedies, the errors of
 * SQLite, and the fence.
 *
 * - Journal: `scrubber.ts` reads all data that starts skip (`scrubbing.ts`) and keeps progress
 * and findings in `<shard>.scrub` (`scrub-file.ts`). A finding is reported and stops nothing.
 * - Records: `record-check.ts` checks them. `quarantine.ts` lists the damaged ones; only the calls
 * that need one fail. `rebuild.ts` writes all records again from the journal.
 */
import { Damage, type DamageName } from "../../core/damage.ts";

const RESTORE = "Restore a back-up.";
const RESTORE_SEGMENT = "Copy that file from a back-up: segments never change.";

/** The remedy by an operator. */
export const REMEDIES: Readonly<Record<DamageName, string>> = {
  record_damaged: "stop the service, then npm run admin -- projections rebuild",
  journal_unreadable: RESTORE,
  journal_row_damaged: RESTORE,
  journal_gap: RESTORE,
  journal_chain_broken: RESTORE,
  journal_of_other_store:
    "Start with the STORE that made it, or set DATA_DIR to an empty directory.",
  segment_missing: RESTORE_SEGMENT,
  segment_damaged: RESTORE_SEGMENT,
  journal_behind_witness:
    "Look for the right file, or restore a back-up. An accepted loss is final.",
  lanes_changed: "Set LANES to the number of lanes of the journal.",
  clock_behind_journal:
    "Set the clock. Use ACCEPT_CLOCK only if the clock is right and the journal's time is wrong.",
  clock_ahead_of_journal: "Set the clock. Use ACCEPT_CLOCK only if the clock is right.",
};

/** SQLite errors about the moment, the machine or permissions, not about the file. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|CANTOPEN|PERM|AUTH|NOMEM|INTERRUPT)/;

/**
 * Runs a step of opening or recovering a journal.
 *
 * @throws Damage `journal_unreadable` when SQLite cannot read the file; other errors unchanged.
 */
export function readingJournal<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
    if (typeof code !== "string" || !code.startsWith("SQLITE_") || PASSING.test(code)) throw error;
    throw new Damage("journal_unreadable", `${code}: ${(error as Error).message}`);
  }
}

/** The one SQLite error that the engine survives. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === "SQLITE_FULL";
}

/** Another engine has a newer epoch: this one must not write or answer any more. */
export class Fenced extends Error {
  override readonly name = "Fenced";
}
