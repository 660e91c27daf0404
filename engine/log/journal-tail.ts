/**
 * Follows a journal from a position: reads pages of blocks and checks CRC, order and chain of each
 * before it passes on a row. A page is read whole and nothing stays open between pages, so a slow
 * reader delays neither the writer nor its checkpoints.
 */
import type { Row } from "../core/events/event.ts";
import { Block } from "./block.ts";
import type { Head, HeadWatch } from "./head.ts";
import type { JournalReader } from "./journal-port.ts";

/** Receives each row with its block; as for a fold, without a placed hold's outcome. */
export type TakeRow = (row: Row, block: Block) => void;

export class JournalTail {
  readonly #journal: JournalReader;
  readonly #watch: HeadWatch | null;
  #row: number;
  /** The block of the last row taken, or the starting head. */
  #at: Pick<Block, "chainAt">;
  /** Nothing was left when the watch was last asked. */
  #isAtEnd = false;

  /**
   * Starts after `from`: `BEGINNING` or a head reached before. With a `watch` it reads only when
   * there may be new rows.
   */
  constructor(journal: JournalReader, from: Head, watch: HeadWatch | null = null) {
    this.#journal = journal;
    this.#row = from.row;
    this.#at = { chainAt: () => from.chain };
    this.#watch = watch;
  }

  /** The last row taken, and the chain up to it. */
  get head(): Head {
    return { row: this.#row, chain: this.#at.chainAt(this.#row) };
  }

  /**
   * Passes on the next page: at most 256 rows plus the rest of their last block, and nothing after
   * the first row for which `isEnough` returns true. Returns true when there may be more.
   *
   * @throws Damage when a row is damaged, and every error of `take`; the head then stays at the row
   * before, or before the damaged block.
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

  /** Passes on all rows. Throws as `readPage`. */
  readAll(take: TakeRow): void {
    while (this.readPage(take));
  }
}

/**
 * The blocks after a head, each checked as by a tail, without decoding rows; the first may begin
 * before it. Nothing stays open between two of them.
 *
 * @throws Damage when a block is damaged or does not continue from the one before.
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
