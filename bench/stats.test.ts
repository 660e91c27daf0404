import { expect, test } from "bun:test";
import { summarize } from "./stats.ts";

test("an odd number of runs has the middle one as its median, whatever their order", () => {
  expect(summarize([30, 10, 200])).toEqual({ median: 30, min: 10, max: 200 });
});

test("an even number of runs has the mean of the two middle ones as its median", () => {
  expect(summarize([4, 1, 2, 100])).toEqual({ median: 3, min: 1, max: 100 });
});

test("no runs have no summary", () => {
  expect(() => summarize([])).toThrow("no runs");
});
