/**
 * One number per night, for many room types or rate plans side by side. They are stored in sheets:
 * a line per night, with a lane for each of them, so that a stay reads a few lines for any number
 * of rate plans. A sheet is cut into strips of 32 nights, each a typed array that is allocated at
 * the first value other than the default: an untouched year costs nothing. A strip uses the
 * narrowest integers that fit and is widened when needed: rates and counts are mostly small.
 *
 * Past nights are forgotten in whole pages of 128 nights. The length of a strip may change; the
 * length of a page must not, because the fold depends on it.
 */

import { assert } from "../assert.ts";

const PAGE_NIGHTS = 128;
/** Nights from the start of the base day's page on that can have rates and availability. */
const WINDOW_NIGHTS = 8 * PAGE_NIGHTS;

const STRIP_BITS = 5;
const STRIP_NIGHTS = 1 << STRIP_BITS;
const STRIP_MASK = STRIP_NIGHTS - 1;
/** Initial lanes of a strip in a realm's first sheet: most realms have a few rate plans. */
const STRIDE_MIN = 4;

/** A cell is 0 where nothing is set, else the value plus the shift of its sheet. */
type Strip = Uint8Array | Uint16Array | Uint32Array;

/** First day of the page that holds `day`. */
export function pageStart(day: number): number {
  return day & ~(PAGE_NIGHTS - 1);
}

/** First day after the window of `baseDay`. */
export function windowEnd(baseDay: number): number {
  return pageStart(baseDay) + WINDOW_NIGHTS;
}

/** Strips from the first that was written to the last. */
class Sheet {
  #strips: (Strip | null)[] = [];
  /** Index of the first one. */
  #first = 0;
  /** The value of unset nights; no set value equals it. */
  readonly unset: number;
  /** Added to a value in its cell: 1 where 0 is a valid value, so that no set cell is 0. */
  readonly shift: 0 | 1;
  /** Initial lanes of a strip; they double when more are written. */
  readonly #strideMin: number;

  constructor(unset: number, strideMin: number) {
    this.unset = unset;
    this.shift = unset === 0 ? 0 : 1;
    this.#strideMin = strideMin;
  }

  get(day: number, lane: number): number {
    const strip = this.stripOf(day);
    if (!strip) return this.unset;
    const stride = strip.length >> STRIP_BITS;
    const cell = lane < stride ? strip[(day & STRIP_MASK) * stride + lane]! : 0;
    return cell === 0 ? this.unset : cell - this.shift;
  }

  set(day: number, lane: number, value: number): void {
    const cell = value === this.unset ? 0 : value + this.shift;
    if (cell === 0 && this.get(day, lane) === value) return;
    const strip = this.#stripFor(day, lane, cell);
    strip[(day & STRIP_MASK) * (strip.length >> STRIP_BITS) + lane] = cell;
  }

  forgetBefore(day: number): void {
    const count = Math.min(this.#strips.length, (pageStart(day) >> STRIP_BITS) - this.#first);
    if (count <= 0) return;
    this.#strips.splice(0, count);
    this.#first += count;
  }

  /** Calls `visit` for every set night of a lane, in order. */
  each(lane: number, visit: (day: number, value: number) => void): void {
    this.#strips.forEach((strip, at) => {
      const stride = strip ? strip.length >> STRIP_BITS : 0;
      if (!strip || lane >= stride) return;
      const start = (this.#first + at) << STRIP_BITS;
      for (let night = 0; night < STRIP_NIGHTS; night += 1) {
        const cell = strip[night * stride + lane]!;
        if (cell !== 0) visit(start + night, cell - this.shift);
      }
    });
  }

  /**
   * Adds or subtracts the nights of a lane from a day on, as many as fit; unset ones count as
   * `fallback`.
   */
  addTo(
    sums: Int32Array | Float64Array,
    lane: number,
    firstDay: number,
    sign: 1 | -1,
    fallback: number,
  ): void {
    const { shift } = this;
    let at = 0;
    while (at < sums.length) {
      const day = firstDay + at;
      const strip = this.stripOf(day);
      const end = Math.min(sums.length, at + STRIP_NIGHTS - (day & STRIP_MASK));
      const stride = strip ? strip.length >> STRIP_BITS : 0;
      if (strip && lane < stride) {
        const bytes = strip.BYTES_PER_ELEMENT;
        let place = (day & STRIP_MASK) * stride + lane;
        for (let i = at; i < end; i += 1, place += stride) {
          const cell = cellAt(strip, bytes, place);
          sums[i]! += sign * (cell === 0 ? fallback : cell - shift);
        }
      } else if (fallback !== 0) {
        for (let i = at; i < end; i += 1) sums[i]! += sign * fallback;
      }
      at = end;
    }
  }

