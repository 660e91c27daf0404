/** Runs work with the same key in sequence, and work with different keys concurrently. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work under this name has ended or failed. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    const done = () => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    this.#last.set(name, mine);
    mine.then(done, done);
    return mine;
  }

  /** Number of names with open work. */
  get size(): number {
    return this.#last.size;
  }
}
