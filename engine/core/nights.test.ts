/** The ring of pages: what is set is read back; moving the window forgets what is over. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Nights, windowEnd, windowStart } from "./nights.ts";

const BASE = 20_690;

test("a night that was never set has the unset value", () => {
  const nights = new Nights("u16", 7);
  expect(nights.get(BASE)).toBe(7);
  nights.set(BASE, 7);
  expect(nights.entries()).toEqual([]);
});

test("values up to the width are kept, and adding is reading and setting", () => {
  const wide = new Nights("u32", 0xffffffff);
  wide.set(BASE, 4_000_000_000);
  expect(wide.get(BASE)).toBe(4_000_000_000);
  const narrow = new Nights("u16", 0);
  narrow.add(BASE, 3);
  narrow.add(BASE, -1);
  expect(narrow.get(BASE)).toBe(2);
  expect(narrow.get(BASE + 1)).toBe(0);
});

test("the window starts at a page and spans eight", () => {
  expect(windowStart(BASE)).toBe(20_608);
  expect(windowStart(20_608)).toBe(20_608);
  expect(windowEnd(BASE) - windowStart(BASE)).toBe(1_024);
});

test("nights of a window behave like a map, whatever is set in whatever order", () => {
  const day = fc.integer({ min: windowStart(BASE), max: windowEnd(BASE) - 1 });
  const writes = fc.array(fc.tuple(day, fc.integer({ min: 0, max: 0xffff })), { maxLength: 60 });
  fc.assert(
    fc.property(writes, (pairs) => {
      const nights = new Nights("u16", 0);
      const map = new Map<number, number>();
      for (const [at, value] of pairs) {
        nights.set(at, value);
        map.set(at, value);
      }
      for (const [at, value] of map) expect(nights.get(at)).toBe(value);
      const set = [...map.values()].filter((value) => value !== 0).length;
      expect(nights.entries()).toHaveLength(set);
    }),
  );
});

test("advancing forgets what lies before the new window and keeps the rest", () => {
  const bases = fc.integer({ min: BASE, max: BASE + 400 });
  fc.assert(
    fc.property(bases, fc.integer({ min: 0, max: 2_500 }), (from, by) => {
      const nights = new Nights("u16", 0);
      for (let day = windowStart(from); day < windowEnd(from); day += 31) nights.set(day, 5);
      nights.advance(from, from + by);
      for (let day = windowStart(from + by); day < windowEnd(from + by); day += 1) {
        const wasSet = day < windowEnd(from) && (day - windowStart(from)) % 31 === 0;
        if (nights.get(day) !== (wasSet ? 5 : 0)) throw new Error(`day ${day}`);
      }
    }),
    { numRuns: 40 },
  );
});
