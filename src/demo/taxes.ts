/**
 * Taxes and local charges on a hotel night as of 2025, simplified to what one rule can say. Value
 * added tax is part of European and Japanese prices; in the United States taxes come on top. City
 * taxes per head are paid at the desk. Amounts are minor units of the country's currency.
 */
import type { TaxRule } from "../../engine/core/supply.ts";
import type { City, Country } from "./catalogue.ts";
import type { Random } from "./random.ts";

const VALUE_ADDED: Readonly<Partial<Record<Country, readonly [string, number]>>> = {
  ES: ["IVA 10 %", 1000],
  DE: ["MwSt. 7 %", 700],
  FR: ["TVA 10 %", 1000],
  IT: ["IVA 10 %", 1000],
  GB: ["VAT 20 %", 2000],
  JP: ["Consumption tax 10 %", 1000],
  CH: ["MWST 3.8 %", 380],
};

function valueAdded(country: Country): TaxRule[] {
  const entry = VALUE_ADDED[country];
  if (!entry) return [];
  const [name, rate_bps] = entry;
  return [
    {
      code: "VAT",
      name,
      kind: "tax",
      basis: "percent",
      rate_bps,
      included_in_rate: true,
      collect: "prepaid",
      order: 1,
    },
  ];
}

/** Per person and night, paid at the property; `limits` are the exemptions of the place. */
function headTax(
  name: string,
  amount: number,
  limits: Pick<TaxRule, "min_age" | "max_nights"> = {},
): TaxRule {
  return {
    code: "CITY",
    name,
    kind: "tax",
    basis: "per_person_per_night",
    amount,
    included_in_rate: false,
    collect: "at_property",
    order: 2,
    ...limits,
  };
}

function onTop(code: string, name: string, rate_bps: number, order: number): TaxRule {
  return {
    code,
    name,
    kind: "tax",
    basis: "percent",
    rate_bps,
    included_in_rate: false,
    collect: "prepaid",
    order,
  };
}

const JAVITS_FEE: TaxRule = {
  code: "OCCUPANCY",
  name: "Occupancy tax and convention center fee",
  kind: "tax",
  basis: "per_night",
  amount: 350,
  included_in_rate: false,
  collect: "prepaid",
  order: 4,
};

function byStars(amounts: readonly [number, number, number, number], stars: number): number {
  return amounts[stars - 2]!;
}

/** What the city adds to the country's value added tax. */
function local(city: City, stars: number): TaxRule[] {
  switch (city.name) {
    case "Barcelona": {
      const amount = byStars([500, 500, 570, 750], stars);
      return [headTax("Tourist tax and city surcharge", amount, { min_age: 17, max_nights: 7 })];
    }
    case "Paris":
      return [headTax("Taxe de séjour", byStars([325, 553, 845, 1138], stars), { min_age: 18 })];
    case "Rome": {
      const amount = byStars([500, 600, 750, 1000], stars);
      return [headTax("Contributo di soggiorno", amount, { min_age: 10, max_nights: 10 })];
    }
    case "Berlin":
      return [{ ...onTop("CITY", "City tax 7.5 %", 750, 2), collect: "at_property" }];
    case "Edinburgh":
      return [
        {
          ...onTop("LEVY", "Visitor levy 5 %", 500, 2),
          collect: "at_property",
          max_nights: 5,
          valid_from: "2026-07-24",
        },
      ];
    case "Tokyo":
      return [headTax("Accommodation tax", byStars([100, 100, 200, 200], stars))];
    case "Zurich":
      return [headTax("City tax", 350)];
    case "New York":
      return [
        onTop("SALES", "State and city sales tax", 888, 2),
        onTop("HOTEL", "City hotel room occupancy tax", 588, 3),
        JAVITS_FEE,
      ];
    case "Chicago":
      return [
        onTop("STATE", "Illinois hotel operators' tax", 600, 2),
        onTop("LOCAL", "City, county and convention taxes", 1140, 3),
      ];
    default:
      return [];
  }
}

function resortFee(stars: number): TaxRule {
  return {
    code: "RESORT",
    name: "Destination fee",
    kind: "fee",
    basis: "per_night",
    amount: stars === 5 ? 4500 : 3000,
    included_in_rate: false,
    collect: "at_property",
    order: 9,
  };
}

/** All tax and fee rules of a hotel (domain §14), 2–5 stars; never empty. */
export function taxRules(city: City, stars: number, random: Random): TaxRule[] {
  const rules = [...valueAdded(city.country), ...local(city, stars)];
  const charges = city.country === "US" && stars >= 4 && random.chance(0.5);
  return charges ? [...rules, resortFee(stars)] : rules;
}
