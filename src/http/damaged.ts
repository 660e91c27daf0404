/** The answer of a call that needs what is damaged: 503 that names it, and it is told on. */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
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
  if (error instanceof RecordDamaged) damage.tell(error);
  else log.error("the journal cannot be read", { error });
  return refuse("upstream_unavailable", detail, { retry_after: RETRY_AFTER_S });
}

function detailOf(error: unknown): Record<string, string> | null {
  if (error instanceof RecordDamaged) return { upstream: "records", record: error.id };
  // A row of long ago, which no start reads: the scrubber tells the operator.
  if (error instanceof Damage) return { upstream: "journal", damage: error.damage };
  return null;
}
