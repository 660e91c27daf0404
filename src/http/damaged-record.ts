/** The answer of a call that needs a damaged record: 503 that names it, and the engine is told. */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { Context } from "./context.ts";

/** Nothing but a rebuild mends a record; a client need not ask every second. */
const RETRY_AFTER_S = 60;

/** The refusal when that is what was thrown, else null. */
export function damagedRecord(error: unknown, { damage }: Pick<Context, "damage">): Refusal | null {
  if (!(error instanceof RecordDamaged)) return null;
  damage.tell(error);
  const detail = { upstream: "records", record: error.id };
  return refuse("upstream_unavailable", detail, { retry_after: RETRY_AFTER_S });
}
