/**
 * Seeded randomness: the same seed gives the same test on every machine.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1); mulberry32, which passes gjrand and needs one word of state. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.unit() * below);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** One of the items. Throws when there is none. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** Random bytes as hex digits. */
  hex(bytes: number): string {
    let text = "";
    for (let i = 0; i < bytes; i += 1) text += this.below(256).toString(16).padStart(2, "0");
    return text;
  }
}
