/**
 * Decisions about damaged records. Nothing is decided on a damaged record, so damage cannot spread:
 * a command that needs one is refused until a rebuild repairs it.
 *
 * Other processes read records too. They report damage to the engine, because only the engine may
 * quarantine a record; the throw reports it, as in every other decision.
 */

import type { CheckRecord, Command } from "./commands.ts";
import { DAMAGE_RETRY_AFTER_S, type Damage } from "./damage.ts";
import { type Context, type Decision, reject, success } from "./decision.ts";
import { RecordDamaged, recorded } from "./record-damage.ts";

/**
 * The answer of a command that needs a damaged record or an unreadable row of the journal. Its key
 * stays as it is.
 */
export function refuseDamaged(command: Command, { detail }: Damage): Decision {
  const retry_after = DAMAGE_RETRY_AFTER_S;
  return reject(command, { code: "upstream_unavailable", detail, retry_after });
}

/** Reads the record; changes nothing. @throws RecordDamaged when it is damaged. */
export function checkRecord(command: CheckRecord, ctx: Context): Decision {
  const { kind, id } = command;
  // Only the reporter has the master key to see whether a data key opens.
  if (kind === "subject_key") throw new RecordDamaged(kind, id, "does not open");
  recorded(ctx.records[kind](id), kind, id);
  const outcome = success(command, "internal", { changed: false });
  return { events: [], outcome, phase: "transient" };
}
