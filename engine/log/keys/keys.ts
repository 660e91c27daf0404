/**
 * Idempotency keys: key → last journal row, in a log-structured merge tree.
 *
 * - Memory has the keys of the latest rows, in hash tables (`key-index.ts`). Runs, immutable sorted
 *   files beside the journal, have the keys of all rows before (`key-run.ts`, `key-runs.ts`).
 * - The worker alone writes and merges runs (`key-run-keeper.ts`). The engine looks for new ones
 *   every 5 s and then drops their keys from memory.
 * - A crash leaves a `.tmp` file, which the next worker removes, or runs that a longer one covers.
 * - A run is checked when it is opened, each of its pages at every use, all by the scrubber. A
 *   damaged run is removed; until it is written again, a start reads its keys from the journal.
 *
 * Maintained invariant: every key that a row up to the head has set is in a run or in memory.
 * Memory takes precedence over runs, and later runs over earlier ones, so a look-up finds the key's
 * last row.
 */
import { existsSync, renameSync } from "node:fs";
import { Damage } from "../../core/damage.ts";
import { BEGINNING } from "../head.ts";
import type { JournalReader } from "../journal-port.ts";
import { blocksAfter } from "../journal-tail.ts";
import { KeyIndex, type KeyWords, keyWords } from "./key-index.ts";
import { type KeyRun, RunDamaged } from "./key-run.ts";
import { type ChosenRuns, chooseRuns, type OnSkipped } from "./key-runs.ts";

const LOOK_EVERY_MS = 5_000;

export class Keys {
  /** True when every key of the journal has been set. */
  isComplete = false;
  readonly #journalPath: string;
  readonly #journalId: string;
  readonly #key: KeyWords = { shard: 0, a: 0, b: 0, c: 0 };
  #runs: readonly KeyRun[] = [];
  #coveredRow = 0;
  /** Two tables: the older is dropped as a whole when runs cover it, so nothing is copied. */
  #before = new KeyIndex();
  #recent = new KeyIndex();
  #lookAtMs = 0;

  constructor(journalPath: string, journalId: string) {
    this.#journalPath = journalPath;
    this.#journalId = journalId;
  }

  /** Keys of the rows up to this one are in runs; those of later rows must be set. */
  get coveredRow(): number {
    return this.#coveredRow;
  }

  /** Number of keys in memory. */
  get inMemory(): number {
    return this.#before.size + this.#recent.size;
  }

  /** Opens the usable runs; calls `warn` for every other. */
  openRuns(journal: JournalReader, warn: (message: string) => void): void {
    const passOver: OnSkipped = (_file, problem) => {
      warn(`a key run is skipped, its keys are read from the journal: ${problem}`);
    };
    this.#take(this.#choose(journal, passOver));
  }

  /**
   * Sets the keys of the rows up to `throughRow` that are in no run. Each block is checked first: a
   * key with a flipped bit would count as unused.
   *
   * @throws Damage when a block is damaged or missing.
   */
  read(journal: JournalReader, throughRow: number, onProgress?: () => void): void {
    const covered = this.#coveredRow;
    if (covered >= throughRow) return;
    const chain = covered === 0 ? BEGINNING.chain : journal.chainAt(covered)!;
    for (const { keys, last } of blocksAfter(journal, { row: covered, chain })) {
      if (keys) this.setBlock(keys, last);
      if (last >= throughRow) return;
      onProgress?.();
    }
  }

  /** Sets the keys of a block: 16 bytes per row up to `last`. */
  setBlock(keys: Uint8Array, last: number): void {
    this.#recent.setBlock(keys, last);
  }

  /**
   * The last row of a key, or 0. `key` is the 16 bytes of a command id.
   *
   * @throws RunDamaged when a run is damaged: it is no longer used, and the next start reads its
   * keys from the journal.
   */
  find(key: Uint8Array): number {
    const words = keyWords(key, 0, this.#key);
    const row = this.#recent.find(words) || this.#before.find(words);
    if (row !== 0) return row;
    try {
      for (let i = this.#runs.length - 1; i >= 0; i -= 1) {
        const found = this.#runs[i]!.find(words);
        if (found !== 0) return found;
      }
    } catch (error) {
      if (error instanceof RunDamaged && existsSync(error.path)) {
        renameSync(error.path, `${error.path}.damaged`);
      }
      throw error;
    }
    return 0;
  }

  /**
   * Periodically opens new runs and drops the keys they cover from memory. When damage prevents the
   * proof of a new run, the open ones stay in use.
   */
  maybeRefresh(journal: JournalReader, nowMs: number): void {
    if (!this.isComplete || nowMs < this.#lookAtMs) return;
    this.#lookAtMs = nowMs + LOOK_EVERY_MS;
    try {
      const chosen = this.#choose(journal, () => {});
      if (chosen.coveredRow >= this.#coveredRow) this.#take(chosen);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
    }
  }

  #choose(journal: JournalReader, passOver: OnSkipped): ChosenRuns {
    const of = { journalPath: this.#journalPath, journalId: this.#journalId, journal };
    return chooseRuns({ ...of, open: this.#runs }, passOver);
  }

  #take({ runs, coveredRow }: ChosenRuns): void {
    this.#runs = runs;
    if (coveredRow === this.#coveredRow) return;
    this.#coveredRow = coveredRow;
    if (this.#before.lastRow > coveredRow) return;
    this.#before = this.#recent;
    this.#recent = new KeyIndex();
    if (this.#before.lastRow <= coveredRow) this.#before = new KeyIndex();
  }
}
