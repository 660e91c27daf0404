/**
 * The agent through which guests book on a hotel's own page. An operator names it by
 * `sells_directly`; it sells with its present rights and limits, like any other agent.
 */
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { refusalOf } from "../../access/auth/bearer.ts";
import type { Principal } from "../../access/control/principal.ts";
import { missingForPage } from "../../api/checkout/state.ts";
import { mayOf } from "../../http/admission.ts";
import type { Context } from "../../http/context.ts";

/** Routes that a booking on the page needs. */
const CALLS = [
  ["POST", "quote"],
  ["POST", "hold"],
  ["POST", "create_checkout_session"],
  ["POST", "book"],
] as const;

type Selling = Pick<Context, "control" | "routes" | "config" | "now">;

/** Null when no agent of the hotel's tenant may sell it on its page. */
export function sellerOf(
  context: Selling,
  { tenant_id, tree }: Pick<PropertyEntry, "tenant_id" | "tree">,
): Principal | null {
  for (const entry of context.control.directSellers(tenant_id)) {
    const { principal } = entry.authenticated;
    const { property_ids } = principal;
    if (refusalOf(entry, context.now()) !== null) continue;
    if (property_ids !== null && !property_ids.has(tree.id)) continue;
    const may = mayOf(principal, context.routes);
    if (CALLS.every(([method, id]) => may(method, "", id))) return principal;
  }
  return null;
}

/** Whether the checkout page could take what is due at booking. */
export function isPayable(context: Pick<Context, "config">, dueNow: number): boolean {
  return missingForPage(context, dueNow) === null;
}
