/** The columns of a table of properties, and how their cells become members of a body. */
import { type CellFault, dateFault, wholeFault } from "../table-values.ts";

type Kind = "text" | "integer" | "money" | "number" | "percent" | "date" | "list" | "flag";

/** Column → member of its part of the body, and type. */
export type Columns = Readonly<Record<string, readonly [pointer: string, kind: Kind]>>;

export const PROPERTY: Columns = {
  slug: ["/slug", "text"],
  external_code: ["/external_code", "text"],
  name: ["/name", "text"],
  description: ["/description", "text"],
  star_rating: ["/star_rating", "number"],
  line1: ["/address/line1", "text"],
  line2: ["/address/line2", "text"],
  city: ["/address/city", "text"],
  region: ["/address/region", "text"],
  country: ["/address/country", "text"],
  postal_code: ["/address/postal_code", "text"],
  lat: ["/geo/lat", "number"],
  lng: ["/geo/lng", "number"],
  default_currency: ["/default_currency", "text"],
  timezone: ["/timezone", "text"],
  phone: ["/phone", "text"],
  email: ["/email", "text"],
  checkin_time: ["/checkin_time", "text"],
  checkout_time: ["/checkout_time", "text"],
  pets_allowed: ["/pets_allowed", "flag"],
  amenities: ["/amenities", "list"],
  images: ["/images", "list"],
};
export const ROOM: Columns = {
  room_type: ["/code", "text"],
  room_name: ["/name", "text"],
  room_description: ["/description", "text"],
  max_occupancy: ["/max_occupancy", "integer"],
  included_occupancy: ["/included_occupancy", "integer"],
  default_inventory: ["/default_inventory", "integer"],
  overbooking_limit: ["/overbooking_limit", "integer"],
  bed_type: ["/bed_type", "text"],
};
export const PLAN: Columns = {
  rate_plan: ["/code", "text"],
  plan_name: ["/name", "text"],
  currency: ["/currency", "text"],
  base_rate_per_night: ["/base_rate_per_night", "money"],
  extra_adult_per_night: ["/extra_adult_per_night", "money"],
  meal_plan: ["/meal_plan", "text"],
  cancellation_kind: ["/cancellation_kind", "text"],
  derived_from: ["/derived_from/rate_plan_id", "text"],
  derived_pct: ["/derived_from/bps", "percent"],
  derived_amount: ["/derived_from/amount", "money"],
  derived_round_to: ["/derived_from/round_to", "integer"],
  derived_rounding: ["/derived_from/rounding", "text"],
};
/** Columns of the policy of the plan's kind. */
export const TERMS: Columns = {
  free_cancellation_hours: ["/free_cancellation_hours_before_checkin", "integer"],
  cancellation_fee_pct: ["/cancellation_fee_pct_after_cutoff", "number"],
  no_show_fee_pct: ["/no_show_fee_pct", "number"],
};
export const POLICY: Columns = {
  cancellation_kind: ["/cancellation_kind", "text"],
  ...TERMS,
};
/** A tax or fee of the property, at most one per line. */
export const TAX: Columns = {
  tax_code: ["/code", "text"],
  tax_name: ["/name", "text"],
  tax_kind: ["/kind", "text"],
  tax_basis: ["/basis", "text"],
  tax_pct: ["/rate_bps", "percent"],
  tax_amount: ["/amount", "money"],
  tax_included: ["/included_in_rate", "flag"],
  tax_collect: ["/collect", "text"],
  tax_min_age: ["/min_age", "integer"],
  tax_max_nights: ["/max_nights", "integer"],
  tax_valid_from: ["/valid_from", "date"],
  tax_valid_to: ["/valid_to", "date"],
  tax_order: ["/order", "integer"],
  tax_compound: ["/compound", "flag"],
};

/** Every column, in documentation order. */
export const PROPERTY_COLUMNS = Object.keys({ ...PROPERTY, ...ROOM, ...PLAN, ...POLICY, ...TAX });
export const KNOWN_COLUMNS: ReadonlySet<string> = new Set(PROPERTY_COLUMNS);

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = /^-?\d{1,15}([.,]\d{1,15})?$/;
const PERCENT = /^-?\d{1,4}([.,]\d{1,2})?$/;

/** The format error of a cell; its value is checked with the body. */
export function cellFault(text: string, kind: Kind): CellFault | null {
  if (kind === "integer" || kind === "money") return wholeFault(text, kind === "money");
  if (kind === "date") return dateFault(text);
  if (kind !== "percent" || PERCENT.test(text)) return null;
  return { message: "is not a percentage", expected: "a number such as 10 or 5.5" };
}

/**
 * The value of a cell. Text that is not a number stays text, which the body's schema rejects.
 * Spreadsheets of many countries write 41,987 for 41.987. An integer has neither mark: 12.000 may
 * mean twelve thousand, and must not become a price of twelve.
 */
export function cellValue(text: string, kind: Kind): unknown {
  switch (kind) {
    case "list":
      return text.split("|").map((each) => each.trim());
    case "integer":
    case "money":
      return INTEGER.test(text) ? Number(text) : text;
    case "number":
      return NUMBER.test(text) ? Number(text.replace(",", ".")) : text;
    case "percent":
      return PERCENT.test(text) ? Math.round(Number(text.replace(",", ".")) * 100) : text;
    case "flag": {
      const lower = text.toLowerCase();
      return lower === "true" || lower === "false" ? lower === "true" : text;
    }
    case "text":
    case "date":
      return text;
  }
}
