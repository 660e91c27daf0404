/** Cancellation terms, child bands, taxes and local charges of demo hotels. */
import type { ChildBand, PolicyTerms, TaxRule } from "../../../engine/core/supply.ts";
import type { City } from "./catalogue.ts";
import type { Random } from "./random.ts";
import taxes from "./tables/taxes.json" with { type: "json" };
import tables from "./tables/terms.json" with { type: "json" };

const NIGHTLY: Readonly<Record<string, number>> = tables.fixed.value;

/**
 * Terms for all three cancellation kinds. Some hotels also keep last year's free-cancellation
 * terms, which the newer version supersedes.
 */
export function buildPolicies(random: Random): PolicyTerms[] {
  const shared = { child_policy_text: random.pick(tables.childTexts), no_show_fee_pct: 100 };
  // Draws nothing when there is no choice.
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

/** Differences from its template. */
interface Row extends Partial<Omit<TaxRule, "amount">> {
  readonly like: string;
  /** For two to five stars. */
  readonly amount?: readonly number[];
}

const TEMPLATES = taxes.templates as Readonly<Record<string, TaxRule>>;
const COUNTRIES: Readonly<Record<string, Row>> = taxes.countries;
const CITY_ROWS = taxes.cities as Readonly<Record<string, readonly Row[]>>;
const DESTINATION_FEE = taxes.destinationFee as Row;

/**
 * All tax and fee rules of a hotel of 2–5 stars as of 2025, simplified to one rule
 * each; never empty. Value added tax is included in European and Japanese prices and added in the
 * United States. City taxes per head are paid at the desk. Amounts are minor units of the country's
 * currency.
 */
export function taxRules(city: City, stars: number, random: Random): TaxRule[] {
  const country = COUNTRIES[city.country];
  const rows = [...(country ? [country] : []), ...(CITY_ROWS[city.name] ?? [])];
  if (city.country === "US" && stars >= 4 && random.chance(0.5)) rows.push(DESTINATION_FEE);
  return rows.map(({ like, amount, ...own }) => {
    const charged = amount ? { amount: amount[stars - 2]! } : {};
    return { ...TEMPLATES[like]!, ...own, ...charged };
  });
}
