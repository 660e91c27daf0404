import { expect, test } from "bun:test";
import { OpenCallSlots } from "./open-call-slots.ts";

test("slots are limited per owner and in total, and each is released once", () => {
  const slots = new OpenCallSlots(3);
  const first = slots.take(["a", 2]) as () => void;
  const second = slots.take(["a", 2], ["b", 9]) as () => void;
  expect(slots.take(["a", 2])).toBe(2);
  expect(slots.take(["b", 1])).toBe(1);
  const third = slots.take(["c", 2]) as () => void;
  expect(slots.take(["d", 2])).toBe(3);
  for (const release of [second, second]) release();
  expect(slots.count).toBe(2);
  expect(slots.take(["b", 1])).toBeFunction();
  for (const release of [first, third]) release();
  expect(slots.take(["a", 1])).toBeFunction();
});
