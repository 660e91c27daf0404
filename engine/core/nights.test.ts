/** Pages of nights: what is set is read back; what is over is forgotten page by page. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Lanes, type Nights, pageStart, type Width, windowEnd } from "./nights.ts";

const BASE = 20_690;

function alone(width: Width, unset: number): Nights {
  return new Lanes(width, unset, 1).take();
}

test("a night that was never set has the unset value", () => {
  const nights = alone("u16", 7);
  expect(nights.get(BASE)).toBe(7);
  nights.set(BASE, 7);
  expect(nights.entries()).toEqual([]);
});

test("values up to the width are kept, and adding is reading and setting", () => {
  const wide = alone("u32", 0xffffffff);
  wide.set(BASE, 4_000_000_000);
  expect(wide.get(BASE)).toBe(4_000_000_000);
  const narrow = alone("u16", 0);
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

test("nights behave like maps, whatever is set of whichever in whatever order", () => {
  // A clock that was years ahead leaves nights far apart.
  const near = fc.integer({ min: pageStart(BASE) - 300, max: windowEnd(BASE) - 1 });
  const day = fc.oneof(
    near,
    near.map((at) => at + 1_096),
  );
  const write = fc.record({ at: day, of: fc.nat({ max: 11 }), value: fc.nat({ max: 0xffff }) });
  const writes = fc.array(fc.option(write), { maxLength: 80 });
  fc.assert(
    fc.property(writes, fc.constantFrom(1, 3, 16), (steps, perSheet) => {
      const lanes = new Lanes("u16", 0, perSheet);
      const pairs = Array.from({ length: 12 }, () => ({
        nights: lanes.take(),
        map: new Map<number, number>(),
      }));
      for (const step of steps) {
        if (step === null) {
          // The eldest is given back; whoever takes its lane finds nothing set.
          lanes.giveBack(pairs.shift()!.nights);
          pairs.push({ nights: lanes.take(), map: new Map() });
          continue;
        }
        const { nights, map } = pairs[step.of]!;
        nights.set(step.at, step.value);
        if (step.value === 0) map.delete(step.at);
        else map.set(step.at, step.value);
      }
      for (const { nights, map } of pairs) {
        expect(nights.entries()).toEqual([...map].sort(([a], [b]) => a - b));
        for (const [at, value] of map) expect(nights.get(at)).toBe(value);
      }
    }),
  );
});

test("forgetting drops whole pages before a day and keeps the rest", () => {
  const days = fc.integer({ min: BASE - 300, max: BASE + 2_500 });
  fc.assert(
    fc.property(days, (before) => {
      const lanes = new Lanes("u16", 0, 4);
      const [, nights, untouched] = [lanes.take(), lanes.take(), lanes.take()];
      for (let day = pageStart(BASE); day < windowEnd(BASE); day += 31) nights.set(day, 5);
      lanes.forgetBefore(before);
      expect(untouched.entries()).toEqual([]);
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
