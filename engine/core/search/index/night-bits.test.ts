import { expect, test } from "bun:test";
import fc from "fast-check";
import { NightBits } from "./night-bits.ts";

const FIRST_DAY = 20_000;
const NIGHTS = 64;
const ROOMS = 300;

const room = fc.nat({ max: ROOMS - 1 });
const day = fc.integer({ min: FIRST_DAY - 2, max: FIRST_DAY + NIGHTS + 1 });
const change = fc.oneof(
  fc.record({ room, day, isSet: fc.boolean() }),
  fc.record({ room, every: fc.integer({ min: 1, max: 5 }) }),
);

test("the bits are those that were set, for any number of rooms, and none beyond the window", () => {
  const stay = fc.tuple(fc.nat({ max: NIGHTS - 8 }), fc.integer({ min: 1, max: 8 }));
  const changes = fc.array(change, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(changes, stay, (todo, [from, nights]) => {
      const bits = new NightBits(FIRST_DAY, NIGHTS);
      const model = new Set<string>();
      const note = (of: number, on: number, isSet: boolean) => {
        if (on < FIRST_DAY || on >= FIRST_DAY + NIGHTS) return;
        if (isSet) model.add(`${of} ${on}`);
        else model.delete(`${of} ${on}`);
      };
      for (const each of todo) {
        if ("day" in each) {
          bits.set(each.room, each.day, each.isSet);
          note(each.room, each.day, each.isSet);
          continue;
        }
        const column = new Int32Array(NIGHTS).map((_, at) => (at % each.every === 0 ? 1 : 0));
        bits.setAll(each.room, column);
        for (const [at, value] of column.entries()) note(each.room, FIRST_DAY + at, value === 1);
      }
      const rooms = todo.map((each) => each.room);
      const days = Array.from({ length: nights }, (_, i) => FIRST_DAY + from + i);
      for (const of of rooms) {
        for (let on = FIRST_DAY - 2; on < FIRST_DAY + NIGHTS + 2; on += 1) {
          expect(bits.get(of, on)).toBe(model.has(`${of} ${on}`));
        }
        const bit = (word: number) => (word >>> (of & 31)) & 1;
        const isOn = (on: number) => model.has(`${of} ${on}`);
        expect(bit(bits.onAll(of >> 5, days[0]!, nights))).toBe(Number(days.every(isOn)));
        expect(bit(bits.onAny(of >> 5, days[0]!, nights))).toBe(Number(days.some(isOn)));
      }
    }),
    { numRuns: 60 },
  );
});

test("a room type of which nothing was ever set has no bits", () => {
  const bits = new NightBits(FIRST_DAY, NIGHTS);
  bits.setAll(3, new Int32Array(NIGHTS).fill(1));
  expect([bits.onAll(9, FIRST_DAY, 2), bits.onAny(9, FIRST_DAY, 2)]).toEqual([0, 0]);
});
