/** Work on one thing, piece by piece in the order it came; on other things at the same time. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** `work` once all that came before it under this name is done, however it went. */
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

  /** How many names have work that is not done. */
  get size(): number {
    return this.#last.size;
  }
}
