import { expect, test } from "bun:test";
import { throttled } from "./memoize.ts";

test("concurrent and recent calls share one look-up", async () => {
  let looks = 0;
  const looking = Promise.withResolvers<number>();
  const ask = throttled(60_000, () => {
    looks += 1;
    return looking.promise;
  });
  const asked = Array.from({ length: 100 }, ask);
  looking.resolve(7);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([7]));
  expect(await ask()).toBe(7);
  expect(looks).toBe(1);
});

test("a result expires after its time, and so does a failure", async () => {
  let looks = 0;
  const ask = throttled(1, async () => {
    looks += 1;
    if (looks === 1) throw new Error("first");
    return looks;
  });
  await expect(ask()).rejects.toThrow("first");
  while (looks === 1) await ask().catch(() => Bun.sleep(1));
  expect(looks).toBe(2);
});
