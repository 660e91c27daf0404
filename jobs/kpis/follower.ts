/** Follows the journal and adds its rows to `kpi.db`, each once, in slices. */
import type { Row } from "../../engine/core/events.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { KpiFold } from "./fold.ts";
import { Look } from "./look.ts";
import { pageOf } from "./measures.ts";
import type { KpiStore } from "./store.ts";

/** Rows that are folded at once: some milliseconds. */
const SLICE_ROWS = 500;
/** Rows that were seen as they were folded and wait; of more, the journal is read again. */
const SEEN_ROWS_MAX = 10_000;

export class KpiFollower {
  readonly #store: KpiStore;
  readonly #replica: Replica;
  /** Rows that go on from the last that the file has. */
  #seen: Row[] = [];
  #row: number;

  /**
   * Goes on where the file stands. When the journal has another row there (rows were given up, or a
   * back-up was restored), everything is counted again from its beginning.
   */
  constructor(store: KpiStore, replica: Replica) {
    this.#store = store;
    this.#replica = replica;
    const place = store.place();
    const isSame = place.row === 0 || replica.chainAt(place.row) === place.chain;
    if (!isSame) store.clear();
    this.#row = isSame ? place.row : 0;
    replica.watchRows((row) => this.#see(row));
  }

  /** The last row that was counted. */
  get row(): number {
    return this.#row;
  }

  /**
   * Counts the next rows that the replica has folded; true when there are more.
   *
   * @throws RecordDamaged when a record that a row is about is missing; nothing is counted then.
   */
  readSlice(): boolean {
    const rows = this.#nextRows();
    const last = rows.at(-1);
    if (!last) return false;
    const fold = new KpiFold(new Look(this.#replica), (name) => this.#store.supplyOf(name));
    const pages = new Map<number, number>();
    for (const row of rows) {
      fold.take(row);
      const page = pageOf(row.row);
      if (!pages.has(page)) pages.set(page, row.stamp);
    }
    this.#store.add({
      sums: {
        night: fold.night.take(),
        activity: fold.activity.take(),
        supply: fold.supply.take(),
      },
      supplies: fold.takeSupplies(),
      pages: [...pages].map(([page, first_at]) => ({ page, first_at })),
      head: { row: last.row, chain: this.#replica.chainAt(last.row)! },
    });
    this.#row = last.row;
    this.#seen = this.#seen.filter(({ row }) => row > last.row);
    return this.#row < this.#replica.head.row;
  }

  #nextRows(): readonly Row[] {
    if (this.#seen[0]?.row === this.#row + 1) return this.#seen.slice(0, SLICE_ROWS);
    const limit = Math.min(SLICE_ROWS, this.#replica.head.row - this.#row);
    if (limit <= 0) return [];
    return this.#replica.rowsFrom(this.#row + 1, limit).map(({ row }) => row);
  }

  #see(row: Row): void {
    const next = (this.#seen.at(-1)?.row ?? this.#row) + 1;
    if (row.row === next && this.#seen.length < SEEN_ROWS_MAX) this.#seen.push(row);
    else if (row.row > next) this.#seen = [];
  }
}
