/**
 * Idempotency keys in memory: key → last journal row. Every keyed command looks its key up and
 * almost never finds it. In SQLite this look-up, and a random index page rewritten for every row,
 * cost more than the rest of a hold.
 *
 * The first bits of a key, which is a hash, select one of 4,096 shards; each is an open-addressed
 * table that grows by half when it is three quarters full. So a look-up uses one table for any
 * number of keys, and a growth copies at most a 4,096th of them.
 *
 * An entry has 16 bytes: 80 bits of the key (92 with those of the shard), 47 bits of row number,
 * and a flag for keys with refusals only. Entries are sorted by key, so a key run (`key-run.ts`) is
 * such a table on disk.
 */
import { KEY_BYTES } from "../block.ts";

const SHARD_BITS = 12;
export const SHARDS = 2 ** SHARD_BITS;
const SLOTS_FIRST = 16;
const GROWTH = 1.5;
const FILL_MAX = 0.75;

/**
 * Words of an entry: 16 bits of key, the refused flag and the row's high 15 bits; two words of key;
 * the row's low 32 bits.
 */
export const ENTRY = 4;
const HIGH_BITS = 16;
const REFUSED = 0x8000;
const ROW_HIGH = 0x7fff;
const WORD = 2 ** 32;

/** A key in the form of its entry. */
export interface KeyWords {
  shard: number;
  a: number;
  b: number;
  c: number;
}

/** Reads the 16 bytes of a key at `at` into `words` and returns it. */
export function keyWords(key: Uint8Array, at: number, words: KeyWords): KeyWords {
  const first = wordAt(key, at);
  words.shard = first >>> (32 - SHARD_BITS);
  words.a = (first >>> (32 - SHARD_BITS - HIGH_BITS)) & 0xffff;
  words.b = wordAt(key, at + 4);
  words.c = wordAt(key, at + 8);
  return words;
}

class Shard {
  #words = new Uint32Array(SLOTS_FIRST * ENTRY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(key: KeyWords): number {
    return rowAt(this.#words, placeOf(this.#words, key.a, key.b, key.c));
  }

  set({ a, b, c }: KeyWords, row: number, isRefused: boolean): void {
    const words = this.#words;
    const at = placeOf(words, a, b, c);
    const before = rowAt(words, at);
    const isOnlyRefused = isRefused && (before === 0 || isRefusedAt(words, at));
    const last = Math.max(before, row);
    const high = a * 2 ** HIGH_BITS + (isOnlyRefused ? REFUSED : 0);
    words[at] = high + Math.floor(last / WORD);
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = last % WORD;
    if (before !== 0) return;
    this.#size += 1;
    if (this.#size * ENTRY > words.length * FILL_MAX) this.#grow();
  }

  /** Its entries sorted by key. */
  sorted(): Uint32Array {
    const words = this.#words;
    const places: number[] = [];
    for (let at = 0; at < words.length; at += ENTRY) if (rowAt(words, at) !== 0) places.push(at);
    places.sort((x, y) => compareEntries(words, x, words, y));
    const entries = new Uint32Array(places.length * ENTRY);
    for (const [i, at] of places.entries()) {
      entries.set(words.subarray(at, at + ENTRY), i * ENTRY);
    }
    return entries;
  }

  #grow(): void {
    const before = this.#words;
    const after = new Uint32Array(Math.floor((before.length / ENTRY) * GROWTH) * ENTRY);
    for (let from = 0; from < before.length; from += ENTRY) {
      if (rowAt(before, from) === 0) continue;
      const [high, b, c] = [before[from]!, before[from + 1]!, before[from + 2]!];
      const to = placeOf(after, high >>> HIGH_BITS, b, c);
      for (let i = 0; i < ENTRY; i += 1) after[to + i] = before[from + i]!;
    }
    this.#words = after;
  }
}

