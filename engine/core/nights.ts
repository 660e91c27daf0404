/**
 * One number per night in pages of 128 nights, from the first page that was written to the last. A
 * page is allocated at the first value that differs from the default, so an untouched year costs
 * nothing, and nights that are over are forgotten in whole pages.
 */

import { assert } from "./assert.ts";

const PAGE_BITS = 7;
const PAGE_NIGHTS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_NIGHTS - 1;
/** Nights from the start of the base day's page on that rates and availability may be set for. */
const WINDOW_NIGHTS = 8 * PAGE_NIGHTS;

export type Width = "u16" | "u32";
type Page = Uint16Array | Uint32Array;

/** First day of the page that holds `day`. */
export function pageStart(day: number): number {
  return day & ~PAGE_MASK;
}

/** First day after the window of `baseDay`. */
export function windowEnd(baseDay: number): number {
  return pageStart(baseDay) + WINDOW_NIGHTS;
}

export class Nights {
  #pages: (Page | null)[] = [];
  /** Number of the first of them. */
  #first = 0;
  readonly #width: Width;
  readonly #unset: number;

  constructor(width: Width, unset: number) {
    this.#width = width;
    this.#unset = unset;
  }

  get(day: number): number {
    const index = (day >> PAGE_BITS) - this.#first;
    const page = index >= 0 ? this.#pages[index] : null;
    return page ? page[day & PAGE_MASK]! : this.#unset;
  }

  set(day: number, value: number): void {
    if (value === this.#unset && this.get(day) === value) return;
    const index = this.#reach(day >> PAGE_BITS);
    let page = this.#pages[index];
    if (!page) {
      page = this.#allocate();
      this.#pages[index] = page;
    }
    page[day & PAGE_MASK] = value;
  }

  /** Counts; less than nothing would be stored as a great many. */
  add(day: number, delta: number): void {
    const value = this.get(day) + delta;
    assert(value >= 0, "a count is never less than nothing");
    this.set(day, value);
  }

  /** Forgets every page that lies wholly before `day`. */
  forgetBefore(day: number): void {
    const count = Math.min(this.#pages.length, (day >> PAGE_BITS) - this.#first);
    if (count <= 0) return;
    this.#pages.splice(0, count);
    this.#first += count;
  }

  /** Set nights as [day, value] pairs, for snapshots; empty when untouched. */
  entries(): [number, number][] {
    const found: [number, number][] = [];
    this.#pages.forEach((page, at) => {
      const start = (this.#first + at) << PAGE_BITS;
      page?.forEach((value, i) => {
        if (value !== this.#unset) found.push([start + i, value]);
      });
    });
    return found;
  }

  /** The index of a page, after making room for it. */
  #reach(number: number): number {
    const pages = this.#pages;
    if (pages.length === 0) this.#first = number;
    while (number < this.#first) {
      pages.unshift(null);
      this.#first -= 1;
    }
    while (number - this.#first >= pages.length) pages.push(null);
    return number - this.#first;
  }

  #allocate(): Page {
    const page =
      this.#width === "u16" ? new Uint16Array(PAGE_NIGHTS) : new Uint32Array(PAGE_NIGHTS);
    return this.#unset === 0 ? page : page.fill(this.#unset);
  }
}
