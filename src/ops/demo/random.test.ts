import { expect, test } from "bun:test";
import { demoUuid, Random } from "./random.ts";

test("the same seed draws the same numbers and another seed draws others", () => {
  const draw = (seed: string) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.int(0, 1_000_000));
  };
  expect(draw("a")).toEqual(draw("a"));
  expect(draw("a")).not.toEqual(draw("b"));
});

test("integers cover both ends of their range and nothing beyond", () => {
  const random = new Random("ends");
  const drawn = new Set(Array.from({ length: 500 }, () => random.int(3, 6)));
  expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
});

test("a sample has the asked size, no repeats and the original order", () => {
  const random = new Random("sample");
  for (let round = 0; round < 100; round += 1) {
    const sample = random.sample([1, 2, 3, 4, 5, 6], 3);
    expect(sample).toHaveLength(3);
    expect(sample).toEqual([...new Set(sample)].sort());
  }
});

test("an id depends on every part and is a version 5 uuid", () => {
  expect(demoUuid(1, "a")).toBe(demoUuid(1, "a"));
  expect(demoUuid(1, "a")).not.toBe(demoUuid(2, "a"));
  expect(demoUuid(1, "a")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
});
