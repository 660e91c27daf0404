/**
 * One gzip member whose parts were compressed apart. Every chunk is deflate ended on the boundary
 * of a byte, so chunks follow one another; any number of them, with an opening and a tail made for
 * the occasion, are one member, which every client reads (some stop after the first member). The
 * sum at its end is put together from the sums of the parts.
 */
import { constants, crc32, deflateRawSync } from "node:zlib";

/** Deflate, no name, no time, any system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Measured: above it the documents hardly get smaller and take twice as long. */
const LEVEL = 4;

/** A part that others follow. */
export function deflated(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
}

/** The last part with what follows it; `whole` is what all parts hold together. */
export function deflatedEnd(tail: Uint8Array, whole: Sum): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(whole.crc, 0);
  trailer.writeUInt32LE(whole.bytes % 2 ** 32, 4);
  return Buffer.concat([deflateRawSync(tail, { level: LEVEL }), trailer]);
}

/** Bytes by their CRC-32 and their number. */
export interface Sum {
  readonly crc: number;
  readonly bytes: number;
}

/** The sum of some bytes, or of what was summed before with them behind it. */
export function sumOf(bytes: Uint8Array, before: Sum = { crc: 0, bytes: 0 }): Sum {
  return { crc: crc32(bytes, before.crc), bytes: before.bytes + bytes.length };
}

const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** The product of two polynomials over GF(2), their lowest power first, modulo CRC-32's. */
function product(a: number, b: number): number {
  let sum = 0;
  for (let bit = ONE, shifted = b; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}

/** What a sum is multiplied by when so many bytes come behind it: x to the power of their bits. */
function behind(bytes: number): number {
  let power = ONE;
  let square = ONE >>> 8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

/** The sum of what `first` and `second` are sums of, one behind the other. */
export function combined(first: Sum, second: Sum): Sum {
  const crc = (product(behind(second.bytes), first.crc) ^ second.crc) >>> 0;
  return { crc, bytes: first.bytes + second.bytes };
}
