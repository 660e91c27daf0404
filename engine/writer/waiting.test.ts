/** Goal: the order equals a plain array's, for any mix of pushes, takes and returns. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fifo } from "./waiting.ts";

test("items are taken in order of arrival, and returned ones come before the rest", () => {
  const step = fc.oneof(
    fc.record({ push: fc.integer() }),
    fc.record({ take: fc.constant(true) }),
    fc.record({ putBack: fc.array(fc.integer(), { maxLength: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const fifo = new Fifo<number>();
      let plain: number[] = [];
      for (const each of steps) {
        if ("push" in each) {
          fifo.push(each.push);
          plain.push(each.push);
        } else if ("putBack" in each) {
          fifo.putBack(each.putBack);
          plain = [...each.putBack, ...plain];
        } else expect(fifo.take()).toBe(plain.shift());
        expect(fifo.size).toBe(plain.length);
      }
    }),
  );
});

test("ten thousand waiting items are taken in their order", () => {
  const fifo = new Fifo<number>();
  for (let i = 0; i < 10_000; i += 1) fifo.push(i);
  for (let i = 0; i < 10_000; i += 1) expect(fifo.take()).toBe(i);
  expect(fifo.take()).toBeUndefined();
  fifo.putBack([1, 2]);
  expect([...fifo.takeAll(), fifo.size]).toEqual([1, 2, 0]);
});
