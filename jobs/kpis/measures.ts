/** What is counted, and by what: the columns of `kpi.db` and of what is read out of it. */
import type { Realm } from "../../engine/core/supply.ts";

/**
 * By night of the stay: rooms and their revenue. By day of arrival: bookings and what became of
 * them; `stays` are those that were neither cancelled nor a no-show. Amounts in minor units.
 */
export const NIGHT_MEASURES = [
  ...(["rooms_sold", "room_revenue"] as const),
  ...(["bookings", "cancelled", "no_shows", "stays", "stay_nights", "lead_days"] as const),
  ...(["cancellation_fees", "no_show_fees", "early_departure_revenue"] as const),
] as const;

/** By the day on which it happened. */
export const ACTIVITY_MEASURES = [
  ...(["holds", "holds_expired", "holds_released"] as const),
  ...(["bookings_made", "bookings_cancelled"] as const),
  ...(["payments_captured", "payments_failed", "refunds", "refunded"] as const),
] as const;

/** By how much there is more from a day on. */
const SUPPLY_MEASURES = ["available", "out_of_order"] as const;

export type NightMeasure = (typeof NIGHT_MEASURES)[number];
export type ActivityMeasure = (typeof ACTIVITY_MEASURES)[number];

/** Each with what it is told apart by, beside the property and the day. */
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

/** Rows of the journal whose sums are stored together: as_of within a page reads its rows again. */
export const PAGE_ROWS = 1_024;

/** The page that a row of the journal lies in. */
export function pageOf(row: number): number {
  return Math.floor(row / PAGE_ROWS);
}

/** What came together of one property, day and key. */
export interface Sum {
  readonly property: PropertyName;
  /** The page, of supply the row, in which it happened. */
  readonly mark: number;
  readonly day: number;
  /** In the order of the ledger's keys. */
  readonly keys: readonly string[];
  /** In the order of the ledger's measures. */
  readonly values: number[];
}

/** Sums of one ledger while they are made. */
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

  /** Everything so far, and begins again. */
  take(): Sum[] {
    const sums = [...this.#sums.values()];
    this.#sums.clear();
    return sums;
  }
}
