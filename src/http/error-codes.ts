/** Which error codes an operation can answer: its own and those of its route's checks. */

import { ERROR_CODES, type ErrorCode } from "../refusals/catalogue.ts";
import type { Route } from "./call.ts";
import type { Operation } from "./contract.ts";

/** Refusals of the checks that every protected route passes (rules §1, steps 2 to 5). */
const ADMISSION = [
  "unauthenticated",
  "forbidden",
  "resource_access_denied",
  "principal_kind_not_allowed",
  "rate_limited",
] as const satisfies readonly ErrorCode[];

const DELEGATION = [
  "delegation_required",
  "delegation_invalid",
  "delegation_issuer_unknown",
  "upstream_unavailable",
] as const satisfies readonly ErrorCode[];

/** What only a route with idempotency keys answers: they go through the engine. */
const KEYED = ["idempotency_conflict", "upstream_unavailable"] as const;

/** Every code the operation can answer, in the order of the catalogue. */
export function errorCodesOf(route: Route, operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(["internal_error", ...operation.errors]);
  const add = (more: readonly ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.path.startsWith("/v1/") || route.reads === "json") codes.add("validation_failed");
  if (route.access === "public") {
    if (route.addressLimit !== undefined) codes.add("rate_limited");
  } else {
    add(ADMISSION);
    if (route.isDelegated) add(DELEGATION);
    if (route.key) add(KEYED);
  }
  return ERROR_CODES.filter((code) => codes.has(code));
}
