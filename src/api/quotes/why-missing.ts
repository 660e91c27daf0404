/** Why a requested quote is missing. */
import type { Call } from "../../http/call.ts";
import { quoteIdTime } from "./quote-id.ts";

/** An authentic id older than the lifetime of quotes has expired; any other is unknown. */
export function whyMissing({ context, principal }: Call, quoteId: string) {
  const { keys, config, engineNow } = context;
  const madeAt = quoteIdTime(keys.quotes, principal.tenant_id, quoteId);
  const isOld = madeAt !== null && engineNow() >= madeAt + config.quoteTtlMs;
  return isOld ? ("quote_expired" as const) : ("quote_not_found" as const);
}
