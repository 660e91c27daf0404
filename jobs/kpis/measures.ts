/** The measures and keys of `kpi.db`. */
import type { Realm } from "../../engine/core/supply.ts";

/**
 * By night of the stay: rooms and their revenue. By day of arrival: bookings and their results;
 * `stays` are neither cancelled nor a no-show. Amounts in minor units.
 */
export const NIGHT_MEASURES = [
  ...(["rooms_sold", "room_revenue"] as const),
  ...(["bookings", "cancelled", "no_shows", "stays", "stay_nights", "lead_days"] as const),
  ...(["cancellation_fees", "no_show_fees", "early_departure_revenue"] as const),
] as const;

/** By the day of the event. */
export const ACTIVITY_MEASURES = [
  ...(["holds", "holds_expired", "holds_released"] as const),
  ...(["bookings_made", "bookings_cancelled"] as const),
  ...(["payments_captured", "payments_failed", "refunds", "refunded"] as const),
] as const;

/** Changes from a day on. */
const SUPPLY_MEASURES = ["available", "out_of_order"] as const;

export type NightMeasure = (typeof NIGHT_MEASURES)[number];
export type ActivityMeasure = (typeof ACTIVITY_MEASURES)[number];

/** Keys beside property and day, and measures, of each ledger. */
export const LEDGERS = {
  night: { keys: ["currency"], measures: NIGHT_MEASURES },
  activity: { keys: ["agent_id", "currency"], measures: ACTIVITY_MEASURES },
  supply: { keys: [], measures: SUPPLY_MEASURES },
} as const satisfies Readonly<
  Record<string, { readonly keys: readonly string[]; readonly measures: readonly string[] }>
>;
export type LedgerName = keyof typeof LEDGERS;
export type MeasureOf<L extends LedgerName> = (typeof LEDGERS)[L]["measures"][number];

/** A property; ids are unique within a tenant and mode only. */
export interface PropertyName extends Realm {
  readonly property_id: string;
}

/** Rows whose sums are stored together; figures as of a row within a page read its rows again. */
export const PAGE_ROWS = 1_024;

/** The page of a row. */
export function pageOf(row: number): number {
  return Math.floor(row / PAGE_ROWS);
}

/** Sum of one property, day and key. */
export interface Sum {
  readonly property: PropertyName;
  /** The page of the events; for supply the row. */
  readonly mark: number;
  readonly day: number;
  /** In the order of the ledger's keys. */
  readonly keys: readonly string[];
  /** In the order of the ledger's measures. */
  readonly values: number[];
}

/** Accumulates the sums of a ledger. */
export class Sums<L extends LedgerName> {
  readonly #measures: readonly string[];
  readonly #sums = new Map<string, Sum>();

  constructor(ledger: L) {
    this.#measures = LEDGERS[ledger].measures;
  }

  add(
    property: PropertyName,
    at: { readonly mark: number; readonly day: number; readonly keys: readonly string[] },
    amounts: Partial<Record<MeasureOf<L>, number>>,
  ): void {
    const { mark, day, keys } = at;
    const { tenant_id, mode, property_id } = property;
    const name = `${mode} ${tenant_id} ${property_id} ${mark} ${day} ${keys.join(" ")}`;
    let sum = this.#sums.get(name);
    if (!sum) {
      sum = { property, mark, day, keys, values: this.#measures.map(() => 0) };
      this.#sums.set(name, sum);
    }
    for (const measure in amounts) {
      sum.values[this.#measures.indexOf(measure)]! += amounts[measure as MeasureOf<L>] ?? 0;
    }
  }

  /** Returns the sums and starts again. */
  take(): Sum[] {
    const sums = [...this.#sums.values()];
    this.#sums.clear();
    return sums;
  }
}
