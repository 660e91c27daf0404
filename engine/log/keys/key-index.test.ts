/** Goal: every key is found at its last row, among any number of keys, and no other is found. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { isRefusedAt, KeyIndex, type KeyWords, keyWords, rowAt, SHARDS } from "./key-index.ts";

const keyOf = (n: number) => createHash("md5").update(String(n)).digest();
const NO_WORDS: KeyWords = { shard: 0, a: 0, b: 0, c: 0 };

/** The index, queried by bytes. */
class Index {
  readonly index = new KeyIndex();
  set(key: Uint8Array, row: number): void {
    this.index.setBlock(key, row);
  }
  find(key: Uint8Array): number {
    return this.index.find(keyWords(key, 0, { ...NO_WORDS }));
  }
}

test("a key is found at its last row, an unknown key is not found", () => {
  const index = new Index();
  expect(index.find(keyOf(1))).toBe(0);
  index.set(keyOf(1), 7);
  index.set(keyOf(2), 8);
  index.set(keyOf(1), 9);
  expect(index.find(keyOf(1))).toBe(9);
  expect(index.find(keyOf(2))).toBe(8);
  expect(index.find(keyOf(3))).toBe(0);
});

test("keys stay known while the tables grow", () => {
  const index = new Index();
  const count = 800_000;
  for (let n = 1; n <= count; n += 1) index.set(keyOf(n), n);
  index.set(keyOf(1), count + 1);
  expect(index.find(keyOf(1))).toBe(count + 1);
  for (let n = 2; n <= count; n += 997) expect(index.find(keyOf(n))).toBe(n);
  for (let n = count + 1; n < count + 1_000; n += 1) expect(index.find(keyOf(n))).toBe(0);
});

test("crowded keys that differ in one bit of the first 96 are distinguished, except for four bits", () => {
  const index = new Index();
  const keys = Array.from({ length: 92 }, (_, i) => {
    // The low half of the fourth byte is not stored.
    const bit = i < 24 ? i : i + 4;
    const key = Buffer.alloc(16, 0x5a);
    key[bit >> 3]! ^= 1 << (bit & 7);
    return key;
  });
  // All in one shard and on one slot, except for one bit.
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

test("rows beyond 2^32 are returned exactly, also a multiple of 2^32", () => {
  const index = new Index();
  const rows = [1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 3 * 2 ** 32, 2 ** 47 - 1];
  for (const [i, row] of rows.entries()) index.set(keyOf(i), row);
  // More, so that the tables are copied.
  for (let n = 100; n < 200_000; n += 1) index.set(keyOf(n), 2 ** 40 + n);
  expect(rows.map((_, i) => index.find(keyOf(i)))).toEqual(rows);
  expect(index.find(keyOf(199_999))).toBe(2 ** 40 + 199_999);
});

test("the keys of a block are those of its rows, and a row without a key sets none", () => {
  const index = new Index();
  index.index.setBlock(Buffer.concat([keyOf(1), Buffer.alloc(16), keyOf(3), keyOf(1)]), 40);
  expect([1, 3].map((n) => index.find(keyOf(n)))).toEqual([40, 39]);
  expect(index.find(Buffer.alloc(16))).toBe(0);
});

test("a shard lists each entry once, ordered by key", () => {
  const { index } = new Index();
  for (let n = 1; n <= 20_000; n += 1) index.setBlock(keyOf(n % 15_000), n);
  const hashes: string[] = [];
  const rows: number[] = [];
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const entries = index.sorted(shard);
    for (let at = 0; at < entries.length; at += 4) {
      rows.push(rowAt(entries, at));
      hashes.push(keyOf(rows.at(-1)! % 15_000).toString("hex"));
    }
  }
  expect(hashes).toEqual([...hashes].sort());
  expect(rows).toHaveLength(15_000);
  expect(Math.min(...rows)).toBe(5_001);
});

test("an entry is a refusal only while no row of its key had an effect", () => {
  const isOnlyRefused = (...rows: readonly boolean[]): boolean => {
    const { index } = new Index();
    for (const [i, isRefused] of rows.entries()) index.setBlock(keyOf(1), i + 1, () => isRefused);
    const { shard } = keyWords(keyOf(1), 0, { ...NO_WORDS });
    return isRefusedAt(index.sorted(shard), 0);
  };
  expect([isOnlyRefused(true), isOnlyRefused(true, true)]).toEqual([true, true]);
  expect(isOnlyRefused(false)).toBeFalse();
  expect([isOnlyRefused(false, true), isOnlyRefused(true, false)]).toEqual([false, false]);
});
