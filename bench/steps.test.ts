import { expect, test } from "bun:test";
import { inSteps } from "./steps.ts";

const ABOUT = { stage: "s", what: "filling", steps: 3 };

function screen() {
  const told: string[] = [];
  const step = async <T>(_stage: string, what: string, work: () => Promise<T>) => {
    const result = await work();
    told.push(what);
    return result;
  };
  return { told, step };
}

test("work that goes on by itself ends a step whenever it says so, and the last with its end", async () => {
  const progress = screen();
  const whole = Promise.withResolvers<string>();
  let onStep = () => {};
  const result = inSteps(progress, ABOUT, (step) => {
    onStep = step;
    return whole.promise;
  });
  onStep();
  await Bun.sleep(0);
  expect(progress.told).toEqual(["filling, 1 of 3"]);
  onStep();
  onStep();
  await Bun.sleep(0);
  expect(progress.told).toHaveLength(2);
  whole.resolve("done");
  expect(await result).toBe("done");
  expect(progress.told).toHaveLength(3);
});

test("work that ends before all its steps ends them all, and its failure is told", async () => {
  const progress = screen();
  expect(await inSteps(progress, ABOUT, async () => 1)).toBe(1);
  expect(progress.told).toHaveLength(3);
  const failing = inSteps(progress, ABOUT, () => Promise.reject(new Error("full")));
  expect(failing).rejects.toThrow("full");
});
