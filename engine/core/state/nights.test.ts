/** Pages of nights: set values are read back; past nights are forgotten page by page. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Lanes, type Nights, pageStart, StayLines, windowEnd } from "./nights.ts";

const BASE = 20_690;

function alone(unset: number): Nights {
  return new Lanes(unset, 1).take();
}

test("a night that was never set has the default value", () => {
  const nights = alone(7);
  expect(nights.get(BASE)).toBe(7);
  nights.set(BASE, 7);
  expect(nights.entries()).toEqual([]);
});

test("values up to the width are kept, and adding equals reading and setting", () => {
  const wide = alone(0xffffffff);
  wide.set(BASE, 4_000_000_000);
  expect(wide.get(BASE)).toBe(4_000_000_000);
  const narrow = alone(0);
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

test("nights behave like maps, in any order of writes", () => {
  // A clock that was years ahead leaves nights far apart.
  const near = fc.integer({ min: pageStart(BASE) - 300, max: windowEnd(BASE) - 1 });
  const day = fc.oneof(
    near,
    near.map((at) => at + 1_096),
  );
  // Around the limits of each width, so that strips are made anew in the midst.
  const value = fc.oneof(
    fc.nat({ max: 3 }),
    ...[2 ** 8, 2 ** 16].map((limit) => fc.integer({ min: limit - 3, max: limit + 3 })),
    fc.integer({ min: 2 ** 32 - 6, max: 2 ** 32 - 2 }),
  );
  const write = fc.record({ at: day, of: fc.nat({ max: 11 }), value });
  const writes = fc.array(fc.option(write), { maxLength: 80 });
  const unsets = fc.constantFrom(0, 0xffff, 0xffffffff);
  fc.assert(
    fc.property(writes, fc.constantFrom(1, 3, 16), unsets, (steps, perSheet, unset) => {
      const lanes = new Lanes(unset, perSheet);
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
        if (step.value === unset) map.delete(step.at);
        else map.set(step.at, step.value);
      }
      const stay = new StayLines(lanes, pageStart(BASE), windowEnd(BASE) - pageStart(BASE));
      for (const { nights, map } of pairs) {
        expect(nights.entries()).toEqual([...map].sort(([a], [b]) => a - b));
        for (const [at, value] of map) expect(nights.get(at)).toBe(value);
        const found = new Float64Array(windowEnd(BASE) - pageStart(BASE));
        nights.addTo(found, pageStart(BASE), 1, unset);
        const read = new Float64Array(found.length);
        stay.read(nights.number, -1, read);
        const less = new Float64Array(found.length);
        stay.addTo(less, nights.number, -1, 5);
        for (let i = 0; i < read.length; i += 1) {
          const told = map.get(pageStart(BASE) + i);
          expect([found[i], read[i], less[i]]).toEqual([
            told ?? unset,
            told ?? -1,
            0 - (told ?? 5),
          ]);
        }
      }
    }),
  );
});

test("a strip takes only the bytes that its greatest value needs, independent of other strips", () => {
  const lanes = new Lanes(0xffffffff, 16);
  const [plain, dear] = [lanes.take(), lanes.take()];
  const next = BASE + 32;
  for (const day of [BASE, next]) for (const nights of [plain, dear]) nights.set(day, 254);
  const bytes = (day: number) => plain.sheet.stripOf(day)?.BYTES_PER_ELEMENT;
  expect([bytes(BASE), bytes(next)]).toEqual([1, 1]);
  dear.set(BASE, 255);
  expect([bytes(BASE), bytes(next)]).toEqual([2, 1]);
  dear.set(BASE, 65_535);
  expect([bytes(BASE), bytes(next)]).toEqual([4, 1]);
  expect(plain.entries()).toEqual([
    [BASE, 254],
    [next, 254],
  ]);
});

test("forgetting drops whole pages before a day and keeps the rest", () => {
  const days = fc.integer({ min: BASE - 300, max: BASE + 2_500 });
  fc.assert(
    fc.property(days, (before) => {
      const lanes = new Lanes(0, 4);
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
