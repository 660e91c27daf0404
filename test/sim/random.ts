/** One seeded stream of choices: the same seed gives the same run, on any machine. */

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    this.#a = 0x9e3779b9;
    this.#b = 0x243f6a88;
    this.#c = seed >>> 0;
    this.#d = 1;
    for (let i = 0; i < 12; i += 1) this.word();
  }

  /** The next 32 bits (sfc32). */
  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** 0 … n − 1. */
  below(n: number): number {
    return this.word() % n;
  }

  /** from … to, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean {
    return this.word() / 0x1_0000_0000 < percent / 100;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }

  /** One of the names, in proportion to their weights. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.below(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    throw new Error("no weights");
  }

  /** 32 hex digits. */
  hex(): string {
    let text = "";
    for (let i = 0; i < 4; i += 1) text += this.word().toString(16).padStart(8, "0");
    return text;
  }
}
