/** The answer of a call that needs what is damaged: 503 that names it, and it is told on. */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import { storageTroubleOf } from "../../jobs/store-file.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { Context } from "./context.ts";

/** Nothing but an operator mends it; a client need not ask every second. */
const RETRY_AFTER_S = 60;

/** The refusal when a damaged record or row is what was thrown, else null. */
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

/** The refusal when a file of the service takes no writes, else null. */
export function storageRefusal(error: unknown, { log }: Pick<Context, "log">): Refusal | null {
  const reason = storageTroubleOf(error);
  if (reason === null) return null;
  log.error("a file takes no writes", { reason, error });
  return refuse("upstream_unavailable", { upstream: "disk", reason });
}

function detailOf(error: unknown): Record<string, string> | null {
  if (error instanceof RecordDamaged) return { upstream: "records", record: error.id };
  // A row of long ago, which no start reads: the scrubber tells the operator.
  if (error instanceof Damage) return { upstream: "journal", damage: error.damage };
  return null;
}
