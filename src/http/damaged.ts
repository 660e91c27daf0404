/** The answer of a call that meets damage: 503 naming it, and a report. */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/log/care/damage.ts";
import { storageTroubleOf } from "../lib/store-file.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { Context } from "./context.ts";

/** Only an operator can repair it, so the wait is long. */
const RETRY_AFTER_S = 60;

/** The refusal for a thrown damaged record or row, else null. */
export function damageRefusal(
  error: unknown,
  { damage, log }: Pick<Context, "damage" | "log">,
): Refusal | null {
  const detail = detailOf(error);
  if (!detail) return null;
  if (error instanceof RecordDamaged) damage.report(error);
  else log.error("the journal cannot be read", { error });
  return refuse("upstream_unavailable", detail, { retry_after: RETRY_AFTER_S });
}

/** The refusal for a file that is not writable, else null. */
export function storageRefusal(error: unknown, { log }: Pick<Context, "log">): Refusal | null {
  const reason = storageTroubleOf(error);
  if (reason === null) return null;
  log.error("a file is not writable", { reason, error });
  return refuse("upstream_unavailable", { upstream: "disk", reason });
}

function detailOf(error: unknown): Record<string, string> | null {
  if (error instanceof RecordDamaged) return { upstream: "records", record: error.id };
  // An archived row, which start-up does not read: the scrubber reports it.
  if (error instanceof Damage) return { upstream: "journal", damage: error.damage };
  return null;
}
