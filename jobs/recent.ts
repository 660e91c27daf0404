/**
 * What was seen lately, by two generations: when the younger is full it becomes the older one, and
 * what was not asked for since is forgotten with the one before. Deleting the oldest key of a large
 * `Map` one by one cost more than all look-ups together.
 */
export class Recent<Value> {
  readonly #youngMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** Keeps the last `max / 2` that were seen, and at most `max`. */
  constructor(max: number) {
    this.#youngMax = Math.ceil(max / 2);
  }

  /** The value of a key; asking for it is seeing it. */
  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#youngMax && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
