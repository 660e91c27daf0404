import { expect, test } from "bun:test";
import fc from "fast-check";
import { GenerationalCache } from "./generational-cache.ts";

test("the latest entries are kept with their last value, and few older ones", () => {
  const sets = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer()), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), sets, (least, all) => {
      const lately = new GenerationalCache<number, number>(least);
      for (const [key, value] of all) lately.set(key, value);
      const last = new Map(all.map(([key, value], at) => [key, { value, at }]));
      const byAge = [...last].sort(([, a], [, b]) => b.at - a.at);
      for (const [key, { value }] of byAge.slice(0, least)) expect(lately.get(key)).toBe(value);
      for (const [key, { value }] of byAge) expect([value, undefined]).toContain(lately.get(key));
      expect(lately.size).toBeLessThanOrEqual(2 * least);
    }),
  );
});

test("an entry that is read again and again stays, however many others are set", () => {
  const lately = new GenerationalCache<string, number>(5);
  lately.set("asked for", 0);
  for (let i = 1; i < 1_000; i += 1) {
    lately.set(`key-${i}`, i);
    expect(lately.get("asked for")).toBe(0);
  }
  expect(lately.get("key-1")).toBeUndefined();
});
