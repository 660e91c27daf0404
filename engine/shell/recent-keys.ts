/**
 * The keys of the rows that a follower has met lately. Hardly any is ever asked for, so that until
 * one is they stay the bytes that they are in the journal.
 */
import { KeyIndex, type KeyWords, keyWords } from "./key-index.ts";

/** More than all processes together can have waiting. */
const ROWS = 100_000;

/** The keys of the rows after `after`. */
class Generation {
  readonly after: number;
  #unread: { readonly keys: Uint8Array; readonly last: number }[] = [];
  readonly #read = new KeyIndex();

  constructor(after: number) {
    this.after = after;
  }

  note(keys: Uint8Array, last: number): void {
    this.#unread.push({ keys, last });
  }

  find(key: KeyWords): number {
    for (const { keys, last } of this.#unread) this.#read.setBlock(keys, last);
    this.#unread = [];
    return this.#read.find(key);
  }
}

/** Two generations, of which the earlier is forgotten as a whole. */
export class RecentKeys {
  readonly #rows: number;
  readonly #key: KeyWords = { shard: 0, a: 0, b: 0, c: 0 };
  #before = new Generation(0);
  #recent = new Generation(0);

  /** Knows the keys of the last `rows` rows that were noted, at least. */
  constructor(rows = ROWS) {
    this.#rows = rows;
  }

  /** Notes the keys of a block, 16 bytes for each row up to `last`; zeros and null are none. */
  note(keys: Uint8Array | null, last: number): void {
    if (last - this.#recent.after > this.#rows) {
      this.#before = this.#recent;
      this.#recent = new Generation(last - 1);
    }
    if (keys !== null) this.#recent.note(keys, last);
  }

  /**
   * The last row noted for a key of 32 hex digits, or 0. It goes by the first 92 bits: the row
   * itself must then be that key's.
   */
  find(key: string): number {
    const words = keyWords(Buffer.from(key, "hex"), 0, this.#key);
    return this.#recent.find(words) || this.#before.find(words);
  }
}
