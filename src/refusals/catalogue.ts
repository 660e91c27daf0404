/** The record of every code. Clients match on the code alone. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { ACCESS } from "./access.ts";
import { BOOKING } from "./booking.ts";
import { PAYMENT } from "./payment.ts";
import { REST_TERMS, type RefusalRecord, type Terms } from "./record.ts";
import { SERVICE } from "./service.ts";
import { SUPPLY } from "./supply.ts";

/** By code; the compiler requires a record for each. */
export const REFUSALS: Readonly<Record<RefusalCode, RefusalRecord>> = {
  ...ACCESS,
  ...SERVICE,
  ...SUPPLY,
  ...BOOKING,
  ...PAYMENT,
};

/** Remediation in the reader's terms; general without `detail`. */
export function remediationOf(
  code: RefusalCode,
  terms: Terms = REST_TERMS,
  detail: Readonly<Record<string, unknown>> = {},
): string {
  const { remediation } = REFUSALS[code];
  return typeof remediation === "string" ? remediation : remediation(terms, detail);
}

/** Seconds for `retry_after` and `Retry-After`: the refusal's, else the code's. */
export function retryAfter(code: RefusalCode, given?: number | null): number | null {
  return given ?? REFUSALS[code].retry_after ?? null;
}

/** Address of the page about `code` (`docs_url`); `docs` has no trailing slash. */
export function docsUrl(docs: string, code: RefusalCode): string {
  return `${docs}/errors/${code}`;
}
