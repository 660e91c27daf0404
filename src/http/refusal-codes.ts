/** The refusals of a route: its own and those of its checks. */
import { REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import { REFUSALS } from "../refusals/catalogue.ts";
import { type Contract, readsJson } from "./contract.ts";

/** Of the checks of every protected route (steps 2 to 5). */
const ADMISSION = [
  "unauthenticated",
  "forbidden",
  "resource_access_denied",
  "principal_kind_not_allowed",
  "rate_limited",
] as const satisfies readonly RefusalCode[];

/** 401 for the traveler's consent, with a known caller. */
export const DELEGATION_CODES = [
  "delegation_required",
  "delegation_invalid",
  "delegation_issuer_unknown",
] as const satisfies readonly RefusalCode[];

/** Only for routes with idempotency keys. */
const KEYED = ["idempotency_conflict", "upstream_unavailable"] as const;

/**
 * Every code of the route, in catalogue order. OAuth's small bodies have no codes of ours; only
 * server faults do.
 */
export function refusalCodesOf(route: Contract): readonly RefusalCode[] {
  const codes = new Set<RefusalCode>(["internal_error", ...route.errors]);
  const add = (more: readonly RefusalCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.path.startsWith("/v1/") || readsJson(route) || route.query || route.hasUnlistedIds) {
    codes.add("validation_failed");
  }
  // A damaged record or a lost key fails its readers.
  if (route.readsReplica || route.rendersReplica) codes.add("upstream_unavailable");
  if (route.access === "public") {
    if (route.addressLimit !== undefined) codes.add("rate_limited");
    if (route.isForGuests) codes.add("unauthenticated");
    if (route.isForGuests && route.key) add(KEYED);
  } else {
    add(ADMISSION);
    if (route.isDelegated) add([...DELEGATION_CODES, "upstream_unavailable"]);
    if (route.key) add(KEYED);
  }
  const isSmall = (code: RefusalCode) => route.renderer === "oauth" && REFUSALS[code].status < 500;
  return REFUSAL_CODES.filter((code) => codes.has(code) && !isSmall(code));
}
