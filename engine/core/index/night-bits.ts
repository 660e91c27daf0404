/**
 * One bit per room type and night of a window. The nights of 32 room types lie side by side, so the
 * nights of a stay are neighbours, and more room types are more columns: nothing is ever moved.
 */
export class NightBits {
  readonly #firstDay: number;
  readonly #nights: number;
  readonly #columns: Uint32Array[] = [];

  constructor(firstDay: number, nights: number) {
    this.#firstDay = firstDay;
    this.#nights = nights;
  }

  get(ordinal: number, day: number): boolean {
    const word = this.#columns[ordinal >> 5]?.[day - this.#firstDay] ?? 0;
    return ((word >>> (ordinal & 31)) & 1) === 1;
  }

  /** Days outside of the window are not kept. */
  set(ordinal: number, day: number, value: boolean): void {
    const at = day - this.#firstDay;
    if (at < 0 || at >= this.#nights) return;
    const column = this.#columnOf(ordinal);
    const bit = 1 << (ordinal & 31);
    column[at] = value ? column[at]! | bit : column[at]! & ~bit;
  }

  /** Every night of the window: set where `isSet` has not 0. */
  setAll(ordinal: number, isSet: ArrayLike<number>): void {
    const column = this.#columnOf(ordinal);
    const bit = 1 << (ordinal & 31);
    for (let at = 0; at < column.length; at += 1) {
      column[at] = isSet[at] !== 0 ? column[at]! | bit : column[at]! & ~bit;
    }
  }

  /** The bits of 32 room types that are set on every night of a stay. */
  onAll(word: number, checkInDay: number, nights: number): number {
    const column = this.#columns[word]!;
    const first = checkInDay - this.#firstDay;
    let bits = -1;
    for (let at = first; at < first + nights; at += 1) bits &= column[at]!;
    return bits;
  }

  /** Those that are set on one of so many days. */
  onAny(word: number, firstDay: number, days: number): number {
    const column = this.#columns[word]!;
    const first = firstDay - this.#firstDay;
    let bits = 0;
    for (let at = first; at < first + days; at += 1) bits |= column[at]!;
    return bits;
  }

  #columnOf(ordinal: number): Uint32Array {
    const columns = this.#columns;
    while (columns.length <= ordinal >> 5) columns.push(new Uint32Array(this.#nights));
    return columns[ordinal >> 5]!;
  }
}
