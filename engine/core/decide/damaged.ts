/**
 * What comes of damaged records. Nothing is decided on one, so nothing spreads: who names it is
 * told so, and told to wait, because only a rebuild mends it.
 *
 * Other processes read records too. What one of them finds damaged it has the engine look at, which
 * alone may set it aside: the throw is the finding, as it is in every other decision.
 */
import type { CheckRecord, Command } from "../commands.ts";
import { RecordDamaged, recorded } from "../record-damage.ts";
import { type Context, type Decision, reject, success } from "./context.ts";

const RETRY_AFTER_S = 60;

/** The answer of a command that met a damaged record; its key stays free. */
export function refuseDamaged(command: Command, { id }: RecordDamaged): Decision {
  const detail = { upstream: "records", record: id };
  return reject(command, { code: "upstream_unavailable", detail, retry_after: RETRY_AFTER_S });
}

/**
 * The answer of a command for which the journal cannot be read, because a row of long ago is not
 * what was written; its key stays as it is. `damage`: the trouble, as the operator's log names it.
 */
export function refuseUnreadable(command: Command, damage: string): Decision {
  const detail = { upstream: "journal", damage };
  return reject(command, { code: "upstream_unavailable", detail, retry_after: RETRY_AFTER_S });
}

/** Reads the record; changes nothing when it is whole. Throws `RecordDamaged` when it is not. */
export function checkRecord(command: CheckRecord, ctx: Context): Decision {
  const { kind, id } = command;
  // Only who has the master key can tell whether a data key opens, and that is the reporter.
  if (kind === "subject_key") throw new RecordDamaged(kind, id, "does not open");
  recorded(ctx.records[kind](id), kind, id);
  const outcome = success(command, "internal", { changed: false });
  return { events: [], outcome, phase: "transient" };
}
