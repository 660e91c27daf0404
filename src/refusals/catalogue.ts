/** The record of every code (spec part 7). Clients match on the code alone. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { ACCESS } from "./access.ts";
import { BOOKING } from "./booking.ts";
import { PAYMENT } from "./payment.ts";
import type { RefusalRecord } from "./record.ts";
import { SERVICE } from "./service.ts";
import { SUPPLY } from "./supply.ts";
import { REST_TERMS, type Terms } from "./terms.ts";

/** By code; a code without a record does not compile. */
export const REFUSALS: Readonly<Record<RefusalCode, RefusalRecord>> = {
  ...ACCESS,
  ...SERVICE,
  ...SUPPLY,
  ...BOOKING,
  ...PAYMENT,
};

/** Remediation in the reader's terms; without `detail` in general. */
export function remediationOf(
  code: RefusalCode,
  terms: Terms = REST_TERMS,
  detail: Readonly<Record<string, unknown>> = {},
): string {
  const { remediation } = REFUSALS[code];
  return typeof remediation === "string" ? remediation : remediation(terms, detail);
}

/** Seconds to wait for `retry_after` and `Retry-After`: what the refusal says, else the code. */
export function retryAfter(code: RefusalCode, given?: number | null): number | null {
  return given ?? REFUSALS[code].retry_after ?? null;
}

/** Address that explains `code` (spec 2.3 `docs_url`); `docs` has no trailing slash. */
export function docsUrl(docs: string, code: RefusalCode): string {
  return `${docs}/errors/${code}`;
}
