/** Goal: the witness is exactly the last write, or absent. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HeadWatch, HeadWitness, readHead } from "./head.ts";

const folder = mkdtempSync(join(tmpdir(), "innkeep-head-"));
afterAll(() => rmSync(folder, { recursive: true }));

const JOURNAL_ID = "0123456789abcdef".repeat(2);
const CHAIN = "ab".repeat(32);

function written(name: string, ...rows: number[]): string {
  const path = join(folder, name);
  const witness = new HeadWitness(path, JOURNAL_ID);
  for (const row of rows) witness.write({ row, chain: CHAIN });
  witness.close();
  return path;
}

test("the last written head is read back, whether shorter or longer than the one before", () => {
  const path = written("last", 1_000_000, 7);
  expect(readHead(path)).toEqual({ journalId: JOURNAL_ID, row: 7, chain: CHAIN });
});

test("reopening keeps the witness until the next write", () => {
  const path = written("kept", 12);
  new HeadWitness(path, JOURNAL_ID).close();
  expect(readHead(path)?.row).toBe(12);
});

test("no file and an empty file are no witness", () => {
  expect(readHead(join(folder, "none"))).toBeNull();
  expect(readHead(written("empty"))).toBeNull();
});

test("a line torn at any place is no witness", () => {
  const older = readFileSync(written("older", 1_998));
  const newer = readFileSync(written("newer", 2_001));
  const path = join(folder, "torn");
  for (let at = 0; at <= newer.length; at += 1) {
    writeFileSync(path, Buffer.concat([newer.subarray(0, at), older.subarray(at)]));
    expect([null, 1_998, 2_001]).toContain(readHead(path)?.row ?? null);
    writeFileSync(path, newer.subarray(0, at));
    if (at < newer.length) expect(readHead(path)).toBeNull();
  }
});

test("a line with any one bit flipped is no witness", () => {
  const line = readFileSync(written("flips", 4_242));
  const path = join(folder, "flipped");
  for (let bit = 0; bit < line.length * 8; bit += 1) {
    const flipped = Buffer.from(line);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    writeFileSync(path, flipped);
    expect(readHead(path)).toBeNull();
  }
});

test("a watcher sees every write and nothing else", () => {
  const path = join(folder, "watched");
  const watch = new HeadWatch(path);
  expect(watch.hasMoved()).toBe(true);
  const witness = new HeadWitness(path, JOURNAL_ID);
  expect(watch.hasMoved()).toBe(true);
  for (let row = 1; row <= 500; row += 1) {
    witness.write({ row, chain: CHAIN });
    expect(watch.hasMoved()).toBe(true);
    // True once more if the 50 ms have just passed.
    expect(watch.hasMoved() && watch.hasMoved()).toBe(false);
  }
  witness.close();
});

test("a replaced witness file is noticed after a while", async () => {
  const path = written("replaced", 4);
  const watch = new HeadWatch(path);
  watch.hasMoved();
  renameSync(written("replacement", 5), path);
  const deadline = performance.now() + 5_000;
  while (!watch.hasMoved() && performance.now() < deadline) await Bun.sleep(1);
  expect(performance.now()).toBeLessThan(deadline);
});
