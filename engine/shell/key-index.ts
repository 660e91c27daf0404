/**
 * Idempotency keys in memory: key → last journal row. Every keyed command asks "has this key been
 * seen?", and almost always it has not; in SQLite that question, and a random page of the index
 * rewritten for every row, cost more than all the rest of a hold.
 *
 * The first bits of a key, which is a hash, name one of 4,096 shards; each is an open-addressed
 * table that grows by half when it is three quarters full. So a look-up meets one table however
 * many keys there are, and a growth copies a 4,096th of them at most.
 *
 * An entry has 16 bytes: of the key the next 84 bits, which makes 96 with those of the shard, and
 * 44 bits of row number.
 */
import { KEY_BYTES } from "./block.ts";

const SHARD_BITS = 12;
const SLOTS_FIRST = 16;
const GROWTH = 1.5;
const FILL_MAX = 0.75;

/** Words of an entry: 20 bits of key and the row's high 12, two words of key, the row's low 32. */
const ENTRY = 4;
const ROW_HIGH_BITS = 12;
const ROW_HIGH = 2 ** ROW_HIGH_BITS - 1;
const WORD = 2 ** 32;

class Shard {
  #words = new Uint32Array(SLOTS_FIRST * ENTRY);
  #size = 0;

  /** The row of a key, or 0. */
  find(a: number, b: number, c: number): number {
    return rowAt(this.#words, placeOf(this.#words, a, b, c));
  }

  set(a: number, b: number, c: number, row: number): void {
    const at = placeOf(this.#words, a, b, c);
    if (rowAt(this.#words, at) === 0) this.#size += 1;
    this.#words[at] = a * 2 ** ROW_HIGH_BITS + Math.floor(row / WORD);
    this.#words[at + 1] = b;
    this.#words[at + 2] = c;
    this.#words[at + 3] = row % WORD;
    if (this.#size * ENTRY > this.#words.length * FILL_MAX) this.#grow();
  }

  #grow(): void {
    const before = this.#words;
    const after = new Uint32Array(Math.floor((before.length / ENTRY) * GROWTH) * ENTRY);
    for (let from = 0; from < before.length; from += ENTRY) {
      if (rowAt(before, from) === 0) continue;
      const [high, b, c] = [before[from]!, before[from + 1]!, before[from + 2]!];
      const to = placeOf(after, high >>> ROW_HIGH_BITS, b, c);
      for (let i = 0; i < ENTRY; i += 1) after[to + i] = before[from + i]!;
    }
    this.#words = after;
  }
}

/** Where the entry of a key is, or the empty one that it would take. */
function placeOf(words: Uint32Array, a: number, b: number, c: number): number {
  let at = Math.floor((b / WORD) * (words.length / ENTRY)) * ENTRY;
  while (rowAt(words, at) !== 0) {
    if (words[at + 1] === b && words[at + 2] === c && words[at]! >>> ROW_HIGH_BITS === a) break;
    at += ENTRY;
    if (at === words.length) at = 0;
  }
  return at;
}

/** Rows start at 1; 0 says that the entry is empty. */
function rowAt(words: Uint32Array, at: number): number {
  return (words[at]! & ROW_HIGH) * WORD + words[at + 3]!;
}

export class KeyIndex {
  /** True once every key of the journal has been set. */
  isComplete = false;
  readonly #shards = new Array<Shard | null>(2 ** SHARD_BITS).fill(null);

  /** The last row set for the key, or 0. `key` is the 16 bytes of a command id. */
  find(key: Uint8Array): number {
    const first = wordAt(key, 0);
    const shard = this.#shards[first >>> (32 - SHARD_BITS)];
    return shard ? shard.find(restOf(first), wordAt(key, 4), wordAt(key, 8)) : 0;
  }

  /** Sets the keys of a block, 16 bytes for each row up to `last`; zeros are none. */
  setBlock(keys: Uint8Array, last: number): void {
    let row = last - keys.length / KEY_BYTES + 1;
    for (let at = 0; at < keys.length; at += KEY_BYTES, row += 1) {
      if (!isNone(keys, at)) this.set(keys, row, at);
    }
  }

  /** Sets the last row of the key at `at`; a later row takes the place of an earlier one. */
  set(keys: Uint8Array, row: number, at = 0): void {
    const first = wordAt(keys, at);
    const number = first >>> (32 - SHARD_BITS);
    let shard = this.#shards[number];
    if (!shard) {
      shard = new Shard();
      this.#shards[number] = shard;
    }
    shard.set(restOf(first), wordAt(keys, at + 4), wordAt(keys, at + 8), row);
  }
}

/** What the shard does not say of a key's first word. */
function restOf(first: number): number {
  return first & (2 ** (32 - SHARD_BITS) - 1);
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
