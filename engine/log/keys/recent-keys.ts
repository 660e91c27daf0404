/**
 * Keys of recently folded rows. Look-ups are rare, so the keys stay in their journal bytes until
 * the first one.
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

/** Two generations; the older is dropped as a whole. */
export class RecentKeys {
  readonly #rows: number;
  readonly #key: KeyWords = { shard: 0, a: 0, b: 0, c: 0 };
  #before = new Generation(0);
  #recent = new Generation(0);

  /** Knows the keys of at least the last `rows` rows. */
  constructor(rows = ROWS) {
    this.#rows = rows;
  }

  /** Notes the keys of a block, 16 bytes per row up to `last`; zeros and null mean no key. */
  note(keys: Uint8Array | null, last: number): void {
    if (last - this.#recent.after > this.#rows) {
      this.#before = this.#recent;
      this.#recent = new Generation(last - 1);
    }
    if (keys !== null) this.#recent.note(keys, last);
  }

  /**
   * The last row noted for a key of 32 hex digits, or 0. Compares the first 92 bits: the caller
   * must check the key of the row.
   */
  find(key: string): number {
    const words = keyWords(Buffer.from(key, "hex"), 0, this.#key);
    return this.#recent.find(words) || this.#before.find(words);
  }
}
