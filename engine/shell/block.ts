/**
 * Rows as they lie in the journal. Consecutive rows of a group share a block, which is written,
 * checked and chained as one: a line of text for each row, packed where that is shorter, and their
 * keys side by side. The chain is one of texts, so that it stays what it is however they are
 * packed.
 *
 * Maintained invariant: how many rows a block has is told by its lines alone, so that no number
 * beside them can disagree; and each line says in itself which row it is.
 */
import type { Row } from "../core/events.ts";
import { decodeForFold, decodeRow } from "../core/row-codec.ts";
import { Damage } from "./damage.ts";
import type { Head } from "./head.ts";
import { PACKED_FROM_BYTES, payloadOf, textBytesOf } from "./payload.ts";
import { chainOf, crcOfBlock, type EncodedRow } from "./stored-row.ts";

/** Whoever looks one row up reads and checks its whole block, so a block stays small. */
const ROWS_MAX = 128;
/** A row that alone has more has a block of its own. */
const CHARS_MAX = 64 * 1024;

export const KEY_BYTES = 16;
const NEW_LINE = 0x0a;
const NO_KEY = "0".repeat(2 * KEY_BYTES);

/** A block with its text as it is. */
export interface PlainBlock extends StoredBlock {
  readonly payload: Buffer;
}

export interface StoredBlock {
  /** The number of its last row. */
  readonly row: number;
  /** 16 bytes for each row, zeros for one that sets no key; null when none sets one. */
  readonly keys: Uint8Array | null;
  /** A line for each row, as `payload.ts` stores a text. */
  readonly payload: Uint8Array;
  /** Of keys and payload, as they are stored. */
  readonly crc: number;
  /** The chain up to its last row, of which the text is a part. */
  readonly chain: string;
}

/**
 * A group's rows as the blocks to be written after the one that ends in `chain`; their texts are
 * packed from so many bytes on.
 */
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

/** The index after the last row that goes into the block that begins at `from`. */
function endOfBlock(rows: readonly EncodedRow[], from: number): number {
  let chars = rows[from]!.payload.length;
  let to = from + 1;
  for (; to < rows.length && to - from < ROWS_MAX; to += 1) {
    chars += rows[to]!.payload.length;
    if (chars > CHARS_MAX) break;
  }
  return to;
}

/** Throws Error rather than to make what nobody could read. */
function blockOf(
  rows: readonly EncodedRow[],
  previous: string,
  packedFromBytes: number,
): StoredBlock {
  const text = rows.map((row) => row.payload).join("\n");
  const isKeyed = rows.some(({ key }) => key !== null);
  const keys = isKeyed ? Buffer.from(rows.map(({ key }) => key ?? NO_KEY).join(""), "hex") : null;
  if (rows.some((row) => row.payload.includes("\n"))) {
    throw new Error(`of the rows from ${rows[0]!.row} on, one has more than a line`);
  }
  if (keys && keys.length !== rows.length * KEY_BYTES) {
    throw new Error(`of the rows from ${rows[0]!.row} on, one has no key of ${KEY_BYTES} bytes`);
  }
  const payload = payloadOf(text, packedFromBytes);
  const chain = chainOf(previous, text);
  return { row: rows.at(-1)!.row, keys, payload, crc: crcOfBlock(payload, keys), chain };
}

/**
 * The same block with its text as it is, for what is packed with others, and to compare.
 *
 * @throws Damage when it is not what was written.
 */
export function plainBlock(stored: StoredBlock): PlainBlock {
  mustMatch(stored);
  const payload = textBytesOf(stored.payload);
  return { ...stored, payload, crc: crcOfBlock(payload, stored.keys) };
}

/** The same block as the database has it, packed as by `blocksOf`. Throws as `plainBlock`. */
export function packedBlock(stored: StoredBlock, packedFromBytes: number): StoredBlock {
  const payload = payloadOf(plainBlock(stored).payload.toString(), packedFromBytes);
  return { ...stored, payload, crc: crcOfBlock(payload, stored.keys) };
}

function mustMatch({ row, keys, payload, crc }: StoredBlock): void {
  if (crcOfBlock(payload, keys) === crc) return;
  throw new Damage("journal_row_damaged", `row ${row} does not match its CRC`);
}

/** A block that is what was written. */
export class Block {
  readonly first: number;
  readonly last: number;
  readonly keys: Uint8Array | null;
  readonly #text: Buffer;
  readonly #chain: string;
  /** Where the line of each row begins in the text, and where one more would. */
  readonly #starts: readonly number[];

  /** @throws Damage when it is not what was written. */
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
   * For whoever stands at `place`, before this block or at a row in it.
   *
   * @throws Damage when the block does not go on from there.
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
   * The chain up to a row of the block: at its last row the block's own, which commits to all of
   * them; before that a name for the place that follows from it.
   */
  chainAt(row: number): string {
    return row === this.last ? this.#chain : chainOf(this.#chain, `row ${row}`);
  }

  /** The text of one of its rows: a string by itself, which keeps nothing of the block alive. */
  lineOf(row: number): string {
    const at = row - this.first;
    return this.#text.toString("utf8", this.#starts[at]!, this.#starts[at + 1]! - 1);
  }

  /** @throws Damage when what is stored for the row is another one. */
  rowAt(row: number): Row {
    return mustBe(row, decodeRow(this.lineOf(row)));
  }

  /** As `rowAt`, for a fold: without a placed hold's outcome. */
  foldRowAt(row: number): Row {
    return mustBe(row, decodeForFold(this.lineOf(row)));
  }
}

/** The first row of a block, by its lines. */
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
  throw new Damage("journal_row_damaged", `what is stored for row ${row} is not it`);
}

/**
 * For rows that are to leave `own`, which goes on from `before`, for `copies` with plain texts.
 *
 * @throws Damage when a byte differs: of the rows themselves where these are not what was written,
 * because the copies are then all that is left of them, else of the segment.
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
  const message = `the rows up to ${copies.at(-1)?.row} are others than in the database`;
  throw new Damage("segment_damaged", message);
}
