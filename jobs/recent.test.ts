import { expect, test } from "bun:test";
import { Recent } from "./recent.ts";

test("what was seen lately is kept, and never more than was agreed", () => {
  const recent = new Recent<number>(10);
  for (let i = 0; i < 1_000; i += 1) {
    recent.set(`key-${i}`, i);
    expect(recent.get("key-0")).toBe(0);
    for (let back = 1; back < Math.min(4, i); back += 1) {
      expect(recent.get(`key-${i - back}`)).toBe(i - back);
    }
  }
  const known = Array.from({ length: 1_000 }, (_, i) => `key-${i}`);
  const fresh = new Recent<string>(10);
  for (const key of known) fresh.set(key, key);
  // Looked at from the newest: what a look moves up never drives out what comes after it here.
  expect(known.slice(-5).every((key) => fresh.get(key) === key)).toBeTrue();
  expect(known.slice(0, -10).some((key) => fresh.get(key) !== undefined)).toBeFalse();
});

test("a value that comes again replaces the one before, in either generation", () => {
  const recent = new Recent<string>(4);
  recent.set("key", "first");
  recent.set("other", "x");
  recent.set("third", "x");
  recent.set("key", "second");
  expect(recent.get("key")).toBe("second");
  recent.set("key", "third");
  expect(recent.get("key")).toBe("third");
});
