/** Adds the rows of the journal to `kpi.db`, each once. */
import type { Row } from "../../engine/core/events/event.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { KpiFold } from "./fold.ts";
import { KpiLookups } from "./lookups.ts";
import { pageOf } from "./measures.ts";
import type { KpiStore } from "./store.ts";

/** Rows read and folded at once: some milliseconds. */
const SLICE_ROWS = 500;
/** Rows per transaction: each transaction rewrites the totals of all properties it touches. */
const COMMIT_ROWS = 5_000;

/** Folded rows up to `row` that are not in the file yet. */
interface OpenFold {
  readonly fold: KpiFold;
  /** Stamps of the first rows of new pages. */
  readonly pages: Map<number, number>;
  row: number;
}

export class KpiFollower {
  readonly #store: KpiStore;
  readonly #replica: Replica;
  readonly #commitRows: number;
  readonly #look: KpiLookups;
  /** The last row in the file. */
  #row: number;
  #open: OpenFold | null = null;

  /**
   * Continues after the file's last row. If the journal has another row there (rows were given up
   * or a back-up was restored), everything is counted again.
   */
  constructor(store: KpiStore, replica: Replica, commitRows = COMMIT_ROWS) {
    this.#store = store;
    this.#replica = replica;
    this.#commitRows = commitRows;
    this.#look = new KpiLookups(replica);
    const position = store.position();
    const isSame = position.row === 0 || replica.chainAt(position.row) === position.chain;
    if (!isSame) store.clear();
    this.#row = isSame ? position.row : 0;
    replica.watchRows((row) => this.#see(row));
  }

  /** The last row in the file. */
  get row(): number {
    return this.#row;
  }

  /**
   * Reads and folds the next rows that were not seen by `#see`. Writes when many or all rows are
   * folded. True when there are more.
   *
   * @throws RecordDamaged when a row needs a damaged record; rows since the last write are then
   *   folded again.
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
    // After an error halfway through a row the fold is unusable.
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

  /** Folds a row that follows the last one, so that it need not be read again. */
  #see(row: Row): void {
    if (row.row !== this.#foldedRow + 1) return;
    try {
      this.#fold([row]);
    } catch {
      // The next slice reads it again and reports the error.
    }
  }
}
