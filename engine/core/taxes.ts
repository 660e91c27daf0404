/**
 * Taxes and fees of a stay (domain §14). A line that is included in the rate only says what the
 * rate already contains: it never changes the total, and the included lines of a stay never add up
 * to more than its rate, so no amount that is due can become negative.
 */
import { dayOf } from "./calendar.ts";
import { percentOf, scaleHalfUp } from "./money.ts";
import type { Party } from "./quote.ts";
import type { TaxRule } from "./supply.ts";

export interface TaxedStay {
  readonly rules: readonly TaxRule[];
  readonly checkInDay: number;
  /** Room amount of each night, minor units. */
  readonly subtotals: ArrayLike<number>;
  /** Their sum. */
  readonly roomSubtotal: number;
  readonly party: Party;
}

/** One line of `price_breakdown.taxes`. */
export interface TaxLine {
  readonly code: string;
  readonly name: string;
  readonly basis: TaxRule["basis"];
  /** Percent rules. */
  readonly rate_bps?: number;
  /** All other rules, minor units. */
  readonly unit_amount?: number;
  readonly included_in_rate: boolean;
  readonly collect: TaxRule["collect"];
  readonly amount: number;
}

/** One line of `price_breakdown.fees`. Every fee is mandatory: optional extras are not priced. */
export interface FeeLine extends TaxLine {
  readonly mandatory: true;
}

export interface TaxLines {
  readonly taxes: TaxLine[];
  readonly fees: FeeLine[];
}

export interface TaxTotals {
  /** Sum of the lines that are not included in the rate. */
  added: number;
  /** Sum of the lines that are included in the rate. */
  included: number;
  /** Sum of the lines, included or not, that the property collects. */
  atProperty: number;
  /** Sum of the lines, included or not, that are taxes; the others are fees. */
  taxes: number;
}

/** A rule with its dates as day numbers. */
interface DatedRule {
  readonly rule: TaxRule;
  readonly fromDay: number;
  readonly toDay: number;
}

/** Trees are immutable and rules are charged on every priced offer, so sorting is done once. */
const datedRules = new WeakMap<readonly TaxRule[], readonly DatedRule[]>();

function inOrder(rules: readonly TaxRule[]): readonly DatedRule[] {
  let dated = datedRules.get(rules);
  if (dated === undefined) {
    dated = rules
      .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map((rule) => ({
        rule,
        fromDay: rule.valid_from === undefined ? -Infinity : dayOf(rule.valid_from),
        toDay: rule.valid_to === undefined ? Infinity : dayOf(rule.valid_to),
      }));
    datedRules.set(rules, dated);
  }
  return dated;
}

/**
 * Charges every rule in `order` (absent = 0, equal ones in the order of the list) and returns the
 * sums. A rule none of whose nights is in the stay gives no line. Pass `lines` to collect the wire
 * lines too; without it nothing is allocated but the sums.
 */
export function chargeTaxes(stay: TaxedStay, lines?: TaxLines): TaxTotals {
  const totals: TaxTotals = { added: 0, included: 0, atProperty: 0, taxes: 0 };
  for (const { rule, fromDay, toDay } of inOrder(stay.rules)) {
    const first = Math.max(0, fromDay - stay.checkInDay);
    const last = Math.min(stay.subtotals.length - 1, toDay - stay.checkInDay);
    const nights = Math.min(last - first + 1, rule.max_nights ?? Infinity);
    // Negated, so that a date that does not exist (NaN) charges nothing.
    if (!(nights > 0)) continue;
    const amount = amountOf(stay, rule, { first, nights }, totals);
    if (rule.included_in_rate) totals.included += amount;
    else totals.added += amount;
    if (rule.collect === "at_property") totals.atProperty += amount;
    if (rule.kind === "tax") totals.taxes += amount;
    if (lines !== undefined) addLine(lines, rule, amount);
  }
  return totals;
}

/** The nights of a stay that a rule charges: `nights` of them from index `first` on. */
interface ChargedNights {
  readonly first: number;
  readonly nights: number;
}

function amountOf(
  stay: TaxedStay,
  rule: TaxRule,
  charged: ChargedNights,
  before: Readonly<TaxTotals>,
): number {
  if (!rule.included_in_rate) {
    if (rule.basis !== "percent") return fixedAmount(stay.party, rule, charged.nights);
    const base = roomAmount(stay, charged) + (rule.compound === true ? before.added : 0);
    return percentOf(base, rule.rate_bps ?? 0);
  }
  const bps = rule.rate_bps ?? 0;
  const share =
    rule.basis === "percent"
      ? scaleHalfUp(roomAmount(stay, charged), bps, 10_000 + bps)
      : fixedAmount(stay.party, rule, charged.nights);
  return Math.min(share, stay.roomSubtotal - before.included);
}

function roomAmount(stay: TaxedStay, charged: ChargedNights): number {
  if (charged.nights === stay.subtotals.length) return stay.roomSubtotal;
  let sum = 0;
  for (let index = 0; index < charged.nights; index += 1) {
    sum += stay.subtotals[charged.first + index]!;
  }
  return sum;
}

function fixedAmount(party: Party, rule: TaxRule, nights: number): number {
  const unitAmount = rule.amount ?? 0;
  switch (rule.basis) {
    case "per_stay":
      return unitAmount;
    case "per_night":
      return unitAmount * nights;
    case "per_person":
      return unitAmount * personsOf(party, rule);
    case "per_person_per_night":
      return unitAmount * personsOf(party, rule) * nights;
    case "percent":
      throw new Error("a percent rule has no fixed amount");
  }
}

/** Adults always count; `min_age` is about children, also about those that pay as adults. */
function personsOf(party: Party, rule: TaxRule): number {
  const minAge = rule.min_age ?? 0;
  let persons = party.adults;
  for (const { age } of party.children) if (age >= minAge) persons += 1;
  return persons;
}

function addLine(lines: TaxLines, rule: TaxRule, amount: number): void {
  const unit =
    rule.basis === "percent" ? { rate_bps: rule.rate_bps ?? 0 } : { unit_amount: rule.amount ?? 0 };
  const rest = { included_in_rate: rule.included_in_rate, collect: rule.collect, amount };
  const { code, name, basis } = rule;
  if (rule.kind === "tax") lines.taxes.push({ code, name, basis, ...unit, ...rest });
  else lines.fees.push({ code, name, mandatory: true, basis, ...unit, ...rest });
}
