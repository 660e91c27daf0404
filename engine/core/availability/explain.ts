/**
 * Why a stay can or cannot be sold now: every check in order, passed or not. It calls the functions
 * that quotes, search and holds use, so that it always agrees with them.
 */

import { policyFor } from "../price/policy.ts";
import { discountOf, isExact, type PriceTotals, priceTotals } from "../price/price.ts";
import type { Offer } from "../state/state.ts";
import type { Discount } from "../supply.ts";
import { type Alternative, alternativesTo } from "./alternatives.ts";
import {
  type Blocking,
  ceilingsAgainst,
  restrictionsAgainst,
  type StayQuery,
  sellable,
  unitsAgainst,
} from "./availability.ts";
import { isWithinHorizon } from "./horizon.ts";
import { priceInputAt } from "./quoting.ts";

/** In the order of the checks. */
export const CHECKS = [
  ...(["state", "dates", "policy", "price"] as const),
  ...(["occupancy", "restrictions", "ceilings", "units"] as const),
] as const;
export type CheckName = (typeof CHECKS)[number];

export interface Check {
  readonly check: CheckName;
  readonly passed: boolean;
  /** The nights that fail the check, if it is about nights. */
  readonly blocking: readonly Blocking[];
}

export interface Explanation {
  /** Units that a quote would offer; 0 exactly when a check fails. */
  readonly sellable: number;
  readonly checks: readonly Check[];
  /** Null when the total is too large to be exact. */
  readonly totals: PriceTotals | null;
  /** Applied in the totals. */
  readonly discount: Discount | null;
  readonly alternatives: readonly Alternative[];
}

/** Explains a stay. */
export function explain(offer: Offer, query: StayQuery): Explanation {
  const { property, plan } = offer;
  const restrictions = restrictionsAgainst(offer, query);
  const of = (...reasons: readonly Blocking["reason"][]) =>
    restrictions.filter(({ reason }) => reasons.includes(reason));
  const state = of("property_not_live");
  const occupancy = of("occupancy_exceeded");
  const others = restrictions.filter((each) => !state.includes(each) && !occupancy.includes(each));
  const input = priceInputAt(offer, query);
  const totals = priceTotals(input);
  const passes = (check: CheckName, passed: boolean): Check => ({ check, passed, blocking: [] });
  const none = (check: CheckName, blocking: readonly Blocking[]): Check => {
    return { check, passed: blocking.length === 0, blocking };
  };
  const checks = [
    none("state", state),
    passes("dates", isWithinHorizon(query.checkInDay, query.nights, query.todayDay)),
    passes("policy", policyFor(property.tree, plan) !== null),
    passes("price", isExact(totals.total)),
    none("occupancy", occupancy),
    none("restrictions", others),
    none(
      "ceilings",
      ceilingsAgainst(offer, query).flatMap(({ blocking }) => blocking),
    ),
    none("units", unitsAgainst(offer, query)),
  ];
  const isSellable = checks.every(({ passed }) => passed);
  return {
    sellable: isSellable ? sellable(offer, query) : 0,
    checks,
    totals: isExact(totals.total) ? totals : null,
    discount: discountOf(input),
    alternatives: isSellable ? [] : alternativesTo(offer, query),
  };
}
