/**
 * Rows as stored in the journal. Consecutive rows of a group share a block, which is written,
 * checked and chained as one: a line of text per row, packed where that is shorter, and their keys
 * side by side. The chain is over the plain texts, so it does not depend on packing.
 *
 * Maintained invariant: the lines alone define the number of rows, so no second number can
 * disagree; and each line contains its row number.
 */

import { decodeForFold, decodeRow } from "../core/codec/row-codec.ts";
import { Damage } from "../core/damage.ts";
import type { Row } from "../core/events/event.ts";
import type { Head } from "./head.ts";
import { PACKED_FROM_BYTES, payloadOf, textBytesOf } from "./payload.ts";
import { chainOf, crcOfBlock, type EncodedRow } from "./stored-row.ts";

/** A look-up of one row reads and checks the whole block, so a block stays small. */
const ROWS_MAX = 128;
/** A longer row has its own block. */
const CHARS_MAX = 64 * 1024;

export const KEY_BYTES = 16;
const NEW_LINE = 0x0a;
const NO_KEY = "0".repeat(2 * KEY_BYTES);

/** A block with its text unpacked. */
export interface PlainBlock extends StoredBlock {
  readonly payload: Buffer;
}

export interface StoredBlock {
  /** The number of its last row. */
  readonly row: number;
  /** 16 bytes per row, zeros for a row without a key; null when no row has one. */
  readonly keys: Uint8Array | null;
  /** A line per row, as `payload.ts` stores a text. */
  readonly payload: Uint8Array;
  /** Of keys and payload, as stored. */
  readonly crc: number;
  /** The chain up to its last row, including this block. */
  readonly chain: string;
}

/** A group's rows as blocks that follow the chain; texts from `packedFromBytes` on are packed. */
export function blocksOf(
  rows: readonly EncodedRow[],
  chain: string,
  packedFromBytes = PACKED_FROM_BYTES,
): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  for (let from = 0, link = chain; from < rows.length; ) {
    const to = endOfBlock(rows, from);
    const block = blockOf(rows.slice(from, to), link, packedFromBytes);
    blocks.push(block);
    from = to;
    link = block.chain;
  }
  return blocks;
}

/** The index after the last row of the block that begins at `from`. */
function endOfBlock(rows: readonly EncodedRow[], from: number): number {
  let chars = rows[from]!.payload.length;
  let to = from + 1;
  for (; to < rows.length && to - from < ROWS_MAX; to += 1) {
    chars += rows[to]!.payload.length;
    if (chars > CHARS_MAX) break;
  }
  return to;
}

/** Throws Error for rows that could not be read back. */
function blockOf(
  rows: readonly EncodedRow[],
  previous: string,
  packedFromBytes: number,
): StoredBlock {
  const text = rows.map((row) => row.payload).join("\n");
  const isKeyed = rows.some(({ key }) => key !== null);
  const keys = isKeyed ? Buffer.from(rows.map(({ key }) => key ?? NO_KEY).join(""), "hex") : null;
  if (rows.some((row) => row.payload.includes("\n"))) {
    throw new Error(`of the rows from ${rows[0]!.row} on, one has a line break`);
  }
  if (keys && keys.length !== rows.length * KEY_BYTES) {
    throw new Error(`of the rows from ${rows[0]!.row} on, one has no key of ${KEY_BYTES} bytes`);
  }
  const payload = payloadOf(text, packedFromBytes);
  const chain = chainOf(previous, text);
  return { row: rows.at(-1)!.row, keys, payload, crc: crcOfBlock(payload, keys), chain };
}

/**
 * The same block with its text unpacked, to compare it or to compress it with others.
 *
 * @throws Damage when it is altered.
 */
export function plainBlock(stored: StoredBlock): PlainBlock {
  mustMatch(stored);
  const payload = textBytesOf(stored.payload);
  return { ...stored, payload, crc: crcOfBlock(payload, stored.keys) };
}

/** The same block as the database stores it, packed as by `blocksOf`. Throws as `plainBlock`. */
export function packedBlock(stored: StoredBlock, packedFromBytes: number): StoredBlock {
  const payload = payloadOf(plainBlock(stored).payload.toString(), packedFromBytes);
  return { ...stored, payload, crc: crcOfBlock(payload, stored.keys) };
}

