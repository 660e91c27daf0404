/**
 * A binary heap of (instant, number), smallest instant first, as two columns. Entries of holds that
 * ended early or were extended stay: the reader compares the instant with the hold's own and skips
 * stale ones. That keeps release and extend O(1).
 */
const CELLS_MIN = 16;

/** Numbers are integers below 2³². */
export class ExpiryHeap {
  #at = new Float64Array(CELLS_MIN);
  #numbers = new Uint32Array(CELLS_MIN);
  #size = 0;

  /** Instant of the earliest entry, or Infinity. */
  get earliest(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#at[0]!;
  }

  get size(): number {
    return this.#size;
  }

  push(at: number, number: number): void {
    if (this.#size === this.#at.length) this.#grow();
    const ats = this.#at;
    const numbers = this.#numbers;
    let index = this.#size;
    this.#size += 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (ats[parent]! <= at) break;
      ats[index] = ats[parent]!;
      numbers[index] = numbers[parent]!;
      index = parent;
    }
    ats[index] = at;
    numbers[index] = number;
  }

  /** Numbers of all entries up to an instant, unordered; removes nothing. */
  *upTo(at: number): Generator<number> {
    const open = [0];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (index >= this.#size || this.#at[index]! > at) continue;
      yield this.#numbers[index]!;
      open.push(2 * index + 1, 2 * index + 2);
    }
  }

  clear(): void {
    this.#size = 0;
  }

  /** Removes earliest entries while they are useless. */
  dropWhile(isUseless: (at: number, number: number) => boolean): void {
    while (this.#size > 0 && isUseless(this.#at[0]!, this.#numbers[0]!)) this.pop();
  }

  /** Removes and returns the earliest entry's number, or undefined. */
  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const ats = this.#at;
    const numbers = this.#numbers;
    const first = numbers[0]!;
    this.#size -= 1;
    const size = this.#size;
    const at = ats[size]!;
    const number = numbers[size]!;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && ats[child + 1]! < ats[child]!) child += 1;
      if (ats[child]! >= at) break;
      ats[index] = ats[child]!;
      numbers[index] = numbers[child]!;
      index = child;
    }
    ats[index] = at;
    numbers[index] = number;
    return first;
  }

  #grow(): void {
    const [ats, numbers] = [this.#at, this.#numbers];
    this.#at = new Float64Array(2 * ats.length);
    this.#at.set(ats);
    this.#numbers = new Uint32Array(2 * ats.length);
    this.#numbers.set(numbers);
  }
}
