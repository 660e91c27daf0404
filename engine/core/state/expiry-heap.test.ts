/** The heap against sorting. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ExpiryHeap } from "./expiry-heap.ts";

test("an empty heap is never due", () => {
  const heap = new ExpiryHeap();
  expect(heap.earliest).toBe(Number.POSITIVE_INFINITY);
  expect(heap.pop()).toBeUndefined();
  expect(heap.size).toBe(0);
});

test("entries are popped in the order of their instants, for any mix of pushes and pops", () => {
  const steps = fc.array(fc.option(fc.integer({ min: 0, max: 50 })), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (pushes) => {
      const heap = new ExpiryHeap();
      let left: number[] = [];
      pushes.forEach((at, i) => {
        if (at !== null) {
          heap.push(at, at * 1_000 + i);
          left = [...left, at].sort((a, b) => a - b);
          return;
        }
        expect(heap.earliest).toBe(left[0] ?? Number.POSITIVE_INFINITY);
        const popped = heap.pop();
        expect(popped === undefined ? popped : Math.floor(popped / 1_000)).toBe(left.shift());
      });
      expect(heap.size).toBe(left.length);
      while (heap.size > 0) expect(Math.floor(heap.pop()! / 1_000)).toBe(left.shift()!);
    }),
  );
});

test("the entries due at an instant are listed without being removed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.nat(50), (instants, at) => {
      const heap = new ExpiryHeap();
      for (const [i, instant] of instants.entries()) heap.push(instant, i);
      const due = [...instants.keys()].filter((i) => instants[i]! <= at);
      expect([...heap.upTo(at)].sort((a, b) => a - b)).toEqual(due);
      expect(heap.size).toBe(instants.length);
    }),
  );
});

test("useless entries are removed from the front, up to the first useful one", () => {
  const heap = new ExpiryHeap();
  for (const at of [3, 1, 4, 2]) heap.push(at, 0);
  heap.dropWhile((at) => at !== 3);
  expect(heap.size).toBe(2);
  expect(heap.earliest).toBe(3);
});
