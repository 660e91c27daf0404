/** A frozen quote as clients see it. */

import type { UnfoldedQuote } from "../../../engine/core/availability/quoting.ts";
import { policySnapshot } from "../../../engine/core/price/policy-snapshot.ts";
import { breakdownOf } from "../../../engine/core/price/price.ts";
import type { FrozenQuote } from "../../../engine/core/price/quote.ts";
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { treeOf } from "../../../engine/log/tree-versions.ts";
import type { Context } from "../../http/context.ts";

/**
 * The quote with price and policy of the property version that it names.
 *
 * @throws Error when the replica does not have that version, which is a bug.
 */
export function unfolded({ replica }: Context, quote: FrozenQuote): UnfoldedQuote {
  const tree = treeOf(replica, quote);
  if (!tree)
    throw new Error(`supply version ${quote.supply_version} of ${quote.property_id} is gone`);
  return unfoldedOf(tree, quote);
}

function unfoldedOf(tree: PropertyTree, quote: FrozenQuote): UnfoldedQuote {
  return {
    price_breakdown: breakdownOf(tree, quote),
    policy_snapshot: policySnapshot(tree, quote),
  };
}

/**
 * The same for a booking's quote, which another process may have made: a lagging replica may not
 * have its version yet, but a paid booking must still be answered with its receipt.
 */
export function unfoldedIfKnown({ replica }: Context, quote: FrozenQuote) {
  const tree = treeOf(replica, quote);
  return tree ? unfoldedOf(tree, quote) : {};
}
