/**
 * Idempotency keys in memory: key → last journal row. Every keyed command asks "has this key been
 * seen?", and almost always it has not; in SQLite that question, and a random page of the index
 * rewritten for every row, cost more than all the rest of a hold.
 *
 * Open addressing over typed arrays, 16 bytes an entry, in segments: a table of ten
 * million keys grows without ever being copied. 96 bits of the key are kept.
 */

import { KEY_BYTES } from "./block.ts";

/** The first segment is small; each next one is four times as large, up to a million slots. */
const BITS_FIRST = 12;
const BITS_MAX = 20;
/** Beyond this share a segment is closed and the next one opened. */
const FILL_MAX = 0.7;

class Segment {
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #c: Uint32Array;
  /** 0 = empty; rows start at 1. */
  readonly #row: Uint32Array;
  readonly #mask: number;
  #size = 0;

  constructor(bits: number) {
    const slots = 1 << bits;
    this.#mask = slots - 1;
    this.#a = new Uint32Array(slots);
    this.#b = new Uint32Array(slots);
    this.#c = new Uint32Array(slots);
    this.#row = new Uint32Array(slots);
  }

  get isFull(): boolean {
    return this.#size >= this.#row.length * FILL_MAX;
  }

  /** The slot of a key, or the empty slot where it belongs. */
  slotOf([a, b, c]: Words): number {
    let slot = a & this.#mask;
    while (this.#row[slot] !== 0) {
      if (this.#a[slot] === a && this.#b[slot] === b && this.#c[slot] === c) break;
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }

  rowAt(slot: number): number {
    return this.#row[slot]!;
  }

  put(slot: number, [a, b, c]: Words, row: number): void {
    if (this.#row[slot] === 0) this.#size += 1;
    this.#a[slot] = a;
    this.#b[slot] = b;
    this.#c[slot] = c;
    this.#row[slot] = row;
  }
}

export class KeyIndex {
  /** True once every key of the journal has been set. */
  isComplete = false;
  readonly #segments: Segment[] = [];

  /** The last row set for the key, or 0. `key` is the 16 bytes of a command id. */
  find(key: Uint8Array): number {
    const words = wordsOf(key);
    for (let i = this.#segments.length - 1; i >= 0; i -= 1) {
      const segment = this.#segments[i]!;
      const row = segment.rowAt(segment.slotOf(words));
      if (row !== 0) return row;
    }
    return 0;
  }

  /** Sets the keys of a block, 16 bytes for each row up to `last`; zeros are none. */
  setBlock(keys: Uint8Array, last: number): void {
    const first = last - keys.length / KEY_BYTES + 1;
    for (let at = 0; at < keys.length; at += KEY_BYTES) {
      const key = keys.subarray(at, at + KEY_BYTES);
      if (!isNone(key)) this.set(key, first + at / KEY_BYTES);
    }
  }

  /** Sets the last row of a key; a later row takes the place of an earlier one. */
  set(key: Uint8Array, row: number): void {
    const words = wordsOf(key);
    for (const segment of this.#segments) {
      const slot = segment.slotOf(words);
      if (segment.rowAt(slot) !== 0) return segment.put(slot, words, row);
    }
    let last = this.#segments.at(-1);
    if (!last || last.isFull) {
      last = new Segment(Math.min(BITS_MAX, BITS_FIRST + 2 * this.#segments.length));
      this.#segments.push(last);
    }
    last.put(last.slotOf(words), words, row);
  }
}

function isNone(key: Uint8Array): boolean {
  for (const byte of key) if (byte !== 0) return false;
  return true;
}

type Words = readonly [number, number, number];

function wordsOf(key: Uint8Array): Words {
  return [readWord(key, 0), readWord(key, 4), readWord(key, 8)];
}

function readWord(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  );
}
