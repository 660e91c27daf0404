/** The refusals of a route: its own and those of its checks. */
import { REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import { REFUSALS } from "../refusals/catalogue.ts";
import { type Contract, readsJson } from "./contract.ts";

/** Of the checks that every protected route passes (rules §1, steps 2 to 5). */
const ADMISSION = [
  "unauthenticated",
  "forbidden",
  "resource_access_denied",
  "principal_kind_not_allowed",
  "rate_limited",
] as const satisfies readonly RefusalCode[];

/** 401 for the traveler's consent, where the caller itself is known (spec part 5). */
export const DELEGATION_CODES = [
  "delegation_required",
  "delegation_invalid",
  "delegation_issuer_unknown",
] as const satisfies readonly RefusalCode[];

/** What only a route with idempotency keys answers. */
const KEYED = ["idempotency_conflict", "upstream_unavailable"] as const;

/**
 * Every code that the route can answer, in the order of the catalogue. OAuth's small bodies have no
 * codes of ours: there only what is broken on our side has one.
 */
export function refusalCodesOf(route: Contract): readonly RefusalCode[] {
  const codes = new Set<RefusalCode>(["internal_error", ...route.errors]);
  const add = (more: readonly RefusalCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.path.startsWith("/v1/") || readsJson(route) || route.query || route.hasUnlistedIds) {
    codes.add("validation_failed");
  }
  // A damaged record or a key that is gone costs whoever reads it.
  if (route.readsReplica || route.rendersReplica) codes.add("upstream_unavailable");
  if (route.access === "public") {
    if (route.addressLimit !== undefined) codes.add("rate_limited");
  } else {
    add(ADMISSION);
    if (route.isDelegated) add([...DELEGATION_CODES, "upstream_unavailable"]);
    if (route.key) add(KEYED);
  }
  const isSmall = (code: RefusalCode) => route.renderer === "oauth" && REFUSALS[code].status < 500;
  return REFUSAL_CODES.filter((code) => codes.has(code) && !isSmall(code));
}
