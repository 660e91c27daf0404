/**
 * Supply in its journaled form: the property tree in wire form, with ids and defaults filled in.
 * Request body, journal and answer share one form, so nothing is mapped. A tree is immutable; a
 * change makes a new version, and old versions are kept because frozen quotes refer to them.
 *
 * Amounts are integers in minor units of the rate plan's currency (ISO 4217 exponent).
 */
import type { RestrictionFields } from "./rules.ts";

export type Mode = "live" | "test";

/** A tenant in one mode. Realms are separate. */
export interface Realm {
  readonly tenant_id: string;
  readonly mode: Mode;
}
export type PropertyState = "draft" | "live" | "suspended" | "archived";
export type MealPlan = "room_only" | "breakfast" | "half_board" | "full_board" | "all_inclusive";
export type CancellationKind = "free_until_cutoff" | "fee_from_booking" | "non_refundable";

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly region?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly postal_code?: string;
}

/**
 * Cancellation terms of a property. A rate plan uses the policy of its kind with the greatest
 * `version`.
 */
export interface PolicyTerms {
  readonly version: string;
  readonly cancellation_kind: CancellationKind;
  readonly free_cancellation_hours_before_checkin: number;
  readonly cancellation_fee_pct_after_cutoff: number;
  readonly child_policy_text: string | null;
  readonly no_show_fee_pct: number;
}

/** Tax or fee rule. Exactly one of `rate_bps` (percent) and `amount` is set. */
export interface TaxRule {
  readonly code: string;
  readonly name: string;
  readonly kind: "tax" | "fee";
  readonly basis: "percent" | "per_stay" | "per_night" | "per_person" | "per_person_per_night";
  readonly rate_bps?: number;
  readonly amount?: number;
  readonly included_in_rate: boolean;
  readonly collect: "prepaid" | "at_property";
  /** Persons younger than this do not count. */
  readonly min_age?: number;
  /** At most this many nights are charged. */
  readonly max_nights?: number;
  /** Stay dates, inclusive; nights outside are not charged. */
  readonly valid_from?: string;
  readonly valid_to?: string;
  readonly order?: number;
  /** Percent rules only: the base includes earlier non-included lines. */
  readonly compound?: boolean;
}

export interface ChildBand {
  readonly min_age: number;
  readonly max_age: number;
  readonly pricing: "free" | "percent_bps" | "fixed_per_night";
  /** Basis points of the night's base, or minor units per night; absent for `free`. */
  readonly value?: number;
  readonly counts_toward_occupancy: boolean;
  readonly max_count?: number;
}

export interface Adjustment {
  readonly code: string;
  readonly label: string;
  /** Applies to stays of at least this many nights. */
  readonly min_nights: number;
  /** Basis points of the night's base; negative is a discount. */
  readonly bps: number;
}

/**
 * A price that a stay has by its length, its nights and the day of its booking. Exactly one of
 * `bps` and `amount` is set, below 0. All limits are inclusive; an absent one does not limit.
 */
export interface Discount {
  readonly code: string;
  readonly label: string;
  /** Basis points of the night's base that are added. */
  readonly bps?: number;
  /** Minor units per night that are added. */
  readonly amount?: number;
  /** Days of the booking at the property, `YYYY-MM-DD`. */
  readonly booked_from?: string;
  readonly booked_until?: string;
  /** Days from the booking to check-in. */
  readonly min_advance_days?: number;
  readonly max_advance_days?: number;
  /** Length of the stay. */
  readonly min_nights?: number;
  readonly max_nights?: number;
  /** Nights that are cheaper, `YYYY-MM-DD`, optionally only on some weekdays. */
  readonly stay_from?: string;
  readonly stay_until?: string;
  readonly days_of_week?: readonly Weekday[];
}

export type Rounding = "half_up" | "up" | "down";

/**
 * A rate plan whose nights follow those of another plan of its room type, which has prices of its
 * own, in the same currency. Exactly one of `bps` and `amount` is set.
 */
export interface DerivedRate {
  readonly rate_plan_id: string;
  /** Basis points of the followed amount that are added; negative is cheaper. */
  readonly bps?: number;
  /** Minor units per night that are added; negative is cheaper. */
  readonly amount?: number;
  /** Minor units: the result is rounded to a multiple of them. */
  readonly round_to: number;
  readonly rounding: Rounding;
}

