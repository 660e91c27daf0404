import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { KeyIndex } from "./key-index.ts";

const keyOf = (n: number) => createHash("md5").update(String(n)).digest();

test("a key is found at its last row, an unknown key nowhere", () => {
  const index = new KeyIndex();
  expect(index.find(keyOf(1))).toBe(0);
  index.set(keyOf(1), 7);
  index.set(keyOf(2), 8);
  index.set(keyOf(1), 9);
  expect(index.find(keyOf(1))).toBe(9);
  expect(index.find(keyOf(2))).toBe(8);
  expect(index.find(keyOf(3))).toBe(0);
});

test("keys stay known when a segment is full and the next one opens", () => {
  const index = new KeyIndex();
  const count = 800_000;
  for (let n = 1; n <= count; n += 1) index.set(keyOf(n), n);
  index.set(keyOf(1), count + 1);
  expect(index.find(keyOf(1))).toBe(count + 1);
  for (let n = 2; n <= count; n += 997) expect(index.find(keyOf(n))).toBe(n);
  for (let n = count + 1; n < count + 1_000; n += 1) expect(index.find(keyOf(n))).toBe(0);
});
