/**
 * One bit per room type and night of a window: a line of words per night, so a stay reads as many
 * adjacent lines as it has nights. Lines grow by doubling.
 */
export class NightBits {
  readonly #firstDay: number;
  readonly #nights: number;
  /** Words of a line. */
  #length = 1;
  #words: Uint32Array;
  /**
   * Collects all nights of one word until another word is written or any is read: lines are far
   * apart, and room types that are set one after another would each touch all of them.
   */
  #gathered: { readonly word: number; readonly bits: Uint32Array } | null = null;

  constructor(firstDay: number, nights: number) {
    this.#firstDay = firstDay;
    this.#nights = nights;
    this.#words = new Uint32Array(nights);
  }

  get(ordinal: number, day: number): boolean {
    const at = day - this.#firstDay;
    if (at < 0 || at >= this.#nights || ordinal >> 5 >= this.#length) return false;
    this.#settle();
    return ((this.#words[at * this.#length + (ordinal >> 5)]! >>> (ordinal & 31)) & 1) === 1;
  }

  /** Ignores days outside the window. */
  set(ordinal: number, day: number, value: boolean): void {
    const at = day - this.#firstDay;
    if (at < 0 || at >= this.#nights) return;
    this.#settle();
    this.#reach(ordinal >> 5);
    const cell = at * this.#length + (ordinal >> 5);
    const bit = 1 << (ordinal & 31);
    const word = this.#words[cell]!;
    this.#words[cell] = value ? word | bit : word & ~bit;
  }

  /** Sets the bit of every night of the window where `isSet` is not 0. */
  setAll(ordinal: number, isSet: ArrayLike<number>): void {
    const words = this.#gather(ordinal >> 5);
    const bit = 1 << (ordinal & 31);
    for (let at = 0; at < words.length; at += 1) {
      words[at] = isSet[at] !== 0 ? words[at]! | bit : words[at]! & ~bit;
    }
  }

  /** The bits of 32 room types that are set on every night of a stay. */
  onAll(word: number, checkInDay: number, nights: number): number {
    this.#settle();
    if (word >= this.#length) return 0;
    let cell = (checkInDay - this.#firstDay) * this.#length + word;
    let bits = -1;
    for (let i = 0; i < nights; i += 1, cell += this.#length) bits &= this.#words[cell]!;
    return bits;
  }

  /** The bits that are set on any of the days. */
  onAny(word: number, firstDay: number, days: number): number {
    this.#settle();
    if (word >= this.#length) return 0;
    let cell = (firstDay - this.#firstDay) * this.#length + word;
    let bits = 0;
    for (let i = 0; i < days; i += 1, cell += this.#length) bits |= this.#words[cell]!;
    return bits;
  }

  #gather(word: number): Uint32Array {
    if (this.#gathered?.word === word) return this.#gathered.bits;
    this.#settle();
    this.#reach(word);
    const bits = new Uint32Array(this.#nights);
    for (let at = 0, cell = word; at < bits.length; at += 1, cell += this.#length) {
      bits[at] = this.#words[cell]!;
    }
    this.#gathered = { word, bits };
    return bits;
  }

  /** Writes the collected bits to their lines. */
  #settle(): void {
    if (!this.#gathered) return;
    const { word, bits } = this.#gathered;
    this.#gathered = null;
    for (let at = 0, cell = word; at < bits.length; at += 1, cell += this.#length) {
      this.#words[cell] = bits[at]!;
    }
  }

  #reach(word: number): void {
    if (word < this.#length) return;
    const length = 2 ** Math.ceil(Math.log2(word + 1));
    const words = new Uint32Array(this.#nights * length);
    for (let at = 0; at < this.#nights; at += 1) {
      words.set(this.#words.subarray(at * this.#length, (at + 1) * this.#length), at * length);
    }
    this.#words = words;
    this.#length = length;
  }
}
