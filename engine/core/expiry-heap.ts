/**
 * A binary heap of (instant, hold id), smallest instant first. An entry is not searched for when
 * its hold ends early or is extended: the reader compares the instant with the hold's own and
 * passes over what no longer agrees. That keeps release and extend O(1).
 */
export class ExpiryHeap {
  readonly #at: number[] = [];
  readonly #ids: string[] = [];

  /** Instant of the earliest entry, or Infinity. */
  get earliest(): number {
    return this.#at[0] ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#at.length;
  }

  push(at: number, id: string): void {
    const ats = this.#at;
    const ids = this.#ids;
    let index = ats.length;
    ats.push(at);
    ids.push(id);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (ats[parent]! <= at) break;
      ats[index] = ats[parent]!;
      ids[index] = ids[parent]!;
      index = parent;
    }
    ats[index] = at;
    ids[index] = id;
  }

  /** Ids of all entries up to an instant, in no order; nothing is removed, nothing else is read. */
  *upTo(at: number): Generator<string> {
    const open = [0];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (!(this.#at[index]! <= at)) continue;
      yield this.#ids[index]!;
      open.push(2 * index + 1, 2 * index + 2);
    }
  }

  /** Removes the earliest entry for as long as it is of no use. */
  dropWhile(isUseless: (at: number, id: string) => boolean): void {
    while (this.size > 0 && isUseless(this.#at[0]!, this.#ids[0]!)) this.pop();
  }

  /** Removes and returns the earliest entry's id, or undefined. */
  pop(): string | undefined {
    const ats = this.#at;
    const ids = this.#ids;
    const first = ids[0];
    const at = ats.pop();
    const id = ids.pop();
    if (at === undefined || id === undefined || ats.length === 0) return first;
    const size = ats.length;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && ats[child + 1]! < ats[child]!) child += 1;
      if (ats[child]! >= at) break;
      ats[index] = ats[child]!;
      ids[index] = ids[child]!;
      index = child;
    }
    ats[index] = at;
    ids[index] = id;
    return first;
  }
}
