/** Goal: every key is found at its last row, however many there are, and no other. */
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

test("keys stay known while the tables grow", () => {
  const index = new KeyIndex();
  const count = 800_000;
  for (let n = 1; n <= count; n += 1) index.set(keyOf(n), n);
  index.set(keyOf(1), count + 1);
  expect(index.find(keyOf(1))).toBe(count + 1);
  for (let n = 2; n <= count; n += 997) expect(index.find(keyOf(n))).toBe(n);
  for (let n = count + 1; n < count + 1_000; n += 1) expect(index.find(keyOf(n))).toBe(0);
});

test("keys that differ in one bit of the first 96 are told apart, also where they crowd", () => {
  const index = new KeyIndex();
  const keys = Array.from({ length: 96 }, (_, bit) => {
    const key = Buffer.alloc(16, 0x5a);
    key[bit >> 3]! ^= 1 << (bit & 7);
    return key;
  });
  // All in one shard and on one slot, but for a bit.
  const crowd = Array.from({ length: 500 }, (_, n) => {
    const key = Buffer.alloc(16, 0xff);
    key.writeUInt32BE(n, 8);
    return key;
  });
  const all = [...keys, ...crowd];
  for (const [i, key] of all.entries()) index.set(key, i + 1);
  expect(all.map((key) => index.find(key))).toEqual(all.map((_, i) => i + 1));
  expect(index.find(Buffer.alloc(16, 0x5a))).toBe(0);
});

test("rows beyond 2^32 are told as they are, and one that is a multiple of it is none the less there", () => {
  const index = new KeyIndex();
  const rows = [1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 3 * 2 ** 32, 2 ** 44 - 1];
  for (const [i, row] of rows.entries()) index.set(keyOf(i), row);
  // More, so that the tables are copied.
  for (let n = 100; n < 200_000; n += 1) index.set(keyOf(n), 2 ** 40 + n);
  expect(rows.map((_, i) => index.find(keyOf(i)))).toEqual(rows);
  expect(index.find(keyOf(199_999))).toBe(2 ** 40 + 199_999);
});

test("the keys of a block are those of its rows, and a row without one sets none", () => {
  const index = new KeyIndex();
  index.setBlock(Buffer.concat([keyOf(1), Buffer.alloc(16), keyOf(3), keyOf(1)]), 40);
  expect([1, 3].map((n) => index.find(keyOf(n)))).toEqual([40, 39]);
  expect(index.find(Buffer.alloc(16))).toBe(0);
});
