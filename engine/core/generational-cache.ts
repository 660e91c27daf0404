/**
 * A cache of recent entries in two generations. Evicting single entries from a large `Map` would
 * cost more than all other work; here the older generation is dropped as a whole.
 */
export class GenerationalCache<K, V> {
  readonly #least: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** Keeps at least the last `least` entries set or read, and at most twice as many. */
  constructor(least: number) {
    this.#least = least;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#least && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
