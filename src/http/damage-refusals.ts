/** The answer of a call that meets damage: 503 naming it, and a report. */

import { DAMAGE_RETRY_AFTER_S, Damage } from "../../engine/core/damage.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { isBusy, storageTroubleOf } from "../lib/store-file.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { Context } from "./context.ts";

/** The refusal for a thrown damaged record or row, else null. */
export function damageRefusal(
  error: unknown,
  { damage, log }: Pick<Context, "damage" | "log">,
): Refusal | null {
  if (!(error instanceof Damage)) return null;
  if (error instanceof RecordDamaged) damage.report(error);
  else log.error("the journal cannot be read", { error });
  return refuse("upstream_unavailable", error.detail, { retry_after: DAMAGE_RETRY_AFTER_S });
}

/** The refusal for a file that is not writable, or that another process writes; else null. */
export function storageRefusal(error: unknown, { log }: Pick<Context, "log">): Refusal | null {
  if (isBusy(error)) return refuse("upstream_unavailable", { upstream: "disk", reason: "busy" });
  const reason = storageTroubleOf(error);
  if (reason === null) return null;
  log.error("a file is not writable", { reason, error });
  return refuse("upstream_unavailable", { upstream: "disk", reason });
}
