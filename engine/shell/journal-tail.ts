/**
 * Follows a journal from a place in it: pages of blocks, each checked against its CRC, its order
 * and the chain before a row of it is handed out. A page is read whole and nothing stays open
 * between pages, so a reader of any length keeps neither the writer nor its checkpoints waiting.
 */
import type { Row } from "../core/events.ts";
import { Block } from "./block.ts";
import type { Head, HeadWatch } from "./head.ts";
import type { JournalReader } from "./journal-port.ts";

/** Receives each row with where it lies; as for a fold, a placed hold's outcome is not made. */
export type TakeRow = (row: Row, block: Block) => void;

export class JournalTail {
  readonly #journal: JournalReader;
  readonly #watch: HeadWatch | null;
  #row: number;
  /** Of the row that was taken last, or of the place that was begun at. */
  #at: Pick<Block, "chainAt">;
  /** Nothing was left when the watch was last asked. */
  #isAtEnd = false;

  /**
   * Starts after `from`: `BEGINNING`, or a place that was reached before. With a `watch` it looks
   * for new rows where there may be some.
   */
  constructor(journal: JournalReader, from: Head, watch: HeadWatch | null = null) {
    this.#journal = journal;
    this.#row = from.row;
    this.#at = { chainAt: () => from.chain };
    this.#watch = watch;
  }

  /** The last row that was taken, and the chain up to it. */
  get head(): Head {
    return { row: this.#row, chain: this.#at.chainAt(this.#row) };
  }

  /**
   * Hands out the next page, at most 256 rows and what their last block has beyond, and no row
   * after the first with which `isEnough`. True when there may be more.
   *
   * @throws Damage when a row is not what was written, and whatever `take` throws; the head then
   * stays at the row before, or before the block where that is damaged.
   */
  readPage(take: TakeRow, isEnough: () => boolean = () => false): boolean {
    const hasMoved = this.#watch?.hasMoved() ?? true;
    if (this.#isAtEnd && !hasMoved) return false;
    this.#isAtEnd = false;
    const isMore = this.#takePage(take, isEnough);
    this.#isAtEnd = !isMore;
    return isMore;
  }

  #takePage(take: TakeRow, isEnough: () => boolean): boolean {
    const { blocks, isFull } = this.#journal.pageAfter(this.#row);
    for (const [i, stored] of blocks.entries()) {
      const block = new Block(stored);
      block.mustContinue(this.head);
      for (let row = this.#row + 1; row <= block.last; row += 1) {
        take(block.foldRowAt(row), block);
        this.#row = row;
        this.#at = block;
        if (isEnough()) return isFull || row < block.last || i + 1 < blocks.length;
      }
    }
    return isFull;
  }

  /** Hands out everything there is. Throws as `readPage` does. */
  readAll(take: TakeRow): void {
    while (this.readPage(take));
  }
}

/**
 * The blocks after a place, each checked as a tail checks them, without a look at what their rows
 * say; the first may begin before the place. Nothing stays open between two of them.
 *
 * @throws Damage when a block is not what was written or does not go on from the one before.
 */
export function* blocksAfter(journal: JournalReader, from: Head): Generator<Block> {
  for (let place = from; ; ) {
    const { blocks, isFull } = journal.pageAfter(place.row);
    for (const stored of blocks) {
      const block = new Block(stored);
      block.mustContinue(place);
      place = { row: block.last, chain: block.chainAt(block.last) };
      yield block;
    }
    if (!isFull) return;
  }
}