/** The offset of a key's entry, or of the empty one that it would take. */
function placeOf(words: Uint32Array, a: number, b: number, c: number): number {
  let at = Math.floor(fractionOf(a, b) * (words.length / ENTRY)) * ENTRY;
  while (rowAt(words, at) !== 0) {
    if (words[at + 1] === b && words[at + 2] === c && words[at]! >>> HIGH_BITS === a) break;
    at += ENTRY;
    if (at === words.length) at = 0;
  }
  return at;
}

/** The position of a key in its shard's range of keys, from 0 up to 1. */
export function fractionOf(a: number, b: number): number {
  return (a * WORD + b) / 2 ** 48;
}

/** Rows start at 1; 0 marks an empty entry. */
export function rowAt(words: Uint32Array, at: number): number {
  return (words[at]! & ROW_HIGH) * WORD + words[at + 3]!;
}

/** Whether no row of the key had events. */
export function isRefusedAt(words: Uint32Array, at: number): boolean {
  return (words[at]! & REFUSED) !== 0;
}

/** Negative when the key at `x` of one table sorts before that at `y` of the other, 0 if equal. */
export function compareEntries(one: Uint32Array, x: number, two: Uint32Array, y: number): number {
  return (
    (one[x]! >>> HIGH_BITS) - (two[y]! >>> HIGH_BITS) ||
    one[x + 1]! - two[y + 1]! ||
    one[x + 2]! - two[y + 2]!
  );
}

/** As `compareEntries`, with a key to find. */
export function compareKey(words: Uint32Array, at: number, { a, b, c }: KeyWords): number {
  return (words[at]! >>> HIGH_BITS) - a || words[at + 1]! - b || words[at + 2]! - c;
}

/** The position of an entry's key in its shard's range of keys, from 0 up to 1. */
export function fractionAt(words: Uint32Array, at: number): number {
  return fractionOf(words[at]! >>> HIGH_BITS, words[at + 1]!);
}

/** Writes the key of an entry into `words`, except its shard. */
export function wordsAt(entries: Uint32Array, at: number, words: KeyWords): void {
  words.a = entries[at]! >>> HIGH_BITS;
  words.b = entries[at + 1]!;
  words.c = entries[at + 2]!;
}

/** Marks the entry at `at`: a row of its key had events. */
export function markEffect(words: Uint32Array, at: number): void {
  words[at]! &= ~REFUSED;
}

export class KeyIndex {
  readonly #shards = new Array<Shard | null>(SHARDS).fill(null);
  readonly #key: KeyWords = { shard: 0, a: 0, b: 0, c: 0 };
  #lastRow = 0;

  /** The last row passed in, with or without a key. */
  get lastRow(): number {
    return this.#lastRow;
  }

  get size(): number {
    return this.#shards.reduce((sum, shard) => sum + (shard?.size ?? 0), 0);
  }

  find(key: KeyWords): number {
    return this.#shards[key.shard]?.find(key) ?? 0;
  }

  /**
   * Sets the keys of a block, 16 bytes per row up to `last`; zeros mean no key. `isRefused` returns
   * whether a row with a key is a refusal without events.
   */
  setBlock(keys: Uint8Array, last: number, isRefused: (row: number) => boolean = never): void {
    let row = last - keys.length / KEY_BYTES + 1;
    for (let at = 0; at < keys.length; at += KEY_BYTES, row += 1) {
      if (!isNone(keys, at)) this.#set(keyWords(keys, at, this.#key), row, isRefused(row));
    }
    this.#lastRow = Math.max(this.#lastRow, last);
  }

  /** The entries of a shard, sorted by key. */
  sorted(shard: number): Uint32Array {
    return this.#shards[shard]?.sorted() ?? new Uint32Array(0);
  }

  /** The later row of a key wins; one row with events clears its refused flag. */
  #set(key: KeyWords, row: number, isRefused: boolean): void {
    let shard = this.#shards[key.shard];
    if (!shard) {
      shard = new Shard();
      this.#shards[key.shard] = shard;
    }
    shard.set(key, row, isRefused);
  }
}

function never(): boolean {
  return false;
}

function isNone(keys: Uint8Array, at: number): boolean {
  for (let i = at; i < at + KEY_BYTES; i += 1) if (keys[i] !== 0) return false;
  return true;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  );
}
