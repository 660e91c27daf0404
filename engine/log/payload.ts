/**
 * A block's text as stored bytes: plain when short, otherwise packed with zstd, which stores
 * content shared by the rows of a group once. A packed text is a byte that UTF-8 never has, the
 * size of the text (4 bytes, little-endian), and a zstd frame.
 *
 * Maintained invariant: the first byte distinguishes the two, so both can be stored side by side.
 */
import { Damage } from "../core/damage.ts";

/** Higher levels cost at least twice the CPU without gain: the rest is random. */
const LEVEL = 1;
/** Some two dozen holds. Packing a shorter text costs a group a tenth more time for little gain. */
export const PACKED_FROM_BYTES = 16 * 1024;
/** Longer texts are not packed, which limits the memory for unpacking damaged bytes. */
const PACKED_MAX_BYTES = 16 * 1024 * 1024;
const MARK = 0xff;
const HEAD_BYTES = 5;

/** The header of a zstd frame (RFC 8878, part 3.1.1), which declares the decompressed size. */
const FRAME_MAGIC = 0xfd2fb528;
const DESCRIPTOR_AT = 4;
const BLOCK_HEAD_BYTES = 3;
/** The type of a block that repeats one byte. */
const RUN = 1;

interface Size {
  readonly at: number;
  readonly bytes: 1 | 2 | 4;
  /** Added to the stored size. */
  readonly from: number;
}

/** By frame descriptor: where the size is, in a frame without checksum and dictionary. */
const SIZES: ReadonlyMap<number, Size> = new Map([
  [0x20, { at: 5, bytes: 1, from: 0 }],
  [0x60, { at: 5, bytes: 2, from: 256 }],
  [0xa0, { at: 5, bytes: 4, from: 0 }],
  [0x40, { at: 6, bytes: 2, from: 256 }],
  [0x80, { at: 6, bytes: 4, from: 0 }],
]);

/** The stored bytes of a text, packed from `fromBytes` on. */
export function payloadOf(text: string, fromBytes: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length < fromBytes || bytes.length > PACKED_MAX_BYTES) return bytes;
  const frame = Bun.zstdCompressSync(bytes, { level: LEVEL });
  if (HEAD_BYTES + frame.length >= bytes.length) return bytes;
  const packed = Buffer.allocUnsafe(HEAD_BYTES + frame.length);
  packed[0] = MARK;
  packed.writeUInt32LE(bytes.length, 1);
  packed.set(frame, HEAD_BYTES);
  return packed;
}

/**
 * The UTF-8 bytes of a payload's text.
 *
 * @throws Damage when a packed payload is damaged.
 */
export function textBytesOf(payload: Uint8Array): Buffer {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (bytes[0] !== MARK) return bytes;
  const count = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32LE(1);
  if (count > PACKED_MAX_BYTES) throw damage(`${count} bytes of text are more than are packed`);
  const frame = bytes.subarray(HEAD_BYTES);
  // Unpacks only when the frame declares the same size, which bounds the memory used.
  const said = contentBytesOf(frame);
  if (count > 0 && said === count) return unpacked(frame);
  throw damage(`a frame of ${said} bytes of text, ${count} were packed`);
}

function unpacked(frame: Buffer): Buffer {
  try {
    return Bun.zstdDecompressSync(frame);
  } catch (error) {
    throw damage(String(error));
  }
}

function damage(what: string): Damage {
  return new Damage("journal_row_damaged", `a packed text cannot be read: ${what}`);
}

/**
 * The declared decompressed size when the bytes are exactly one frame; null when they are not, or
 * it declares none. zstd never returns another size.
 */
export function contentBytesOf(frame: Buffer): number | null {
  if (frame.length <= DESCRIPTOR_AT || frame.readUInt32LE(0) !== FRAME_MAGIC) return null;
  const size = SIZES.get(frame[DESCRIPTOR_AT]!);
  if (!size) return null;
  const blocksAt = size.at + size.bytes;
  if (endOf(frame, blocksAt) !== frame.length) return null;
  return size.from + frame.readUIntLE(size.at, size.bytes);
}

/** The end of the last block, from an offset on; null when it is outside the frame. */
function endOf(frame: Buffer, from: number): number | null {
  let at = from;
  while (at + BLOCK_HEAD_BYTES <= frame.length) {
    const head = frame.readUIntLE(at, BLOCK_HEAD_BYTES);
    const isLast = (head & 1) === 1;
    at += BLOCK_HEAD_BYTES + (((head >> 1) & 3) === RUN ? 1 : head >> 3);
    if (isLast) return at;
  }
  return null;
}
