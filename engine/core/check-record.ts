/**
 * Decisions about damaged records. Nothing is decided on a damaged record, so damage cannot spread:
 * a command that needs one is refused until a rebuild repairs it.
 *
 * Other processes read records too. They report damage to the engine, because only the engine may
 * quarantine a record; the throw reports it, as in every other decision.
 */
import type { CheckRecord, Command } from "./commands.ts";
import { type Context, type Decision, reject, success } from "./decision.ts";
import { RecordDamaged, recorded } from "./record-damage.ts";

const RETRY_AFTER_S = 60;

/** The answer of a command that met a damaged record; its key stays free. */
export function refuseDamaged(command: Command, { id }: RecordDamaged): Decision {
  const detail = { upstream: "records", record: id };
  return reject(command, { code: "upstream_unavailable", detail, retry_after: RETRY_AFTER_S });
}

/**
 * The answer of a command for which the journal cannot be read because an archived row is damaged;
 * its key stays as it is. `damage`: the description in the operator's log.
 */
export function refuseUnreadable(command: Command, damage: string): Decision {
  const detail = { upstream: "journal", damage };
  return reject(command, { code: "upstream_unavailable", detail, retry_after: RETRY_AFTER_S });
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
