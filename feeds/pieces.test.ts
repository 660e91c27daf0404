/** Goal: long work yields as often and as long as documented. */
import { expect, test } from "bun:test";
import { inPieces } from "./pieces.ts";

test("work is reported every 50 ms of its own time, without pauses", async () => {
  let nowMs = 0;
  function* work() {
    for (let step = 0; step < 20; step += 1) {
      yield step;
      nowMs += 10;
    }
    return "done";
  }
  const told: [number, number][] = [];
  const heard = async (step: number) => {
    told.push([step, nowMs]);
    nowMs += 1_000;
  };
  expect(await inPieces(work(), heard, () => nowMs)).toBe("done");
  expect(told).toEqual([
    [5, 50],
    [10, 1_100],
    [15, 2_150],
  ]);
});

test("errors of the work are thrown on", async () => {
  function* work(): Generator<number, void> {
    yield 1;
    throw new Error("disk full");
  }
  expect(inPieces(work(), async () => {})).rejects.toThrow("disk full");
});
