import { expect, test } from "bun:test";
import { Places } from "./places.ts";

test("a taker has its places, all have theirs, and each is given back once", () => {
  const places = new Places(3);
  const first = places.take(["a", 2]) as () => void;
  const second = places.take(["a", 2], ["b", 9]) as () => void;
  expect(places.take(["a", 2])).toBe(2);
  expect(places.take(["b", 1])).toBe(1);
  const third = places.take(["c", 2]) as () => void;
  expect(places.take(["d", 2])).toBe(3);
  for (const leave of [second, second]) leave();
  expect(places.count).toBe(2);
  expect(places.take(["b", 1])).toBeFunction();
  for (const leave of [first, third]) leave();
  expect(places.take(["a", 1])).toBeFunction();
});
