/** Limits concurrent long-lived calls, in total and per client. */

/** Who takes a place, and how many there are for it; no two kinds of takers share a key. */
export type Taker = readonly [key: string, most: number];

export class Places {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many are taken. */
  get count(): number {
    return this.#count;
  }

  /**
   * Takes a place, which counts for each of the takers; what is returned gives it back, once. Where
   * none is left it is the number of places that there are for whoever has taken them.
   */
  take(...takers: readonly Taker[]): (() => void) | number {
    const full = takers.find(([key, most]) => (this.#taken.get(key) ?? 0) >= most);
    if (full) return full[1];
    if (this.#count >= this.#most) return this.#most;
    this.#add(takers, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(takers, -1);
      isTaken = false;
    };
  }

  #add(takers: readonly Taker[], by: number): void {
    this.#count += by;
    for (const [key] of takers) {
      const taken = (this.#taken.get(key) ?? 0) + by;
      if (taken === 0) this.#taken.delete(key);
      else this.#taken.set(key, taken);
    }
  }
}
