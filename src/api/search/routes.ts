/** `POST /v1/search` (spec 4.4, rules §4): answered from the local replica alone. */
import { search } from "../../../engine/core/search.ts";
import type { Call, ProtectedRoute } from "../../http/call.ts";
import { searchActions } from "../../http/next-actions.ts";
import { good, invalid } from "../../http/respond.ts";
import { scopeFor } from "../properties/routes.ts";
import { parseSearch, SearchBody } from "./schemas.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The earliest civil date anywhere: today at UTC−12. */
export function earliestToday(nowMs: number): number {
  return Math.floor((nowMs - 12 * HOUR_MS) / DAY_MS);
}

function handle(call: Call): Response {
  const { deps, principal, may } = call;
  const parsed = parseSearch(call.body, earliestToday(deps.now()));
  if (!parsed.ok) return invalid(call, parsed.errors);
  const { request } = parsed;
  deps.replica.catchUp(2);
  const { results, misses } = search(deps.replica.state, request, scopeFor(principal, deps));
  const { stay, guests } = request;
  const offers = results.slice(0, 5).map(({ hotel_id, best_offer }) => {
    const { room_type_id, rate_plan_id } = best_offer;
    return { hotel_id, room_type_id, rate_plan_id, stay, guests };
  });
  const data = request.destination?.type === "property" ? { results, misses } : { results };
  return good(call, { data, actions: searchActions(offers, { stay, guests }, may) });
}

export const searchRoutes: readonly ProtectedRoute[] = [
  {
    method: "POST",
    path: "/v1/search",
    access: { kinds: ["agent", "operator", "service"], scope: "search" },
    reads: "json",
    body: SearchBody,
    handle,
  },
];
