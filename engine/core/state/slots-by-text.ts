/**
 * Slots by a text that several may share, such as a quote's id. Only a hash of the text is kept:
 * callers compare the text itself.
 */
import { reaching, SlotLists } from "./slots.ts";

const BUCKETS_MIN = 16;

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** At least as many buckets as slots; those of one text are in one bucket, newest first. */
export class SlotsByText {
  #buckets = new SlotLists();
  #bucketCount = BUCKETS_MIN;
  #hashes = new Uint32Array(BUCKETS_MIN);
  #size = 0;

  /** Makes a slot the newest of a text. */
  add(text: string, slot: number): void {
    if (this.#size === this.#bucketCount) this.#spread();
    const hash = hashOf(text);
    this.#hashes = reaching(this.#hashes, slot);
    this.#hashes[slot] = hash;
    this.#buckets.add(this.#bucketOf(hash), slot);
    this.#size += 1;
  }

  remove(slot: number): void {
    this.#buckets.remove(slot);
    this.#size -= 1;
  }

  /** The newest slot whose text may be this one; 0 for none. */
  newestOf(text: string): number {
    const hash = hashOf(text);
    return this.#withHash(this.#buckets.newestOf(this.#bucketOf(hash)), hash);
  }

  /** The next older slot whose text may be that of this slot; 0 for none. */
  olderThan(slot: number): number {
    return this.#withHash(this.#buckets.olderThan(slot), this.#hashes[slot]!);
  }

  #withHash(from: number, hash: number): number {
    let slot = from;
    while (slot !== 0 && this.#hashes[slot] !== hash) slot = this.#buckets.olderThan(slot);
    return slot;
  }

  #bucketOf(hash: number): number {
    return hash & (this.#bucketCount - 1);
  }

  /** Doubles the buckets; within each, slots keep their order. */
  #spread(): void {
    const before = this.#buckets;
    const count = this.#bucketCount;
    this.#buckets = new SlotLists();
    this.#bucketCount = 2 * count;
    for (let bucket = 0; bucket < count; bucket += 1) {
      for (const slot of before.oldestFirst(bucket)) {
        this.#buckets.add(this.#bucketOf(this.#hashes[slot]!), slot);
      }
    }
  }
}
