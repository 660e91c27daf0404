/** Follows the journal and adds its rows to `kpi.db`, each once, in slices. */
import type { Row } from "../../engine/core/events.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { KpiFold } from "./fold.ts";
import { Look } from "./look.ts";
import { pageOf } from "./measures.ts";
import type { KpiStore } from "./store.ts";

/** Rows that are folded at once: some milliseconds. */
const SLICE_ROWS = 500;
/** Rows that one transaction adds: each rewrites the totals of every property that it touches. */
const COMMIT_ROWS = 5_000;
/** Rows that were seen as they were folded and wait; of more, the journal is read again. */
const SEEN_ROWS_MAX = 10_000;

/** What was folded and is not in the file yet, up to `row`. */
interface OpenFold {
  readonly fold: KpiFold;
  /** Stamps of the first rows of pages that have begun. */
  readonly pages: Map<number, number>;
  readonly row: number;
}

export class KpiFollower {
  readonly #store: KpiStore;
  readonly #replica: Replica;
  readonly #commitRows: number;
  readonly #look: Look;
  /** Rows that go on from the last that was folded. */
  #seen: Row[] = [];
  /** The last row that the file has. */
  #row: number;
  /** What was folded after it; null when nothing was. */
  #open: OpenFold | null = null;

  /**
   * Goes on where the file stands. When the journal has another row there (rows were given up, or a
   * back-up was restored), everything is counted again from its beginning.
   */
  constructor(store: KpiStore, replica: Replica, commitRows = COMMIT_ROWS) {
    this.#store = store;
    this.#replica = replica;
    this.#commitRows = commitRows;
    this.#look = new Look(replica);
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
   * Folds the next rows that the replica has folded, and adds them to the file once they are many
   * or there are no more; true when there are more.
   *
   * @throws RecordDamaged when a record that a row is about is missing. What was folded since the
   *   last addition is given up then, and folded again.
   */
  readSlice(): boolean {
    const rows = this.#nextRows();
    const last = rows.at(-1);
    if (!last) return false;
    const open = this.#open ?? this.#begin();
    // Until all of them are in it, it is of no use.
    this.#open = null;
    for (const row of rows) {
      open.fold.take(row);
      const page = pageOf(row.row);
      if (!open.pages.has(page)) open.pages.set(page, row.stamp);
    }
    const isMore = last.row < this.#replica.head.row;
    if (isMore && last.row - this.#row < this.#commitRows) this.#open = { ...open, row: last.row };
    else this.#add(open, last.row);
    const seen = this.#seen.findIndex(({ row }) => row > last.row);
    this.#seen = seen < 0 ? [] : this.#seen.slice(seen);
    return isMore;
  }

  #begin(): OpenFold {
    const fold = new KpiFold(this.#look, (name) => this.#store.supplyOf(name));
    return { fold, pages: new Map(), row: this.#row };
  }

  #add({ fold, pages }: OpenFold, row: number): void {
    this.#store.add({
      sums: {
        night: fold.night.take(),
        activity: fold.activity.take(),
        supply: fold.supply.take(),
      },
      supplies: fold.takeSupplies(),
      pages: [...pages].map(([page, first_at]) => ({ page, first_at })),
      head: { row, chain: this.#replica.chainAt(row)! },
    });
    this.#row = row;
  }

  #nextRows(): readonly Row[] {
    const from = (this.#open?.row ?? this.#row) + 1;
    if (this.#seen[0]?.row === from) return this.#seen.slice(0, SLICE_ROWS);
    const limit = Math.min(SLICE_ROWS, this.#replica.head.row - from + 1);
    if (limit <= 0) return [];
    return this.#replica.rowsFrom(from, limit).map(({ row }) => row);
  }

  #see(row: Row): void {
    const next = (this.#seen.at(-1)?.row ?? this.#open?.row ?? this.#row) + 1;
    if (row.row === next && this.#seen.length < SEEN_ROWS_MAX) this.#seen.push(row);
    else if (row.row > next) this.#seen = [];
  }
}
