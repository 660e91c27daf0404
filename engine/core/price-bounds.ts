/**
 * Why no total is ever beyond what is exact: every input of a price is bounded, and a property
 * whose taxes could make more of the greatest inputs than a safe integer is refused, when it is
 * made and when it is put on sale. What was stored before that may still do so; such a stay has no
 * price, and is neither found nor quoted.
 */
import { STAY_NIGHTS_MAX } from "./quote.ts";
import type { PropertyTree, RatePlan, TaxRule } from "./supply.ts";

/** Greatest amount that a stored night can hold (32 bits), minor units. */
export const AMOUNT_MAX = 4_000_000_000;
/** More of either is no party of one room. */
export const ADULTS_MAX = 20;
export const CHILDREN_MAX = 20;

const PERSONS_MAX = ADULTS_MAX + CHILDREN_MAX;
/** A line is rounded half up. */
const ROUNDING_MAX = 1;

/**
 * Places in `tax_rules` of those from which on the dearest stay that could ever be asked for is no
 * safe integer; none for a tree all of whose prices are exact, whatever rates its nights get.
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

/** Whether a stay may have no price: only of supply that was stored before this was asked. */
export function mayBeInexact(tree: PropertyTree): boolean {
  return inexactTaxes(tree).length > 0;
}

/** By how much the adjustments of a plan can multiply its rate. */
function greatestRaise({ adjustments }: RatePlan): number {
  return adjustments.reduce((sum, { bps }) => sum + Math.max(0, bps) / 10_000, 1);
}

/** As they are charged. */
function inOrder(rules: readonly TaxRule[]): [number, TaxRule][] {
  return [...rules.entries()].sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0));
}

/** The most that a rule adds to a stay; what the rate includes adds nothing. */
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
