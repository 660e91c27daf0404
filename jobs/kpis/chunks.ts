/**
 * Totals of many days in one row: each measure of each day as a 64-bit float, exact for integers up
 * to 2^53. A year of a hundred properties needs about a thousand rows.
 */

/** Days of a chunk. */
const CHUNK_DAYS = 32;

/** The chunk of a day. */
export function chunkOf(day: number): number {
  return Math.floor(day / CHUNK_DAYS);
}

export class Chunk {
  readonly #firstDay: number;
  readonly #measures: number;
  readonly #sums: Float64Array;

  constructor(chunk: number, measures: number) {
    this.#firstDay = chunk * CHUNK_DAYS;
    this.#measures = measures;
    this.#sums = new Float64Array(CHUNK_DAYS * measures);
  }

  /** Adds the measures of a day. */
  add(day: number, values: readonly number[]): void {
    const at = (day - this.#firstDay) * this.#measures;
    for (let nth = 0; nth < values.length; nth += 1) this.#sums[at + nth]! += values[nth]!;
  }

  /** Adds another chunk, as returned by `bytes`. */
  addBytes(bytes: Uint8Array): void {
    const other = new Float64Array(bytes.slice().buffer);
    for (let at = 0; at < other.length; at += 1) this.#sums[at]! += other[at]!;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#sums.buffer);
  }

  /** The days with values. */
  *days(): Generator<{ readonly day: number; readonly values: number[] }> {
    for (let nth = 0; nth < CHUNK_DAYS; nth += 1) {
      const from = nth * this.#measures;
      const values = this.#sums.subarray(from, from + this.#measures);
      if (values.some((value) => value !== 0)) {
        yield { day: this.#firstDay + nth, values: [...values] };
      }
    }
  }
}
