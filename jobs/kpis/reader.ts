/**
 * Figures as of a row of the journal: the sums in `kpi.db`, minus later rows, plus rows that are
 * not in the file yet. They are exact at every row, whether the worker is ahead or behind.
 */

import type { Realm } from "../../engine/core/supply.ts";
import { isOfRealm } from "../../engine/core/visibility.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { KpiFold } from "./fold.ts";
import { KpiLookups } from "./lookups.ts";
import { type LedgerName, PAGE_ROWS, pageOf, type Sum } from "./measures.ts";
import { LEDGER_NAMES } from "./schema.ts";
import type { KpiStore, SumsAsked } from "./store.ts";

/** Rows that a query folds itself; with a larger lag no figures are available. */
const FOLDED_ROWS_MAX = 20_000;
/** Before all days. */
const FIRST_DAY = -100_000;

export type DaySum = Omit<Sum, "property" | "mark">;
export type DaySums = Readonly<Record<LedgerName, readonly DaySum[]>>;

export interface FiguresAsked {
  readonly realm: Realm;
  readonly propertyIds: readonly string[];
  readonly firstDay: number;
  readonly lastDay: number;
  /** The last row that counts; at most the replica's head. */
  readonly row: number;
}

export class KpiReader {
  readonly #store: KpiStore;
  readonly #replica: Replica;

  constructor(store: KpiStore, replica: Replica) {
    this.#store = store;
    this.#replica = replica;
  }

  /**
   * Sums by day and key; for supply from the first day on, because it is stored as changes. Null
   * while the worker lags too far behind.
   *
   * @throws RecordDamaged when a row needs a damaged record.
   */
  sums(asked: FiguresAsked): DaySums | null {
    return this.#store.read(() => {
      const position = this.#store.position();
      const isSame = position.row === 0 || this.#replica.chainAt(position.row) === position.chain;
      if (!isSame || asked.row - position.row > FOLDED_ROWS_MAX) return null;
      const isAhead = asked.row < position.row;
      const firstRow = isAhead ? Math.max(1, pageOf(asked.row) * PAGE_ROWS) : position.row + 1;
      const folded = this.#fold(asked, firstRow);
      const sums = LEDGER_NAMES.map((ledger) => {
        const isSupply = ledger === "supply";
        const mark = isSupply ? asked.row + 1 : pageOf(asked.row);
        const stored = this.#stored(ledger, asked, isAhead ? mark : null);
        const more = isSupply && isAhead ? [] : within(ledger, folded[ledger].take(), asked);
        return [ledger, added([...stored, ...more])] as const;
      });
      return Object.fromEntries(sums) as unknown as DaySums;
    });
  }

  /** The last row, up to the replica's head, with a stamp of at most `atMs`. */
  rowAt(atMs: number): number {
    const head = this.#replica.head.row;
    const isKnown = (row: number) => row >= 1 && row <= head;
    let row = this.#store.pageAt(atMs) * PAGE_ROWS - 1;
    for (let first = row + 1; first <= head; first += PAGE_ROWS) {
      for (const { row: next } of this.#replica.rowsFrom(Math.max(1, first), PAGE_ROWS)) {
        if (next.stamp > atMs || next.row > head) return isKnown(row) ? row : 0;
        row = next.row;
      }
    }
    return isKnown(row) ? row : 0;
  }

  #stored(ledger: LedgerName, asked: FiguresAsked, beforeMark: number | null): DaySum[] {
    const { realm, propertyIds, lastDay } = asked;
    const names = propertyIds.map((property_id) => ({ ...realm, property_id }));
    const query: SumsAsked = {
      properties: this.#store.numbersOf(names),
      firstDay: ledger === "supply" ? FIRST_DAY : asked.firstDay,
      ...{ lastDay, beforeMark },
    };
    return this.#store.sums(ledger, query);
  }

  #fold({ realm, row: last }: FiguresAsked, first: number): KpiFold {
    const { tenant_id, mode } = realm;
    const fold = new KpiFold(new KpiLookups(this.#replica), (name) => this.#store.supplyOf(name));
    if (first > last) return fold;
    const words = { word: tenant_id, oneOf: [mode] };
    for (const { row } of this.#replica.rowsBetween(first, last, words)) {
      if (isOfRealm(row, realm)) fold.take(row);
    }
    return fold;
  }
}

/** The sums of the requested properties and days. */
function within(ledger: LedgerName, sums: readonly Sum[], asked: FiguresAsked): Sum[] {
  const ids = new Set(asked.propertyIds);
  const firstDay = ledger === "supply" ? FIRST_DAY : asked.firstDay;
  return sums.filter(({ property, day }) => {
    return ids.has(property.property_id) && day >= firstDay && day <= asked.lastDay;
  });
}

/** Adds up the sums with equal day and key. */
function added(sums: readonly DaySum[]): DaySum[] {
  const byKey = new Map<string, DaySum>();
  for (const { day, keys, values } of sums) {
    const name = `${day} ${keys.join(" ")}`;
    const known = byKey.get(name);
    if (!known) byKey.set(name, { day, keys, values: [...values] });
    else for (const [nth, value] of values.entries()) known.values[nth]! += value;
  }
  return [...byKey.values()];
}
