/** Limits concurrent long-lived calls, in total and per client. */

/** The key to count slots by, and its limit; keys of different kinds never collide. */
export type SlotOwner = readonly [key: string, most: number];

export class OpenCallSlots {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Takes a slot that counts for each owner. Returns its release (idempotent), or the limit that is
   * reached.
   */
  take(...owners: readonly SlotOwner[]): (() => void) | number {
    const full = owners.find(([key, most]) => (this.#taken.get(key) ?? 0) >= most);
    if (full) return full[1];
    if (this.#count >= this.#most) return this.#most;
    this.#add(owners, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(owners, -1);
      isTaken = false;
    };
  }

  #add(owners: readonly SlotOwner[], by: number): void {
    this.#count += by;
    for (const [key] of owners) {
      const taken = (this.#taken.get(key) ?? 0) + by;
      if (taken === 0) this.#taken.delete(key);
      else this.#taken.set(key, taken);
    }
  }
}
