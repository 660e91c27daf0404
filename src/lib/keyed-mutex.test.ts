import { expect, test } from "bun:test";
import { KeyedMutex } from "./keyed-mutex.ts";

test("work under one name runs in order, also after a failure; other names do not wait", async () => {
  const turns = new KeyedMutex();
  const log: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const work =
    (name: string, isBad = false) =>
    async () => {
      log.push(`${name} begins`);
      if (name === "a1") await gate;
      log.push(`${name} ends`);
      if (isBad) throw new Error(name);
      return name;
    };
  const a1 = turns.take("a", work("a1", true)).catch((error: Error) => `failed ${error.message}`);
  const a2 = turns.take("a", work("a2"));
  expect(await turns.take("b", work("b1"))).toBe("b1");
  open();
  expect(await Promise.all([a1, a2])).toEqual(["failed a1", "a2"]);
  expect(log).toEqual(["a1 begins", "b1 begins", "b1 ends", "a1 ends", "a2 begins", "a2 ends"]);
  expect(turns.size).toBe(0);
});
