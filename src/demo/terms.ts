/** Cancellation terms and child bands of demo hotels. */
import type { ChildBand, PolicyTerms } from "../../engine/core/supply.ts";
import type { Random } from "./random.ts";

/**
 * Terms for all three cancellation kinds, so that every plan has one. Some hotels also keep last
 * year's free-cancellation terms, which the newer version supersedes.
 */
export function buildPolicies(random: Random): PolicyTerms[] {
  const shared = { child_policy_text: random.pick(CHILD_TEXTS), no_show_fee_pct: 100 };
  const free: PolicyTerms = {
    version: "2026-01",
    cancellation_kind: "free_until_cutoff",
    free_cancellation_hours_before_checkin: random.pick([24, 48, 72]),
    cancellation_fee_pct_after_cutoff: random.pick([50, 100]),
    ...shared,
  };
  const current: PolicyTerms[] = [
    free,
    {
      version: "2026-01",
      cancellation_kind: "fee_from_booking",
      free_cancellation_hours_before_checkin: 0,
      cancellation_fee_pct_after_cutoff: random.pick([20, 30, 50]),
      ...shared,
    },
    {
      version: "2026-01",
      cancellation_kind: "non_refundable",
      free_cancellation_hours_before_checkin: 0,
      cancellation_fee_pct_after_cutoff: 100,
      ...shared,
    },
  ];
  if (!random.chance(0.25)) return current;
  return [{ ...free, version: "2025-01", free_cancellation_hours_before_checkin: 120 }, ...current];
}

const CHILD_TEXTS: readonly (string | null)[] = [
  null,
  "Children of all ages are welcome; infants sleep free in a cot.",
  "Children up to 11 years stay at a reduced rate in their parents' room.",
];

const INFANTS: ChildBand = {
  min_age: 0,
  max_age: 2,
  pricing: "free",
  counts_toward_occupancy: false,
  max_count: 2,
};

/** Bands never overlap; ages above the last one pay as adults. */
export function buildChildBands(currency: string, random: Random): ChildBand[] {
  const share: ChildBand = {
    min_age: 3,
    max_age: 11,
    pricing: "percent_bps",
    value: random.pick([1500, 2500]),
    counts_toward_occupancy: true,
  };
  const fixed: ChildBand = {
    min_age: 3,
    max_age: 15,
    pricing: "fixed_per_night",
    value: currency === "JPY" ? 3000 : 2000,
    counts_toward_occupancy: true,
  };
  return [INFANTS, random.pick([share, share, fixed])];
}
