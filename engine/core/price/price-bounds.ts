/**
 * Bounds that keep totals exact: every input of a price is bounded, and a property whose taxes
 * could raise the largest inputs above a safe integer is refused when it is created and when it is
 * promoted. Supply stored before this check may still exceed it; such a stay has no price and is
 * neither found nor quoted.
 */

import type { PropertyTree, RatePlan, TaxRule } from "../supply.ts";
import { STAY_NIGHTS_MAX } from "./quote.ts";

/** Largest amount of a stored night (32 bits), minor units. */
export const AMOUNT_MAX = 4_000_000_000;
/** Largest total of a stay, minor units. */
export const TOTAL_MAX = Number.MAX_SAFE_INTEGER;
/** Largest party of one room. */
export const ADULTS_MAX = 20;
export const CHILDREN_MAX = 20;

const PERSONS_MAX = ADULTS_MAX + CHILDREN_MAX;
/** A line is rounded half up. */
const ROUNDING_MAX = 1;

/**
 * Indexes in `tax_rules` from the one on with which the most expensive possible stay is not a safe
 * integer; empty for a tree whose prices are always exact.
 */
export function inexactTaxes({ room_types, tax_rules }: PropertyTree): number[] {
  const plans = room_types.flatMap(({ rate_plans }) => rate_plans);
  const raised = Math.max(1, ...plans.map(greatestRaise));
  // Each person pays at most what one more adult does.
  const room = STAY_NIGHTS_MAX * AMOUNT_MAX * (raised + PERSONS_MAX);
  const found: number[] = [];
  let added = 0;
  for (const [index, rule] of inOrder(tax_rules)) {
    const most = mostOf(rule, room, added);
    added += most;
    if (most > 0 && room + added > Number.MAX_SAFE_INTEGER) found.push(index);
  }
  return found.sort((a, b) => a - b);
}

/** Whether a stay may have no price; only for supply stored before this check. */
export function mayBeInexact(tree: PropertyTree): boolean {
  return inexactTaxes(tree).length > 0;
}

/** The largest factor by which the adjustments of a rate plan raise its rate. */
function greatestRaise({ adjustments }: RatePlan): number {
  return adjustments.reduce((sum, { bps }) => sum + Math.max(0, bps) / 10_000, 1);
}

/** In the order in which they are charged. */
function inOrder(rules: readonly TaxRule[]): [number, TaxRule][] {
  return [...rules.entries()].sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0));
}

/** The most that a rule adds to a stay; an included one adds nothing. */
function mostOf(rule: TaxRule, room: number, added: number): number {
  if (rule.included_in_rate) return 0;
  if (rule.basis === "percent") {
    const base = room + (rule.compound === true ? added : 0);
    const bps = rule.rate_bps ?? 0;
    return bps === 0 ? 0 : (base * bps) / 10_000 + ROUNDING_MAX;
  }
  const persons = rule.basis.startsWith("per_person") ? PERSONS_MAX : 1;
  const nights = rule.basis.endsWith("per_night") ? (rule.max_nights ?? STAY_NIGHTS_MAX) : 1;
  return (rule.amount ?? 0) * persons * nights;
}