  /** Sets nights of a lane from a day on to the given cells. */
  paste(lane: number, firstDay: number, cells: Strip, nights: number): void {
    let at = 0;
    while (at < nights) {
      const day = firstDay + at;
      const end = Math.min(nights, at + STRIP_NIGHTS - (day & STRIP_MASK));
      let greatest = 0;
      for (let i = at; i < end; i += 1) if (cells[i]! > greatest) greatest = cells[i]!;
      if (greatest > 0) {
        const strip = this.#stripFor(day, lane, greatest);
        const stride = strip.length >> STRIP_BITS;
        let cell = (day & STRIP_MASK) * stride + lane;
        for (let i = at; i < end; i += 1, cell += stride) strip[cell] = cells[i]!;
      }
      at = end;
    }
  }

  /** The strip of the night; null when nothing of it is set. */
  stripOf(day: number): Strip | null {
    const index = (day >> STRIP_BITS) - this.#first;
    return (index >= 0 && this.#strips[index]) || null;
  }

  /** The strip of the night with space for the lane and the cell's value. */
  #stripFor(day: number, lane: number, cell: number): Strip {
    const index = this.#reach(day >> STRIP_BITS);
    const there = this.#strips[index] ?? null;
    const isWideEnough = there !== null && cell <= greatestOf(there);
    if (isWideEnough && lane < there.length >> STRIP_BITS) return there;
    const strip = enlarged(there, Math.max(lane + 1, this.#strideMin), cell);
    this.#strips[index] = strip;
    return strip;
  }

  /** The index of a strip, after making space for it. */
  #reach(number: number): number {
    const strips = this.#strips;
    if (strips.length === 0) this.#first = number;
    while (number < this.#first) {
      strips.unshift(null);
      this.#first -= 1;
    }
    while (number - this.#first >= strips.length) strips.push(null);
    return number - this.#first;
  }
}

/** By bytes per cell: the largest value that it holds. */
const GREATEST = [0, 0xff, 0xffff, 0, 0xffffffff] as const;

function greatestOf({ BYTES_PER_ELEMENT }: Strip): number {
  return GREATEST[BYTES_PER_ELEMENT]!;
}

/** A cell of a strip; a separate line per width, because a polymorphic one is slow. */
function cellAt(strip: Strip, bytes: number, at: number): number {
  if (bytes === 2) return (strip as Uint16Array)[at]!;
  return bytes === 1 ? (strip as Uint8Array)[at]! : (strip as Uint32Array)[at]!;
}

/** A copy of the strip with this many lanes and cells wide enough for the value. */
function enlarged(before: Strip | null, lanes: number, cell: number): Strip {
  const narrow = before ? before.length >> STRIP_BITS : 0;
  let stride = Math.max(1, narrow);
  while (stride < lanes) stride *= 2;
  const greatest = Math.max(cell, before ? greatestOf(before) : 0);
  const cells = stride * STRIP_NIGHTS;
  const after =
    greatest <= GREATEST[1]
      ? new Uint8Array(cells)
      : greatest <= GREATEST[2]
        ? new Uint16Array(cells)
        : new Uint32Array(cells);
  if (!before) return after;
  for (let night = 0; night < STRIP_NIGHTS; night += 1) {
    after.set(before.subarray(night * narrow, (night + 1) * narrow), night * stride);
  }
  return after;
}

/**
 * Reads the nights of one stay for many lanes of one kind. Positions are looked up once per sheet,
 * because neighbours share it.
 */
export class StayLines {
  readonly #lanes: Lanes;
  readonly #checkInDay: number;
  /** The strip of each night and the start of its line, in the present sheet. */
  readonly #strips: (Strip | null)[];
  readonly #lines: Int32Array;
  /** Bytes of its cells. */
  readonly #bytes: Uint8Array;
  #isBlank = true;
  #shift = 0;
  /** The numbers in the present sheet: from the first up to, not including, the end. */
  #first = 0;
  #end = 0;

  constructor(lanes: Lanes, checkInDay: number, nights: number) {
    this.#lanes = lanes;
    this.#checkInDay = checkInDay;
    this.#strips = Array.from({ length: nights }, () => null);
    this.#lines = new Int32Array(nights);
    this.#bytes = new Uint8Array(nights);
  }

  /** The values of a number's nights; `fallback` for unset ones. */
  read(number: number, fallback: number, into: Float64Array): void {
    if (number < this.#first || number >= this.#end) this.#turnTo(number);
    const lane = number - this.#first;
    for (let i = 0; i < into.length; i += 1) {
      const cell = this.#cell(i, lane);
      into[i] = cell === 0 ? fallback : cell - this.#shift;
    }
  }

  /** Adds or subtracts them. */
  addTo(sums: Float64Array, number: number, sign: 1 | -1, fallback: number): void {
    if (number < this.#first || number >= this.#end) this.#turnTo(number);
    if (this.#isBlank && fallback === 0) return;
    const lane = number - this.#first;
    for (let i = 0; i < sums.length; i += 1) {
      const cell = this.#cell(i, lane);
      sums[i]! += sign * (cell === 0 ? fallback : cell - this.#shift);
    }
  }

  #cell(night: number, lane: number): number {
    const strip = this.#strips[night]!;
    if (strip === null || lane >= strip.length >> STRIP_BITS) return 0;
    return cellAt(strip, this.#bytes[night]!, this.#lines[night]! + lane);
  }

  #turnTo(number: number): void {
    const { sheet, first, end } = this.#lanes.sheetOf(number);
    this.#first = first;
    this.#end = end;
    this.#shift = sheet.shift;
    this.#isBlank = true;
    for (let i = 0; i < this.#strips.length; i += 1) {
      const day = this.#checkInDay + i;
      const strip = sheet.stripOf(day);
      this.#strips[i] = strip;
      this.#lines[i] = strip ? (day & STRIP_MASK) * (strip.length >> STRIP_BITS) : 0;
      this.#bytes[i] = strip?.BYTES_PER_ELEMENT ?? 0;
      if (strip) this.#isBlank = false;
    }
  }
}

/** One number per night: a lane of a sheet. */
export class Nights {
  readonly sheet: Sheet;
  readonly lane: number;
  /** Its number among those of its kind; several kinds taken together share one. */
  readonly number: number;

  constructor(sheet: Sheet, lane: number, number: number) {
    this.sheet = sheet;
    this.lane = lane;
    this.number = number;
  }

  get(day: number): number {
    return this.sheet.get(day, this.lane);
  }

  set(day: number, value: number): void {
    this.sheet.set(day, this.lane, value);
  }

  /** Asserts that the count stays at 0 or above. */
  add(day: number, delta: number): void {
    const value = this.get(day) + delta;
    assert(value >= 0, "a count is never less than nothing");
    this.set(day, value);
  }

  /** Adds or subtracts the nights from a day on; unset ones count as `fallback`. */
  addTo(sums: Int32Array | Float64Array, firstDay: number, sign: 1 | -1, fallback: number): void {
    this.sheet.addTo(sums, this.lane, firstDay, sign, fallback);
  }

  /** The first night that is set, and the last; null when untouched. */
  span(): { readonly first: number; readonly last: number } | null {
    let span: { first: number; last: number } | null = null;
    this.sheet.each(this.lane, (day) => {
      span = { first: span?.first ?? day, last: day };
    });
    return span;
  }

  /** Set nights as [day, value] pairs; empty when untouched. */
  entries(): [number, number][] {
    const found: [number, number][] = [];
    this.sheet.each(this.lane, (day, value) => void found.push([day, value]));
    return found;
  }

  /** Unsets every night. */
  clear(): void {
    for (const [day] of this.entries()) this.set(day, this.sheet.unset);
  }
}

/**
 * The lanes of one kind of number in a realm. Consecutive ones are adjacent, in sheets of limited
 * width: wide where nearly every night has a value, narrow where few have, because the first value
 * of a strip allocates it for all lanes.
 */
export class Lanes {
  readonly #sheets: Sheet[] = [];
  /** Numbers that were returned; used again before new ones. */
  readonly #free: number[] = [];
  #taken = 0;
  readonly #unset: number;
  readonly #perSheet: number;

  constructor(unset: number, perSheet: number) {
    this.#unset = unset;
    this.#perSheet = perSheet;
  }

  /** New nights, none of them set. */
  take(): Nights {
    const free = this.#free.pop();
    if (free !== undefined) return this.at(free);
    if (this.#taken % this.#perSheet === 0) {
      this.#sheets.push(new Sheet(this.#unset, this.#strideMin()));
    }
    this.#taken += 1;
    return this.at(this.#taken - 1);
  }

  /** The nights of a number in use. */
  at(number: number): Nights {
    const at = Math.floor(number / this.#perSheet);
    return new Nights(this.#sheets[at]!, number - at * this.#perSheet, number);
  }

  /** The sheet of a number, with the range of numbers in it. */
  sheetOf(number: number): { readonly sheet: Sheet; readonly first: number; readonly end: number } {
    const at = Math.floor(number / this.#perSheet);
    const first = at * this.#perSheet;
    return { sheet: this.#sheets[at]!, first, end: first + this.#perSheet };
  }

  /** A realm that filled a sheet is likely to fill another; growing strips are copied often. */
  #strideMin(): number {
    return this.#sheets.length === 0 ? STRIDE_MIN : this.#perSheet;
  }

  /** Frees nights that are no longer used. */
  giveBack(nights: Nights): void {
    nights.clear();
    this.#free.push(nights.number);
  }

  /** Forgets every page that ends before `day`, for all numbers. */
  forgetBefore(day: number): void {
    for (const sheet of this.#sheets) sheet.forgetBefore(day);
  }
}
