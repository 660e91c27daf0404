/** The header of a zstd frame (RFC 8878, part 3.1.1), which declares the decompressed size. */

const MAGIC = 0xfd2fb528;
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

/**
 * The declared decompressed size when the bytes are exactly one frame; null when they are not, or
 * it declares none. zstd never returns another size.
 */
export function contentBytesOf(frame: Buffer): number | null {
  if (frame.length <= DESCRIPTOR_AT || frame.readUInt32LE(0) !== MAGIC) return null;
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
