/** Work that waits for an operator: how much of it there is, and the lists that have it. */
import { AUTHORIZATION_TTL_S_MAX } from "../../../engine/core/authorization-terms.ts";
import { timeDigits } from "../../../engine/core/ids.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { STUCK_AFTER_MS } from "../../../jobs/payments/money-watch.ts";
import { coversScope } from "../../access/control/principal.ts";
import { action, type Offer } from "../../actions/next-action.ts";
import type { Call } from "../../http/call.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { DELIVERIES, scopeOf } from "../deliveries/records.ts";
import { INCIDENTS } from "../oversold.ts";
import {
  authorizationIdsOf,
  incidentIdsOf,
  openPaymentsOf,
  openRefundIdsOf,
  refundOf,
} from "../visible.ts";
import { isStuck } from "./open-money.ts";

/** Each kind is counted so far. */
export const COUNTED_MAX = 10_000;

/** Numbers of what waits; null where the credential lacks the scope of its list. */
export interface Needs {
  readonly authorizations: number | null;
  readonly incidents: number | null;
  readonly dead_letters: number | null;
  readonly refunds_failed: number | null;
  readonly payments_unresolved: number | null;
}

/** What waits at the property, or at all that the caller sees. */
export async function needsOf(call: Call, property: PropertyEntry | null): Promise<Needs> {
  const { scopes } = call.principal;
  const property_id = property?.tree.id;
  const may = (list: string) => coversScope(scopes, `admin:${list}`);
  return {
    authorizations: may("booking-authorizations") ? pending(call, property_id) : null,
    incidents: may("oversell-incidents") ? open(call, property_id) : null,
    dead_letters: may("webhooks") ? dead(call, property_id) : null,
    refunds_failed: may("refunds") ? await failed(call, property_id) : null,
    payments_unresolved: may("payments") ? stuck(call, property_id) : null,
  };
}

/** Requests that can still be approved: no older one can. */
function pending(call: Call, property_id: string | undefined): number {
  const { context, principal } = call;
  const fromMs = Math.max(0, context.timeIn(principal) - 1000 * AUTHORIZATION_TTL_S_MAX);
  const ids = [`aut_${timeDigits(fromMs)}`, "aut_~"] as const;
  const asked = { state: "pending" as const, ids, ...(property_id && { property_id }) };
  return authorizationIdsOf(call, asked, COUNTED_MAX).length;
}

/** Incidents in state `open`: not acknowledged yet. */
function open(call: Call, property_id: string | undefined): number {
  const ids = ["osi_", "osi_~"] as const;
  const asked = { state: "open" as const, ids, ...(property_id && { property_id }) };
  return incidentIdsOf(call, asked, COUNTED_MAX).length;
}

function dead(call: Call, property_id: string | undefined): number {
  return call.context.deliveries.countDead({ ...scopeOf(call), property_id }, COUNTED_MAX);
}

/** Failed refunds that were neither repeated nor settled elsewhere. */
async function failed(call: Call, property_id: string | undefined): Promise<number> {
  let count = 0;
  for await (const id of nextTurnEach(openRefundIdsOf(call, "failed", "rfd_~"))) {
    const refund = refundOf(call, id);
    if (!("code" in refund) && isAt(refund, property_id)) count += 1;
    if (count === COUNTED_MAX) break;
  }
  return count;
}

/** Payments that have had no verdict for minutes; younger ones are decided by themselves. */
function stuck(call: Call, property_id: string | undefined): number {
  const nowMs = call.context.engineNow();
  const found = openPaymentsOf(call).filter((payment) => {
    return isStuck(payment, nowMs) && isAt(payment, property_id);
  });
  return Math.min(COUNTED_MAX, found.length);
}

function isAt(of: { readonly property_id: string }, property_id: string | undefined): boolean {
  return property_id === undefined || of.property_id === property_id;
}

/** The lists of what waits. */
export function needsOffers(needs: Needs, property: PropertyEntry | null): Offer[] {
  const there = property ? `&property_id=${property.tree.id}` : "";
  const minAgeS = STUCK_AFTER_MS / 1000;
  const lists: readonly (readonly [keyof Needs, route: string, href: string])[] = [
    [
      ...(["authorizations", "admin_list_authorizations"] as const),
      `/v1/admin/booking-authorizations?state=pending${there}`,
    ],
    ["incidents", "admin_list_oversell_incidents", `${INCIDENTS}?state=open${there}`],
    [
      ...(["dead_letters", "list_webhook_deliveries"] as const),
      `${DELIVERIES}?unhandled=true&limit=50${there}`,
    ],
    ["refunds_failed", "admin_list_refunds", "/v1/admin/refunds?state=failed"],
    [
      ...(["payments_unresolved", "admin_list_payments"] as const),
      `/v1/admin/payments?older_than_s=${minAgeS}`,
    ],
  ];
  return lists
    .filter(([name]) => (needs[name] ?? 0) > 0)
    .map(([, route, href]) => [route, action("get", "GET", href)]);
}
