/**
 * What was set or asked for lately, at least so many of them, in two generations: forgetting the
 * oldest entry of a large `Map` one by one costs more than all the rest.
 */
export class GenerationalCache<K, V> {
  readonly #least: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** The last `least` that were set or asked for are known, and never more than twice as many. */
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
