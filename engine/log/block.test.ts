/** Goal: rows stored in blocks are read back one by one, or refused by name. */

import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { frozenQuote, propertyTree } from "../../test/support/builders.ts";
import { PACKED_FROM_BYTES } from "../../test/support/packed-from.ts";
import { Damage } from "../core/damage.ts";
import type { Row } from "../core/events/event.ts";
import { quoteText } from "../core/price/quote-codec.ts";
import { Block, blocksOf, packedBlock, plainBlock, type StoredBlock } from "./block.ts";
import { payloadOf } from "./payload.ts";
import { chainOf, crcOfBlock, type EncodedRow, GENESIS_CHAIN } from "./stored-row.ts";

const keyOf = (row: number) => row.toString(16).padStart(32, "0");

function rowOf(row: number, filling = ""): EncodedRow {
  return { row, key: row % 3 === 0 ? null : keyOf(row), payload: JSON.stringify({ row, filling }) };
}

function rowsFrom(first: number, count: number): EncodedRow[] {
  return Array.from({ length: count }, (_, i) => rowOf(first + i));
}

/** The only block of some rows. */
function blockOf(rows: readonly EncodedRow[]): StoredBlock {
  const blocks = blocksOf(rows, GENESIS_CHAIN, PACKED_FROM_BYTES);
  expect(blocks).toHaveLength(1);
  return blocks[0]!;
}

/** A stored block with a change and a matching CRC. */
function changed(stored: StoredBlock, change: Partial<StoredBlock>): StoredBlock {
  const { payload, keys } = { ...stored, ...change };
  return { ...stored, ...change, crc: crcOfBlock(payload, keys) };
}

test("a block has a line per row, their keys side by side, one CRC and one link", () => {
  const rows = rowsFrom(7, 4);
  const stored = blockOf(rows);
  const text = rows.map((row) => row.payload).join("\n");
  const payload = Buffer.from(text);
  const keys = Buffer.from([7, 8, 0, 10].map(keyOf).join(""), "hex");
  const chain = chainOf(GENESIS_CHAIN, text);
  expect(stored).toEqual({ row: 10, keys, payload, crc: crcOfBlock(payload, keys), chain });
  const block = new Block(stored);
  expect([block.first, block.last]).toEqual([7, 10]);
  for (const { row, payload } of rows) {
    expect(block.lineOf(row)).toBe(payload);
    expect(block.rowAt(row)).toEqual(JSON.parse(payload) as Row);
  }
});

test("a single row is stored in the format before blocks", () => {
  const row = rowOf(1);
  const key = Buffer.from(keyOf(1), "hex");
  const crc = Bun.hash.crc32(row.payload, Bun.hash.crc32(key));
  const chain = chainOf(GENESIS_CHAIN, row.payload);
  const stored = blockOf([row]);
  const payload = Buffer.from(row.payload);
  expect(stored).toEqual({ row: 1, keys: key, payload, crc, chain });
  expect(new Block(stored).chainAt(1)).toBe(chain);
  expect(blockOf([rowOf(3)]).keys).toBeNull();
});

test("a group is cut at 128 rows and at 64 KiB, and a larger row is alone", () => {
  const sizes = (rows: readonly EncodedRow[]) =>
    blocksOf(rows, GENESIS_CHAIN).map((stored) => {
      const { first, last } = new Block(stored);
      return last - first + 1;
    });
  expect(sizes([])).toEqual([]);
  expect(sizes(rowsFrom(1, 300))).toEqual([128, 128, 44]);
  const large = Array.from({ length: 5 }, (_, i) => rowOf(i + 1, "x".repeat(30_000)));
  expect(sizes(large)).toEqual([2, 2, 1]);
  const huge = [rowOf(1), rowOf(2, "x".repeat(200_000)), rowOf(3), rowOf(4)];
  expect(sizes(huge)).toEqual([1, 1, 2]);
});

test("blocks continue one another, and any row inside a block", () => {
  const [first, second] = blocksOf(rowsFrom(1, 200), GENESIS_CHAIN).map((each) => new Block(each));
  first!.mustContinue({ row: 0, chain: GENESIS_CHAIN });
  for (const row of [1, 127, 128]) first!.mustContinue({ row, chain: first!.chainAt(row) });
  second!.mustContinue({ row: 128, chain: first!.chainAt(128) });
  const places = Array.from({ length: 128 }, (_, i) => first!.chainAt(i + 1));
  expect(new Set(places).size).toBe(128);
  const broken = "journal_chain_broken: row 8 does not continue the chain";
  expect(() => first!.mustContinue({ row: 7, chain: first!.chainAt(6) })).toThrow(broken);
  expect(() => second!.mustContinue({ row: 128, chain: first!.chainAt(127) })).toThrow(
    "journal_chain_broken: row 129 does not continue the chain",
  );
  expect(() => second!.mustContinue({ row: 127, chain: first!.chainAt(127) })).toThrow(
    "journal_gap: row 127 is followed by 129",
  );
});

