/** Goal: a recent key is found at its last row, an old one is forgotten. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { RecentKeys } from "./recent-keys.ts";

const keyOf = (n: number) => createHash("md5").update(String(n)).digest();
const find = (keys: RecentKeys, n: number) => keys.find(keyOf(n).toString("hex"));

test("each key of a block is found at its row at any time", () => {
  const keys = new RecentKeys();
  keys.note(Buffer.concat([keyOf(1), Buffer.alloc(16), keyOf(3)]), 13);
  expect(find(keys, 1)).toBe(11);
  keys.note(null, 14);
  keys.note(Buffer.concat([keyOf(4), keyOf(1)]), 16);
  expect([1, 3, 4].map((n) => find(keys, n))).toEqual([16, 13, 15]);
  expect(find(keys, 2)).toBe(0);
});

test("the keys of a minimum number of rows are known, and those of much older rows are not", () => {
  const keys = new RecentKeys(100);
  const rows = 1_000;
  for (let row = 1; row <= rows; row += 1) {
    keys.note(keyOf(row), row);
    if (row % 7 === 0) expect(find(keys, Math.max(1, row - 99))).toBe(Math.max(1, row - 99));
  }
  for (let row = rows - 99; row <= rows; row += 1) expect(find(keys, row)).toBe(row);
  expect(find(keys, rows - 250)).toBe(0);
});

test("a follower that starts late in a journal knows the keys that it has read", () => {
  const keys = new RecentKeys(10);
  for (let row = 5_001; row <= 5_010; row += 1) keys.note(keyOf(row), row);
  expect(find(keys, 5_001)).toBe(5_001);
  expect(find(keys, 5_010)).toBe(5_010);
});
