/**
 * A quote freezes price and cancellation terms. The frozen form is compact: inputs of the price
 * (nightly amounts, supply version) and the amounts that money depends on. `price.ts` and
 * `policy-snapshot.ts` render the full `price_breakdown` and `policy_snapshot` from it and the tree
 * version; the same inputs always give the same bytes.
 */
import type { Mode } from "../supply.ts";

/** Longest stay that is quoted. */
export const STAY_NIGHTS_MAX = 90;

export interface Stay {
  /** Property-local civil dates, `YYYY-MM-DD`; `check_out` is the first night not stayed. */
  readonly check_in: string;
  readonly check_out: string;
}

export interface Party {
  readonly adults: number;
  /** Completed years at check-in. */
  readonly children: readonly { readonly age: number }[];
}

/**
 * The body of `POST /v1/quotes`, also used by requote hints: in wire form, where a property's id is
 * `hotel_id`.
 */
export interface QuoteRequest {
  readonly hotel_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Party;
}

/** One row of the cancellation table: before `until_ms` the fee is `fee`. Strictly ascending. */
export interface FeeTier {
  readonly until_ms: number;
  readonly fee: number;
}

/** The cancellation table as money, computed at quote time so that a cancel is a look-up. */
export interface FeeTable {
  readonly tiers: readonly FeeTier[];
  /** Fee from the last tier's end up to the anchor. */
  readonly after: number;
  /** Fee from the anchor on. */
  readonly no_show: number;
  /** Local check-in instant. */
  readonly anchor_ms: number;
  /** The same with the local offset, e.g. `2026-12-20T15:00:00+01:00`. */
  readonly anchor: string;
}

export interface FrozenQuote extends Omit<QuoteRequest, "hotel_id"> {
  readonly property_id: string;
  readonly quote_id: string;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
  /** The version of the property tree that the price was computed with. */
  readonly supply_version: number;
  readonly policy_version: string;
  readonly currency: string;
  /** Base amount of each night, minor units. */
  readonly nightly: readonly number[];
  /** Extra-adult amount of each night, or one number when it is the same every night. */
  readonly extra_adult: readonly number[] | number;
  /** Per night: `o` date override, `b` base rate, `d` derived. */
  readonly sources: string;
  readonly room_subtotal: number;
  readonly total: number;
  readonly due_now: number;
  readonly due_at_property: number;
  readonly fees: FeeTable;
  readonly price_hash: string;
  readonly policy_hash: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly expires_at: number;
}