test.each([
  [
    "a changed text",
    (stored: StoredBlock) => ({ ...stored, payload: Buffer.from(`${stored.payload} `) }),
  ],
  ["a changed key", (stored: StoredBlock) => ({ ...stored, keys: Buffer.alloc(64, 1) })],
  [
    "a payload that comes as a text",
    (stored: StoredBlock) => ({ ...stored, payload: `${stored.payload}` as unknown as Uint8Array }),
  ],
  [
    "keys that come as a text",
    (stored: StoredBlock) => ({
      ...stored,
      keys: "k".repeat(64) as unknown as Uint8Array,
    }),
  ],
  [
    "fewer keys than rows",
    (stored: StoredBlock) => changed(stored, { keys: stored.keys!.subarray(16) }),
  ],
  [
    "more rows than keys",
    (stored: StoredBlock) => changed(stored, { payload: Buffer.from(`${stored.payload}\n{}`) }),
  ],
])("%s is not a block", (_what, change) => {
  const stored = blockOf(rowsFrom(1, 4));
  expect(() => new Block(change(stored))).toThrow(Damage);
});

test("a line that belongs to another row is never returned for the requested one", () => {
  const stored = blockOf(rowsFrom(1, 3));
  const lines = plainBlock(stored).payload.toString().split("\n");
  const payload = Buffer.from(lines.toReversed().join("\n"));
  const block = new Block(changed(stored, { payload }));
  expect(block.rowAt(2).row).toBe(2);
  for (const read of [() => block.rowAt(1), () => block.foldRowAt(3)]) {
    expect(read).toThrow("journal_row_damaged: row");
  }
});

/** External bytes of strings and buffers, after garbage collection. */
function bytesKept(): number {
  Bun.gc(true);
  return heapStats().extraMemorySize;
}

test("a folded hold keeps no reference to the block of its row", () => {
  const quote = quoteText(frozenQuote(propertyTree()));
  const [blocks, blockChars] = [400, 60_000];
  const before = bytesKept();
  const kept = Array.from({ length: blocks }, (_, nth) => {
    const payload = `hold|${nth}|1|t|live|agent|a|t|k|b|${nth}|hld_${nth}|2||${quote}`;
    const other = rowOf(nth + 1, "x".repeat(blockChars));
    return new Block(blockOf([{ row: nth, key: null, payload }, other])).foldRowAt(nth);
  });
  expect(kept.map(({ row }) => row)).toEqual(kept.map((_, nth) => nth));
  expect(bytesKept() - before).toBeLessThan((blocks * blockChars) / 2);
});

test("a row of two lines or with a key of another length is never written", () => {
  const twoLines = { row: 1, key: null, payload: "{}\n{}" };
  expect(() => blocksOf([twoLines], GENESIS_CHAIN)).toThrow("a line break");
  const short = { row: 1, key: "abcd", payload: "{}" };
  expect(() => blocksOf([short], GENESIS_CHAIN)).toThrow("no key of 16 bytes");
});

test("a block has equal content packed and plain, a CRC of the stored bytes and one chain", () => {
  const stored = blockOf(rowsFrom(1, 128));
  const plain = plainBlock(stored);
  expect(stored.payload.length).toBeLessThan(plain.payload.length / 2);
  expect(plain.payload.toString()).toBe(
    rowsFrom(1, 128)
      .map(({ payload }) => payload)
      .join("\n"),
  );
  expect([plain.row, plain.keys, plain.chain]).toEqual([stored.row, stored.keys, stored.chain]);
  expect(plainBlock(plain)).toEqual(plain);
  expect(packedBlock(plain, PACKED_FROM_BYTES)).toEqual(stored);
  for (const each of [stored, plain]) {
    const block = new Block(each);
    block.mustContinue({ row: 0, chain: GENESIS_CHAIN });
    for (let row = 1; row <= 128; row += 1) expect(block.rowAt(row).row).toBe(row);
  }
});

const packedSoon = (stored: StoredBlock) => packedBlock(stored, PACKED_FROM_BYTES);

test("any changed byte of a packed block is Damage for every reader", () => {
  const stored = blockOf(rowsFrom(1, 128));
  for (let at = 0; at < stored.payload.length; at += 1) {
    const payload = Buffer.from(stored.payload);
    payload[at]! ^= 1 << (at % 8);
    for (const read of [plainBlock, packedSoon, (other: StoredBlock) => new Block(other)]) {
      expect(() => read({ ...stored, payload })).toThrow(Damage);
    }
  }
});

test("a packed block with other lines and a matching CRC breaks the chain", () => {
  const stored = blockOf(rowsFrom(1, 128));
  const text = plainBlock(stored).payload.toString().replace('"row":5,', '"row":5, ');
  const block = new Block(changed(stored, { payload: payloadOf(text, PACKED_FROM_BYTES) }));
  expect(() => block.mustContinue({ row: 0, chain: GENESIS_CHAIN })).toThrow(
    "journal_chain_broken: row 1 does not continue the chain",
  );
});
