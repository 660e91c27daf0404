/** Pages of nights: what is set is read back; what is over is forgotten page by page. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Nights, pageStart, windowEnd } from "./nights.ts";

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
  expect(pageStart(BASE)).toBe(20_608);
  expect(pageStart(20_608)).toBe(20_608);
  expect(windowEnd(BASE) - pageStart(BASE)).toBe(1_024);
});

test("nights behave like a map, whatever is set in whatever order", () => {
  // A clock that was years ahead leaves nights far apart.
  const near = fc.integer({ min: pageStart(BASE) - 300, max: windowEnd(BASE) - 1 });
  const day = fc.oneof(
    near,
    near.map((at) => at + 1_096),
  );
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

test("forgetting drops whole pages before a day and keeps the rest", () => {
  const days = fc.integer({ min: BASE - 300, max: BASE + 2_500 });
  fc.assert(
    fc.property(days, (before) => {
      const nights = new Nights("u16", 0);
      for (let day = pageStart(BASE); day < windowEnd(BASE); day += 31) nights.set(day, 5);
      nights.forgetBefore(before);
      for (let day = pageStart(BASE) - 200; day < windowEnd(BASE) + 200; day += 1) {
        const isIn = day >= pageStart(BASE) && day < windowEnd(BASE) && day >= pageStart(before);
        const wasSet = isIn && (day - pageStart(BASE)) % 31 === 0;
        if (nights.get(day) !== (wasSet ? 5 : 0)) throw new Error(`day ${day}`);
      }
      nights.set(before, 9);
      expect(nights.get(before)).toBe(9);
    }),
    { numRuns: 40 },
  );
});
