/**
 * Keeps this machine's copy of a shared journal at its head, and its state in memory, so that it
 * can lead at once. Rows are checked as at a recovery before they are in the copy.
 *
 * Maintained invariant: blocks, the records that they change and the head of both are one
 * transaction of the copy, so a mirror that ends anywhere goes on from its head.
 */
import { Damage } from "../core/damage.ts";
import { evolve } from "../core/evolve.ts";
import type { State } from "../core/state/state.ts";
import type { Beside } from "../log/beside.ts";
import { Block, type StoredBlock } from "../log/block.ts";
import type { Head } from "../log/head.ts";
import type { Journal } from "../log/journal.ts";
import type { RecordStore } from "../log/record-store.ts";
import type { SharedJournal } from "./shared-journal.ts";

export interface MirrorOptions {
  readonly shared: SharedJournal;
  readonly copy: Journal;
  /** Of `copy`; empty outside of a page. */
  readonly records: RecordStore;
  /** The fold up to the copy's head. */
  readonly state: State;
}

export class Mirror {
  readonly #options: MirrorOptions;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /**
   * Applies all rows that the journal has now.
   *
   * @throws Damage when a row is damaged or does not continue the copy; the copy is then to be made
   *   anew, because the journal cannot be wrong.
   */
  async catchUp(): Promise<void> {
    while (await this.#applyPage());
    const [own, head] = [this.#options.copy.head.row, await this.#options.shared.head()];
    if (own > head.row) {
      const message = `the copy has row ${own}, its journal ends at row ${head.row}`;
      throw new Damage("journal_chain_broken", message);
    }
    this.#options.copy.maybeCheckpoint(performance.now());
  }

  /** Applies rows up to `end`, which the journal has, and checks that they end there. */
  async reach(end: Head): Promise<void> {
    await this.catchUp();
    const { row, chain } = this.#options.copy.head;
    if (row === end.row && chain === end.chain) return;
    const message = `row ${row} of the copy is not row ${end.row} of its journal`;
    throw new Damage("journal_chain_broken", message);
  }

  /** False when there was nothing to apply. */
  async #applyPage(): Promise<boolean> {
    const { shared, copy, records } = this.#options;
    const from = copy.head.row;
    const blocks = await shared.blocksAfter(from);
    if (blocks.length === 0) return false;
    const subjectKeys = await shared.subjectKeysBetween(from, blocks.at(-1)!.row);
    try {
      this.#fold(blocks);
      const beside: Beside = { ...records.changes(), subjectKeys };
      copy.apply(blocks, beside);
    } finally {
      records.clear();
    }
    return true;
  }

  #fold(blocks: readonly StoredBlock[]): void {
    const { copy, state, records } = this.#options;
    let place = copy.head;
    for (const stored of blocks) {
      const block = new Block(stored);
      block.mustContinue(place);
      for (let row = block.first; row <= block.last; row += 1) {
        evolve(state, block.foldRowAt(row), records);
      }
      place = { row: block.last, chain: block.chainAt(block.last) };
    }
  }
}
