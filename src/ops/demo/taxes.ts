/**
 * Taxes and local charges on a hotel night as of 2025, simplified to what one rule can say. Value
 * added tax is part of European and Japanese prices; in the United States taxes come on top. City
 * taxes per head are paid at the desk. Amounts are minor units of the country's currency.
 */
import type { TaxRule } from "../../../engine/core/supply.ts";
import type { City } from "./catalogue.ts";
import type { Random } from "./random.ts";
import tables from "./tables/taxes.json" with { type: "json" };

/** What a rule says otherwise than its template. */
interface Row extends Partial<Omit<TaxRule, "amount">> {
  readonly like: string;
  /** Of two to five stars. */
  readonly amount?: readonly number[];
}

const TEMPLATES = tables.templates as Readonly<Record<string, TaxRule>>;
const COUNTRIES: Readonly<Record<string, Row>> = tables.countries;
const CITY_ROWS = tables.cities as Readonly<Record<string, readonly Row[]>>;
const DESTINATION_FEE = tables.destinationFee as Row;

/** All tax and fee rules of a hotel (domain §14), 2–5 stars; never empty. */
export function taxRules(city: City, stars: number, random: Random): TaxRule[] {
  const country = COUNTRIES[city.country];
  const rows = [...(country ? [country] : []), ...(CITY_ROWS[city.name] ?? [])];
  if (city.country === "US" && stars >= 4 && random.chance(0.5)) rows.push(DESTINATION_FEE);
  return rows.map(({ like, amount, ...own }) => {
    const charged = amount ? { amount: amount[stars - 2]! } : {};
    return { ...TEMPLATES[like]!, ...own, ...charged };
  });
}
