/** Cancellation terms and child bands of demo hotels. */
import type { ChildBand, PolicyTerms } from "../../../engine/core/supply.ts";
import type { Random } from "./random.ts";
import tables from "./tables/terms.json" with { type: "json" };

const NIGHTLY: Readonly<Record<string, number>> = tables.fixed.value;

/**
 * Terms for all three cancellation kinds, so that every plan has one. Some hotels also keep last
 * year's free-cancellation terms, which the newer version supersedes.
 */
export function buildPolicies(random: Random): PolicyTerms[] {
  const shared = { child_policy_text: random.pick(tables.childTexts), no_show_fee_pct: 100 };
  // Where there is no choice nothing is drawn.
  const draw = ([only, ...more]: number[]) => (more.length ? random.pick([only!, ...more]) : only!);
  const current = tables.policies.map((terms) => ({
    ...terms,
    cancellation_kind: terms.cancellation_kind as PolicyTerms["cancellation_kind"],
    free_cancellation_hours_before_checkin: draw(terms.free_cancellation_hours_before_checkin),
    cancellation_fee_pct_after_cutoff: draw(terms.cancellation_fee_pct_after_cutoff),
    ...shared,
  }));
  return random.chance(0.25) ? [{ ...current[0]!, ...tables.former }, ...current] : current;
}

/** Bands never overlap; ages above the last one pay as adults. */
export function buildChildBands(currency: string, random: Random): ChildBand[] {
  const share = { ...tables.share, value: random.pick(tables.share.value) };
  const fixed = { ...tables.fixed, value: NIGHTLY[currency]! };
  return [tables.infants, random.pick([share, share, fixed])] as ChildBand[];
}
