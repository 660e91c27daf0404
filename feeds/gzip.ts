/**
 * Makes one gzip member from separately compressed chunks. Each chunk is deflate data that ends on
 * a byte boundary, so chunks can be concatenated between an opening and a tail. One member, because
 * some clients stop after the first. Its checksum is combined from those of the parts.
 */
import { constants, crc32, deflateRawSync } from "node:zlib";

/** Deflate, no name, no time, any system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Measured: higher levels hardly reduce the size and take twice as long. */
const LEVEL = 4;

/** Compresses a part that is followed by others. */
export function deflated(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
}

/** Compresses the last part and adds the trailer; `whole` is the sum of all parts. */
export function deflatedEnd(tail: Uint8Array, whole: Sum): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(whole.crc, 0);
  trailer.writeUInt32LE(whole.bytes % 2 ** 32, 4);
  return Buffer.concat([deflateRawSync(tail, { level: LEVEL }), trailer]);
}

/** CRC-32 and length of some bytes. */
export interface Sum {
  readonly crc: number;
  readonly bytes: number;
}

/** The sum of `bytes`, appended to those of `before`. */
export function sumOf(bytes: Uint8Array, before: Sum = { crc: 0, bytes: 0 }): Sum {
  return { crc: crc32(bytes, before.crc), bytes: before.bytes + bytes.length };
}

const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** Product of two polynomials over GF(2), lowest power first, modulo that of CRC-32. */
function product(a: number, b: number): number {
  let sum = 0;
  for (let bit = ONE, shifted = b; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}

/** Factor for a sum when this many bytes follow: x to the power of their bits. */
function behind(bytes: number): number {
  let power = ONE;
  let square = ONE >>> 8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

/** The sum of two consecutive byte sequences. */
export function combined(first: Sum, second: Sum): Sum {
  const crc = (product(behind(second.bytes), first.crc) ^ second.crc) >>> 0;
  return { crc, bytes: first.bytes + second.bytes };
}
