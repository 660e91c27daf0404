/** Follows the journal and adds its rows to `kpi.db`, each once. */
import type { Row } from "../../engine/core/events.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { KpiFold } from "./fold.ts";
import { Look } from "./look.ts";
import { pageOf } from "./measures.ts";
import type { KpiStore } from "./store.ts";

/** Rows that are read and folded at once: some milliseconds. */
const SLICE_ROWS = 500;
/** Rows that one transaction adds: each rewrites the totals of every property that it touches. */
const COMMIT_ROWS = 5_000;

/** What was folded and is not in the file yet, up to `row`. */
interface OpenFold {
  readonly fold: KpiFold;
  /** Stamps of the first rows of pages that have begun. */
  readonly pages: Map<number, number>;
  row: number;
}

export class KpiFollower {
  readonly #store: KpiStore;
  readonly #replica: Replica;
  readonly #commitRows: number;
  readonly #look: Look;
  /** The last row that the file has. */
  #row: number;
  #open: OpenFold | null = null;

  /**
   * Continues from the file's last row. When the journal has another row there (rows were given up,
   * or a back-up was restored), everything is counted again from its beginning.
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

  /** The last row that the file has. */
  get row(): number {
    return this.#row;
  }

  /**
   * Reads and folds the next rows that were not folded as the replica met them, and adds to the
   * file when many or all are folded; true when there are more.
   *
   * @throws RecordDamaged when a record that a row is about is missing. What was folded since the
   *   last addition is given up then, and folded again.
   */
  readSlice(): boolean {
    const head = this.#replica.head.row;
    const from = this.#foldedRow + 1;
    const limit = Math.min(SLICE_ROWS, head - from + 1);
    if (limit > 0) this.#fold(this.#replica.rowsFrom(from, limit).map(({ row }) => row));
    const isMore = this.#foldedRow < head;
    if (!isMore || this.#foldedRow - this.#row >= this.#commitRows) this.#add();
    return isMore;
  }

  get #foldedRow(): number {
    return this.#open?.row ?? this.#row;
  }

  #fold(rows: readonly Row[]): void {
    const open = this.#open ?? this.#begin();
    // A fold that threw halfway through a row is of no use.
    this.#open = null;
    for (const row of rows) {
      open.fold.take(row);
      const page = pageOf(row.row);
      if (!open.pages.has(page)) open.pages.set(page, row.stamp);
      open.row = row.row;
    }
    this.#open = open;
  }

  #begin(): OpenFold {
    const fold = new KpiFold(this.#look, (name) => this.#store.supplyOf(name));
    return { fold, pages: new Map(), row: this.#row };
  }

  #add(): void {
    if (this.#open === null) return;
    const { fold, pages, row } = this.#open;
    this.#open = null;
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

  /** A row that follows those that were folded need not be read again. */
  #see(row: Row): void {
    if (row.row !== this.#foldedRow + 1) return;
    try {
      this.#fold([row]);
    } catch {
      // The next slice reads it again, and tells what is wrong with it.
    }
  }
}