function mustMatch({ row, keys, payload, crc }: StoredBlock): void {
  if (crcOfBlock(payload, keys) === crc) return;
  throw new Damage("journal_row_damaged", `row ${row} does not match its CRC`);
}

/** A checked block. */
export class Block {
  readonly first: number;
  readonly last: number;
  readonly keys: Uint8Array | null;
  readonly #text: Buffer;
  readonly #chain: string;
  /** The offset of each line, and of the end. */
  readonly #starts: readonly number[];

  /** @throws Damage when it is altered. */
  constructor(stored: StoredBlock) {
    mustMatch(stored);
    const { row, keys, chain } = stored;
    this.#text = textBytesOf(stored.payload);
    this.#starts = lineStarts(this.#text);
    const rows = this.#starts.length - 1;
    this.first = row - rows + 1;
    this.last = row;
    this.keys = keys;
    this.#chain = chain;
    if (keys && keys.length !== rows * KEY_BYTES) {
      const message = `${keys.length} bytes of keys for ${rows} rows up to ${row}`;
      throw new Damage("journal_row_damaged", message);
    }
  }

  /** @throws Damage when it does not begin after `row`. */
  mustFollow(row: number): void {
    if (this.first === row + 1) return;
    throw new Damage("journal_gap", `row ${row} is followed by ${this.first}`);
  }

  /**
   * Checks the chain from `place`, a head before this block or within it.
   *
   * @throws Damage when the block does not continue from there.
   */
  mustContinue(place: Head): void {
    const isInside = place.row >= this.first && place.row <= this.last;
    if (!isInside) this.mustFollow(place.row);
    const isTrue = isInside
      ? this.chainAt(place.row) === place.chain
      : chainOf(place.chain, this.#text) === this.#chain;
    if (isTrue) return;
    const row = Math.max(this.first, place.row + 1);
    throw new Damage("journal_chain_broken", `row ${row} does not continue the chain`);
  }

  /**
   * The chain up to a row of the block. At the last row it is the block's own, which commits to all
   * rows; before, it is an identifier derived from it.
   */
  chainAt(row: number): string {
    return row === this.last ? this.#chain : chainOf(this.#chain, `row ${row}`);
  }

  /** The line of a row as a string that does not keep the block in memory. */
  lineOf(row: number): string {
    return this.bytesOf(row).toString("utf8");
  }

  /** The line of a row; a view of the block. */
  bytesOf(row: number): Buffer {
    const at = row - this.first;
    return this.#text.subarray(this.#starts[at]!, this.#starts[at + 1]! - 1);
  }

  /** @throws Damage when the line has another row. */
  rowAt(row: number): Row {
    return mustBe(row, decodeRow(this.lineOf(row)));
  }

  /** As `rowAt`, for a fold: without a placed hold's outcome. */
  foldRowAt(row: number): Row {
    return mustBe(row, decodeForFold(this.lineOf(row)));
  }
}

/** The first row of a block, counted by its lines. */
export function firstRowOf({ row, payload }: PlainBlock): number {
  const rows = lineStarts(payload).length - 1;
  return row - rows + 1;
}

function lineStarts(text: Buffer): number[] {
  const starts = [0];
  for (let end = text.indexOf(NEW_LINE); end >= 0; end = text.indexOf(NEW_LINE, end + 1)) {
    starts.push(end + 1);
  }
  starts.push(text.length + 1);
  return starts;
}

function mustBe(row: number, found: Row): Row {
  if (found.row === row) return found;
  throw new Damage("journal_row_damaged", `row ${row} has the content of another row`);
}

/**
 * Checks blocks of the database, which continue from `before`, against their `copies` with plain
 * texts, before they are removed.
 *
 * @throws Damage when a byte differs: damage of the rows if those of the database are damaged,
 * because the copies are then the only intact ones, otherwise damage of the segment.
 */
export function mustEqualCopies(
  own: readonly StoredBlock[],
  copies: readonly StoredBlock[],
  before: Head,
): void {
  if (Bun.deepEquals(own.map(plainBlock), copies)) return;
  let place = before;
  for (const stored of own) {
    const block = new Block(stored);
    block.mustContinue(place);
    place = { row: block.last, chain: block.chainAt(block.last) };
  }
  const message = `the rows up to ${copies.at(-1)?.row} differ from those in the database`;
  throw new Damage("segment_damaged", message);
}
