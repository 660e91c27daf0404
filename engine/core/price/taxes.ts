/**
 * Taxes and fees of a stay. A line included in the rate only shows a part of the rate:
 * it never changes the total, and the included lines of a stay never exceed its rate, so no amount
 * due can become negative.
 */
import { dayOf } from "../calendar.ts";
import type { TaxRule } from "../supply.ts";
import { percentOf, scaleHalfUp } from "./money.ts";
import type { Party } from "./quote.ts";

/** The members of a stay that decide which rules charge it, and how often. */
export interface TaxedStay {
  readonly checkInDay: number;
  readonly nights: number;
  readonly party: Party;
}

/** The room amounts of a stay, minor units. */
export interface RoomAmounts {
  readonly subtotals: ArrayLike<number>;
  readonly roomSubtotal: number;
}

/** A rule applied to a stay. */
export interface Charge {
  readonly rule: TaxRule;
  /** The nights that it charges, from index `first` on. */
  readonly first: number;
  readonly nights: number;
  /** Its amount independent of the room price; 0 for a percentage. */
  readonly fixed: number;
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

/** Trees are immutable and rules charge every priced offer, so sorting is done once. */
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
 * The rules that charge a stay, by `order` (absent = 0, ties in the order of the list). Independent
 * of prices, so one call serves many offers for a stay.
 */
export function chargesOf(rules: readonly TaxRule[], stay: TaxedStay): readonly Charge[] {
  const charges: Charge[] = [];
  for (const { rule, fromDay, toDay } of inOrder(rules)) {
    const first = Math.max(0, fromDay - stay.checkInDay);
    const last = Math.min(stay.nights - 1, toDay - stay.checkInDay);
    const nights = Math.min(last - first + 1, rule.max_nights ?? Infinity);
    // Negated, so that an invalid date (NaN) charges nothing.
    if (!(nights > 0)) continue;
    const fixed = rule.basis === "percent" ? 0 : fixedAmount(stay.party, rule, nights);
    charges.push({ rule, first, nights, fixed });
  }
  return charges;
}

/** Sums without charges. */
export function noTaxes(): TaxTotals {
  return { added: 0, included: 0, atProperty: 0, taxes: 0 };
}

/**
 * Charges a stay and adds to the sums in `totals`, which must be zero. Pass `lines` to collect the
 * wire lines too; without it nothing is allocated.
 */
export function chargeTaxes(
  charges: readonly Charge[],
  room: RoomAmounts,
  totals: TaxTotals,
  lines?: TaxLines,
): TaxTotals {
  for (let i = 0; i < charges.length; i += 1) {
    const { rule } = charges[i]!;
    const amount = amountOf(charges[i]!, room, totals);
    if (rule.included_in_rate) totals.included += amount;
    else totals.added += amount;
    if (rule.collect === "at_property") totals.atProperty += amount;
    if (rule.kind === "tax") totals.taxes += amount;
    if (lines !== undefined) addLine(lines, rule, amount);
  }
  return totals;
}

function amountOf(charge: Charge, room: RoomAmounts, before: Readonly<TaxTotals>): number {
  const { rule, fixed } = charge;
  const bps = rule.rate_bps ?? 0;
  const isPercent = rule.basis === "percent";
  if (!rule.included_in_rate) {
    if (!isPercent) return fixed;
    return percentOf(roomAmount(room, charge) + (rule.compound === true ? before.added : 0), bps);
  }
  const share = isPercent ? scaleHalfUp(roomAmount(room, charge), bps, 10_000 + bps) : fixed;
  return Math.min(share, room.roomSubtotal - before.included);
}

function roomAmount({ subtotals, roomSubtotal }: RoomAmounts, { first, nights }: Charge): number {
  if (nights === subtotals.length) return roomSubtotal;
  let sum = 0;
  for (let index = 0; index < nights; index += 1) sum += subtotals[first + index]!;
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

/** Adults always count; `min_age` applies to children, including those that pay as adults. */
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
