/**
 * One number per night in a ring of eight pages of 128 nights. A page is allocated at the first
 * value that differs from the default, so an untouched year costs nothing, and the window moves by
 * dropping whole pages.
 *
 * Maintained invariant: only days inside the window [windowStart(baseDay), +1024) are read or
 * written. A day outside would alias one inside; `state.ts` advances the window and callers check
 * the horizon (rules §5: 730 days) first.
 */

import { assert } from "./assert.ts";

const PAGE_BITS = 7;
const PAGE_NIGHTS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_NIGHTS - 1;
const PAGES = 8;

export type Width = "u16" | "u32";
type Page = Uint16Array | Uint32Array;

/** First day of the page that holds `baseDay`: the oldest day that may be touched. */
export function windowStart(baseDay: number): number {
  return baseDay & ~PAGE_MASK;
}

/** First day after the window. */
export function windowEnd(baseDay: number): number {
  return windowStart(baseDay) + PAGES * PAGE_NIGHTS;
}

export class Nights {
  readonly #pages: (Page | null)[] = new Array<Page | null>(PAGES).fill(null);
  readonly #width: Width;
  readonly #unset: number;

  constructor(width: Width, unset: number) {
    this.#width = width;
    this.#unset = unset;
  }

  get(day: number): number {
    const page = this.#pages[(day >> PAGE_BITS) & (PAGES - 1)];
    return page ? page[day & PAGE_MASK]! : this.#unset;
  }

  set(day: number, value: number): void {
    const index = (day >> PAGE_BITS) & (PAGES - 1);
    let page = this.#pages[index];
    if (!page) {
      if (value === this.#unset) return;
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

  /** Forgets every page that lies wholly before the new base day. */
  advance(fromBaseDay: number, toBaseDay: number): void {
    const pages = Math.min(PAGES, (windowStart(toBaseDay) - windowStart(fromBaseDay)) >> PAGE_BITS);
    for (let i = 0; i < pages; i += 1) {
      this.#pages[((windowStart(fromBaseDay) >> PAGE_BITS) + i) & (PAGES - 1)] = null;
    }
  }

  /** Set nights as [day offset in the ring, value] pairs, for snapshots; empty when untouched. */
  entries(): [number, number][] {
    const found: [number, number][] = [];
    for (let index = 0; index < PAGES; index += 1) {
      const page = this.#pages[index];
      if (!page) continue;
      for (let i = 0; i < PAGE_NIGHTS; i += 1) {
        if (page[i] !== this.#unset) found.push([index * PAGE_NIGHTS + i, page[i]!]);
      }
    }
    return found;
  }

  #allocate(): Page {
    const page =
      this.#width === "u16" ? new Uint16Array(PAGE_NIGHTS) : new Uint32Array(PAGE_NIGHTS);
    return this.#unset === 0 ? page : page.fill(this.#unset);
  }
}