export interface RatePlan {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  /** Of a derived plan: what follows from the other plan's. */
  readonly base_rate_per_night: number;
  /** Absent for a plan with prices of its own. */
  readonly derived_from?: DerivedRate;
  readonly meal_plan: MealPlan;
  readonly cancellation_kind: CancellationKind;
  readonly extra_adult_per_night: number;
  readonly adjustments: readonly Adjustment[];
  /** Absent for none. */
  readonly discounts?: readonly Discount[];
}

export interface RoomType {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly max_occupancy: number;
  readonly included_occupancy: number;
  readonly bed_type: string | null;
  readonly floor_size_sqm: number | null;
  readonly amenities: readonly string[];
  readonly images: readonly string[];
  readonly smoking_allowed: boolean;
  readonly default_inventory: number;
  readonly overbooking_limit: number;
  readonly rate_plans: readonly RatePlan[];
}

export interface PropertyTree {
  readonly id: string;
  readonly slug: string;
  /** The operator's own code, unique in its realm. */
  readonly external_code?: string;
  readonly name: string;
  readonly description: string | null;
  readonly star_rating: number | null;
  readonly address: Address;
  readonly geo: { readonly lat: number; readonly lng: number } | null;
  /** Named landmarks nearby, with or without coordinates. */
  readonly landmarks?: readonly {
    readonly name: string;
    readonly geo?: { readonly lat: number; readonly lng: number } | null;
  }[];
  readonly default_currency: string;
  /** IANA zone. */
  readonly timezone: string;
  readonly amenities: readonly string[];
  readonly images: readonly string[];
  readonly phone: string | null;
  readonly email: string | null;
  readonly pets_allowed: boolean;
  readonly number_of_rooms: number | null;
  /** Local `HH:mm`. */
  readonly checkin_time: string | null;
  readonly checkout_time: string | null;
  readonly policies: readonly PolicyTerms[];
  readonly tax_rules: readonly TaxRule[];
  readonly child_bands: readonly ChildBand[];
  readonly room_types: readonly RoomType[];
}

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

/** Inclusive range of stay dates, `YYYY-MM-DD`, optionally only on some weekdays. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
  readonly days_of_week?: readonly Weekday[];
}

/** In all ARI entries: an omitted field keeps its value, null resets it to the default. */
export interface InventoryRange extends DateRange {
  readonly room_type_id: string;
  readonly capacity?: number | null;
  readonly out_of_order?: number | null;
  readonly overbooking_limit?: number | null;
}

export interface RateRange extends DateRange {
  readonly rate_plan_id: string;
  readonly amount?: number | null;
  readonly extra_adult?: number | null;
}

/** `rate_plan_id` null or absent: every plan of the room type. */
export interface RestrictionRange extends DateRange, RestrictionFields {
  readonly room_type_id: string;
  readonly rate_plan_id?: string | null;
}

/**
 * The day from which a ceiling's unsold units cannot be sold in its scope: a date, or a number of
 * days before the night, each at the property.
 */
export type Release =
  | { readonly strategy: "fixed"; readonly at: string }
  | { readonly strategy: "rolling"; readonly days_before: number };

/**
 * Limits units sold + held per stay date in its scope; null is a wildcard, a null ceiling removes
 * it and its release.
 */
export interface CeilingRange extends DateRange {
  readonly room_type_id: string;
  readonly rate_plan_id?: string | null;
  readonly agent_id?: string | null;
  readonly ceiling: number | null;
  /** `none` removes it, like null. */
  readonly release?: Release | { readonly strategy: "none" } | null;
}

export interface AriUpdate {
  readonly inventory?: readonly InventoryRange[];
  readonly rates?: readonly RateRange[];
  readonly restrictions?: readonly RestrictionRange[];
  readonly ceilings?: readonly CeilingRange[];
}

/**
 * Units that a channel may still sell per night: of a room type, or of one of its rate plans. Units
 * that are sold and held by then do not count.
 */
export interface UnitsLeftRange extends DateRange {
  readonly room_type_id: string;
  readonly rate_plan_id?: string | null;
  readonly left: number;
}

/**
 * An update as requested: room types and rate plans by id or code, rate plans also with their room
 * type. Units left become capacities and ceilings, after the other lists.
 */
export interface NamedAri extends Omit<AriUpdate, "rates"> {
  readonly rates?: readonly (RateRange & { readonly room_type_id?: string })[];
  readonly units_left?: readonly UnitsLeftRange[];
}
