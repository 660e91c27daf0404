/** Goal: what is sealed is what rules §1 says, whoever adds a code. */
import { expect, test } from "bun:test";
import { isSealed, REFUSAL_CODES, type RefusalCode } from "./refusals.ts";

/** Codes of the statuses that are never sealed: 400, 401, 403, 429, 5xx. */
const NEVER: readonly RefusalCode[] = [
  "validation_failed",
  ...(["unauthenticated", "delegation_required", "delegation_invalid"] as const),
  "delegation_issuer_unknown",
  ...(["forbidden", "resource_access_denied", "principal_kind_not_allowed"] as const),
  "rate_limited",
  ...(["internal_error", "payment_provider_error", "notification_delivery_failed"] as const),
  ...(["service_not_configured", "upstream_unavailable", "payment_timeout"] as const),
];

test("all 402, 404, 409 and 410 are sealed but the conflict about the key itself", () => {
  const unsealed = REFUSAL_CODES.filter((code) => !isSealed(code));
  expect(new Set(unsealed)).toEqual(new Set([...NEVER, "idempotency_conflict"]));
});
