/**
 * Cities of the demo hotels: 12 in 8 countries, with 5 currencies (JPY has no minor units) and 9
 * time zones, all but one with daylight saving. Districts, streets, post codes and coordinates are
 * real; telephone numbers come from ranges reserved for fiction where a country has one.
 */
import cities from "./tables/cities.json" with { type: "json" };

/** `{}` in the street stands for the house number. */
export type District = [name: string, postCode: string, lat: number, lng: number, street: string];

export interface City {
  readonly name: string;
  readonly region: string;
  readonly country: string;
  readonly currency: string;
  readonly timezone: string;
  /** E.164 without the last three digits. */
  readonly phonePrefix: string;
  /** One night in a three-star double, average season, minor units. */
  readonly baseAmountMinor: number;
  /** Percent of the average price, January to December. */
  readonly seasonPct: readonly number[];
  /** Percent of the weekday price on Friday and Saturday; below 100 in business cities. */
  readonly weekendPct: number;
  readonly districts: readonly District[];
}

/** The first city is the scenario property's; hotels go to the cities in turn. */
export const CITIES: readonly City[] = cities.map((city) => {
  return { ...city, districts: city.districts as District[] };
});
